import { Button, Collapse, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { designQuery, sessionQuery } from '../app/service.ts'
import { Failed, Nothing, Waiting } from '../app/states.tsx'
import type { ToldDesign, ToldField } from '../app/told.ts'
import { Tour } from '../tour/tour.tsx'
import { addressOf } from './address-of.ts'
import { Decision } from './decision.tsx'
import { FieldInput } from './field-input.tsx'
import { ListAnswer } from './list-answer.tsx'
import { type Asking, askings, questionOf, sentenceOf, wordsOf } from './sentence.ts'

type Filled = Readonly<Record<string, string>>

/** Questions that work on the sample, for people who are here for the first time. */
function Examples({ design, pick }: { readonly design: ToldDesign; readonly pick: (address: Filled) => void }) {
  const [first] = design.examples
  if (first === undefined)
    return (
      <Nothing title="Ask something">
        Fill in the sentence. A name is searched by what the design can look up; an id is taken as it is.
      </Nothing>
    )
  return (
    <Stack gap="xs" align="flex-start">
      <Group>
        <Title order={2} size="h5">
          Try one of these
        </Title>
        <Button variant="subtle" size="compact-sm" onClick={() => pick({ ...addressOf(design, first), tour: '1' })}>
          Take the tour
        </Button>
      </Group>
      {design.examples.map((example) => (
        <Button
          key={example.title}
          variant="default"
          size="sm"
          h="auto"
          py={7}
          styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
          onClick={() => pick(addressOf(design, example))}
        >
          {example.title}
        </Button>
      ))}
    </Stack>
  )
}

function Sentence({
  design,
  asking,
  filled,
  canSearch,
  ask,
}: {
  readonly design: ToldDesign
  readonly asking: Asking
  readonly filled: Filled
  readonly canSearch: boolean
  readonly ask: (filled: Filled) => void
}) {
  const [given, setGiven] = useState(filled)
  const [wanted, setWanted] = useState<readonly string[]>([])
  const [isOpen, { toggle }] = useDisclosure(false)
  // Another address, by Back or by an example, is another question.
  const address = JSON.stringify(filled)
  useEffect(() => setGiven(JSON.parse(address)), [address])
  const sentence = sentenceOf(design, asking)
  const fields = design.questions[asking] ?? []
  const { wrong, missing } = questionOf(fields, given)
  const inputOf = (field: ToldField) => (
    <FieldInput
      key={field.name}
      {...{ design, field, canSearch, filled: given }}
      value={given[field.name] ?? ''}
      error={
        wrong.includes(field.name)
          ? 'This is not JSON.'
          : wanted.includes(field.name) && missing.includes(field.name)
            ? 'Fill this in.'
            : undefined
      }
      onChange={(value) => setGiven((before) => ({ ...before, [field.name]: value }))}
    />
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setWanted(missing)
    if (wrong.length === 0 && missing.length === 0)
      ask(Object.fromEntries(fields.flatMap(({ name }) => (given[name] ? [[name, given[name]]] : []))))
  }
  const always = sentence.more.filter(({ name, required }) => required || (filled[name] ?? '') !== '')
  const hidden = sentence.more.filter((field) => !always.includes(field))
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Group gap="md" align="flex-start">
          {wordsOf[asking].parts.map(([words, part]) =>
            sentence[part].length === 0 ? null : (
              <Group key={part} gap="sm" align="flex-start" w={{ base: '100%', sm: 'auto' }}>
                <Text fw={600} size="lg" mt={{ base: 0, sm: 27 }} w={{ base: '100%', sm: 'auto' }} className="nowrap">
                  {words}
                </Text>
                {sentence[part].map(inputOf)}
              </Group>
            ),
          )}
        </Group>
        {always.length > 0 && <Group align="flex-start">{always.map(inputOf)}</Group>}
        {hidden.length > 0 && (
          <Collapse expanded={isOpen}>
            <Group align="flex-start">{hidden.map(inputOf)}</Group>
          </Collapse>
        )}
        <Group>
          <Button type="submit">Ask</Button>
          {hidden.length > 0 && (
            <Button variant="subtle" onClick={toggle} aria-expanded={isOpen}>
              {isOpen ? 'Less' : 'More'}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** Ask: may this user do this here, and why? The same for what, who and where. */
export function AskScreen() {
  const { design: name } = useParams({ from: '/$design/ask' })
  const { asked, tour: _tour, ...filled } = useSearch({ from: '/$design/ask' })
  const navigate = useNavigate({ from: '/$design/ask' })
  const told = useQuery(designQuery(name))
  const { data: session } = useQuery(sessionQuery)
  if (told.isPending) return <Waiting of="the design" />
  if (told.isError) return <Failed error={told.error} again={told.refetch} />
  const design = told.data
  const asking = askings.find((each) => each === asked) ?? 'can'
  const fields = design.questions[asking] ?? []
  const { question, missing, wrong } = questionOf(fields, filled)
  const isAsked = Object.keys(filled).length > 0 && missing.length === 0 && wrong.length === 0
  const go = (search: Filled) => navigate({ search })
  if (fields.length === 0)
    return (
      <Nothing title="This design decides nothing">
        It has items and access patterns, and no access is declared for it, or its policies are not loaded.
      </Nothing>
    )
  return (
    <Stack maw={1120} gap="lg">
      <Title order={1} size="h2">
        Ask
      </Title>
      <Tour design={design} />
      <Paper withBorder p="md">
        <Stack>
          <SegmentedControl
            aria-label="The question"
            data={askings.filter((each) => design.questions[each] !== undefined).map((each) => ({ value: each, label: wordsOf[each].tab }))}
            value={asking}
            onChange={(next) => go({ ...filled, asked: next })}
            style={{ alignSelf: 'flex-start' }}
          />
          <Sentence
            key={`${name} ${asking}`}
            {...{ design, asking, filled }}
            canSearch={session?.may.includes('read') === true}
            ask={(next) => go({ asked: asking, ...next })}
          />
        </Stack>
      </Paper>
      <section aria-label="Answer" aria-live="polite">
        {!isAsked ? (
          <Examples design={design} pick={go} />
        ) : asking === 'can' ? (
          <Decision {...{ design, question }} />
        ) : (
          <ListAnswer {...{ design, asking, question }} />
        )}
      </section>
    </Stack>
  )
}
