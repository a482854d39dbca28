import { Button, CloseButton, Group, Paper, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ToldDesign } from '../app/told.ts'
import { addressOf } from '../ask/address-of.ts'

/** A step for each question: the first example of the sample that asks it. */
const steps = [
  ['can', 'Every answer has its reason: each step of the chain is an item that opens.'],
  ['why', 'A no says where each way broke, and what would mend it.'],
  ['what', 'All that one person may do here, and by what.'],
  ['who', 'Everybody who may do this here. Save the list for a review.'],
  ['where', 'Every place at which one person may do this.'],
] as const

/** A tour of five steps, one a question. The address has the step, so that Back works, and it can be left at each. */
export function Tour({ design }: { readonly design: ToldDesign }) {
  const { tour, ...search } = useSearch({ from: '/$design/ask' })
  const navigate = useNavigate({ from: '/$design/ask' })
  const open = steps.flatMap(([asked, words]) => {
    const example = design.examples.find((each) => each.asked === asked)
    return example === undefined ? [] : [{ asked, words, example }]
  })
  const at = Number(tour)
  const step = open[at - 1]
  if (step === undefined) return null
  const leave = () => navigate({ search })
  const go = (to: number) => {
    const next = open[to - 1]
    return next === undefined ? leave() : navigate({ search: { ...addressOf(design, next.example), tour: String(to) } })
  }
  return (
    <Paper withBorder p="sm" component="section" aria-label="Tour" bg="var(--mantine-primary-color-light)">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text size="xs" c="dimmed">
            {at} of {open.length}
          </Text>
          <Text fw={600}>{step.example.title}</Text>
          <Text size="sm">{step.words}</Text>
        </div>
        <CloseButton aria-label="Leave the tour" onClick={leave} />
      </Group>
      <Group gap="xs" mt="xs">
        {at > 1 && (
          <Button size="compact-sm" variant="default" onClick={() => go(at - 1)}>
            Before
          </Button>
        )}
        <Button size="compact-sm" onClick={() => go(at + 1)}>
          {at === open.length ? 'Done' : 'Next'}
        </Button>
      </Group>
    </Paper>
  )
}
