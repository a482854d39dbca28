import { Badge, Box, Group, Paper, Stack, Tabs, Text, Timeline, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { asked as askedNow, designClient, itemQuery, sessionQuery } from '../app/service.ts'
import { Failed, Waiting } from '../app/states.tsx'
import { hasLabel, keyByEvidence, labelOf, type ToldDesign, type Values, words } from '../app/told.ts'
import { ItemLink, Told, Value } from '../app/value.tsx'
import { FlowButtons } from '../flows/flow-buttons.tsx'
import { mendingFlows } from '../flows/mending.ts'
import { flowsQuery } from '../flows/told-flows.ts'
import { SaveQuestion } from '../saved/save-question.tsx'

/** A step of evidence, as `why` gives it. */
interface Step {
  readonly step: string
  readonly entity: string
  readonly id: Values
  readonly state: string
  readonly message: string
  readonly as?: Values
}
interface Explained {
  readonly allowed: boolean
  readonly reason?: { readonly kind: string; readonly code: string; readonly message: string }
  readonly chains: readonly (readonly Step[])[]
  readonly missing: readonly Step[]
}

/** What bounds a step in time: null says that it is not bounded. */
const isBound = (name: string) => /(_at|At|from|until|until_at|start|end|expires)$/i.test(name)

function Bounds({ as = {} }: { readonly as?: Values | undefined }) {
  const told = Object.entries(as).filter(([name]) => isBound(name))
  if (told.length === 0) return null
  return (
    <Group gap="md">
      {told.map(([name, value]) => (
        <Text key={name} size="xs" c="dimmed">
          {words(name)}: {value === null ? /end|until|expire/i.test(name) ? 'no end' : 'always' : <Value value={value} />}
        </Text>
      ))}
    </Group>
  )
}

/** A sentence, and below it the text of a policy where there is one. */
function Message({ message }: { readonly message: string }) {
  const [first = '', ...rest] = message.split('\n')
  return (
    <>
      <Text size="sm">
        <Told text={first} />
      </Text>
      {rest.length > 0 && (
        <Box component="pre" className="policy" m={0} tabIndex={0}>
          {rest.join('\n')}
        </Box>
      )}
    </>
  )
}

/** How people call the item of a step. One that cannot be read has no name here, and its step says enough. */
function Called({ design, entity, id }: { readonly design: ToldDesign; readonly entity: string; readonly id: Values }) {
  const { data } = useQuery(itemQuery(design.form.design, entity, id))
  const label = data === null || data === undefined ? undefined : labelOf(data)
  return label === undefined ? null : (
    <Text span>
      <bdi className="whole">{label}</bdi>
    </Text>
  )
}

/** The way from who asks to what is allowed. Each step is an item that opens. */
function Chain({ design, steps, isBroken }: { readonly design: ToldDesign; readonly steps: readonly Step[]; readonly isBroken: boolean }) {
  const { data: session } = useQuery(sessionQuery)
  /** The key of the item of a step, which opens for a key that may read it. */
  const keyOf = ({ entity, id, message }: Step) =>
    // A policy has its text below it, and may come of a file: then there is no item.
    session?.may.includes('read') === true && !message.includes('\n') ? keyByEvidence(design, entity, id) : undefined
  const isCalled = ({ entity }: Step) => hasLabel(design.form.entities[entity] ?? { kind: 'edge', key: ['', ''] })
  return (
    <Timeline active={steps.length} bulletSize={14} lineWidth={2} color={isBroken ? 'red' : 'teal'} component="ol" className="chain">
      {steps.map((step, index) => {
        const id = keyOf(step)
        return (
          <Timeline.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be of one item
            key={index}
            component="li"
            title={
              <Group gap="xs">
                {id !== undefined ? (
                  <ItemLink design={design.form.design} entity={step.entity} id={id}>
                    <Text span fw={600} size="md">
                      {words(step.step)}
                    </Text>
                  </ItemLink>
                ) : (
                  <Text fw={600}>{words(step.step)}</Text>
                )}
                {id !== undefined && isCalled(step) && <Called design={design} entity={step.entity} id={id} />}
                {words(step.entity).toLowerCase() !== words(step.step) && (
                  <Text size="sm" c="dimmed">
                    {words(step.entity)}
                  </Text>
                )}
                {step.state !== 'found' && (
                  <Badge color="red.9" size="sm">
                    {step.state}
                  </Badge>
                )}
              </Group>
            }
          >
            <Message message={step.message} />
            <Bounds as={step.as} />
          </Timeline.Item>
        )
      })}
    </Timeline>
  )
}

/** The flows that would mend a no, for whoever may run them. Asking again shows whether they did. */
function Mending({
  design,
  question,
  steps,
  again,
}: {
  readonly design: ToldDesign
  readonly question: Values
  readonly steps: readonly Step[]
  readonly again: () => unknown
}) {
  const { data: session } = useQuery(sessionQuery)
  const { data: flows = [] } = useQuery(flowsQuery(design.form.design, session))
  const all = steps.flatMap((step) => mendingFlows(flows, step, question))
  const offered = [...new Map(all.map((each) => [each.flow.name, each])).values()]
  if (offered.length === 0) return null
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        What would mend it
      </Title>
      <FlowButtons design={design} flows={offered} done={again} />
    </div>
  )
}

/** The answer, large, and what it rests on. */
export function Decision({ design, question }: { readonly design: ToldDesign; readonly question: Values }) {
  const { form } = design
  const asked = useQuery({
    ...askedNow,
    queryKey: ['why', form.design, question],
    // The client has checked its form.
    queryFn: async ({ signal }) => (await designClient(form.design).why(question, { signal, consistency: 'strong' })) as Explained,
  })
  if (asked.isPending) return <Waiting of="the answer" />
  if (asked.isError) return <Failed error={asked.error} again={asked.refetch} />
  const { allowed, reason, chains, missing } = asked.data
  const isFault = reason?.kind === 'fault'
  const color = allowed ? 'teal' : isFault ? 'yellow' : 'red'
  return (
    <Stack>
      <Paper withBorder p="lg" style={{ borderInlineStart: `6px solid var(--mantine-color-${color}-6)` }}>
        <Group justify="space-between" align="flex-start">
          <Title order={2} fz={44} lh={1.1}>
            {allowed ? 'Yes' : isFault ? 'No answer, so no' : 'No'}
          </Title>
          {!isFault && <SaveQuestion design={form.design} ask="can" question={question} answer={asked.data} />}
        </Group>
        <Text size="lg" mt={4}>
          <Told
            text={
              reason?.message ??
              (chains.length > 1 ? `It is allowed in ${chains.length} ways.` : 'It is allowed, as each step below shows.')
            }
          />
        </Text>
      </Paper>
      {chains.length === 1 && <Chain design={design} steps={chains[0] ?? []} isBroken={false} />}
      {chains.length > 1 && (
        <Tabs defaultValue="0" keepMounted={false}>
          <Tabs.List mb="md">
            {chains.map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a way has no name
              <Tabs.Tab key={index} value={`${index}`}>
                Way {index + 1}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {chains.map((chain, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a way has no name
            <Tabs.Panel key={index} value={`${index}`}>
              <Chain design={design} steps={chain} isBroken={false} />
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
      {!allowed && missing.length > 0 && (
        <>
          <Title order={3} size="h5">
            {missing.length === 1 ? 'Where it broke' : 'Each way that was tried, and where it broke'}
          </Title>
          <Chain design={design} steps={missing} isBroken />
          <Mending {...{ design, question }} steps={missing} again={asked.refetch} />
        </>
      )}
    </Stack>
  )
}
