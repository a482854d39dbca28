import { ProblemError } from '@freehold/client'
import { Alert, Button, Code, Collapse, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { designClient, queries, sessionQuery } from '../app/service.ts'
import { Failed } from '../app/states.tsx'
import { capital, labelOf, type ToldDesign, textOf, type Values, words } from '../app/told.ts'
import { ActingAs } from './acting-as.tsx'
import { Conflict } from './conflict.tsx'
import { FlowField } from './flow-field.tsx'
import { FlowResult } from './flow-result.tsx'
import { Goes } from './goes.tsx'
import { useActing, useAnswers } from './permitted.ts'
import {
  isDangerous,
  isEnd,
  needsWords,
  paging,
  readAnew,
  sentOf,
  type ToldFlow,
  type ToldInput,
  targetOf,
  targetQuery,
} from './told-flows.ts'

type Given = Readonly<Record<string, string>>

/** The issues of a refusal by the input that they are of. */
function issuesOf(error: unknown): ReadonlyMap<string, string> {
  // The service describes these members.
  const { issues = [] } = (error instanceof ProblemError ? error.problem : {}) as {
    readonly issues?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]
  }
  return new Map(
    issues.map(({ path: [name = '', ...parts], message }) => [
      String(name),
      capital(`${[...parts.map((part) => (typeof part === 'number' ? `${part + 1}:` : words(part))), message].join(' ')}.`),
    ]),
  )
}

const isSecret = ({ input }: ToldFlow, name: string) => input.some((each) => each.name === name && each.secret === true)

export interface FlowFormProps {
  readonly design: ToldDesign
  readonly flow: ToldFlow
  /** Inputs that are known, as text. */
  readonly given?: Given | undefined
  /** The inputs of this step of a wizard, which goes on with `further`; without that the flow runs. */
  readonly only?: readonly string[] | undefined
  readonly further?: (() => void) | undefined
  /** Told what was written, or begun. */
  readonly done?: (result: Values | undefined) => void
}

/**
 * A form of any flow, drawn from its inputs. An item that the flow changes is read, so that the form begins with its values, writes only what differs, and is
 * refused where somebody else was faster.
 */
export function FlowForm({ design, flow, given: initial = {}, done, only, further }: FlowFormProps) {
  const { data: session } = useQuery(sessionQuery)
  // No link fills in a secret.
  const [given, setGiven] = useState<Given>(() => Object.fromEntries(Object.entries(initial).filter(([name]) => !isSecret(flow, name))))
  const as = useActing(design.form.design)
  const [named, setNamed] = useState('')
  const [isTried, setTried] = useState(false)
  const [isOpen, { toggle }] = useDisclosure(false)
  /** A lost answer is asked for again under the same key, so that nothing is done twice. */
  const key = useRef(crypto.randomUUID())
  const client = designClient(design.form.design)
  const inputs = flow.input.filter(({ name }) => ![...paging, 'version'].includes(name))
  const isHere = ({ name }: ToldInput) => only === undefined || only.includes(name)
  const takesVersion = flow.input.some(({ name }) => name === 'version')
  const mayRead = session?.may.includes('read') === true
  const entity = targetOf(flow)
  const found = targetQuery(design, entity, given)
  // The version that was seen stays, until somebody looks again.
  const target = useQuery({ ...found, enabled: found.enabled === true && mayRead, staleTime: Number.POSITIVE_INFINITY })
  const seen = target.data ?? undefined
  const isOfItem = ({ name }: ToldInput) =>
    flow.writes?.update !== undefined && design.form.entities[entity ?? '']?.attributes?.[name] !== undefined
  const former = (input: ToldInput) => (seen !== undefined && isOfItem(input) ? textOf(seen[input.name]) : '')
  const shown = (input: ToldInput) => given[input.name] ?? former(input)
  const missing = inputs.filter((input) => input.required && input.kind !== 'flag' && shown(input) === '').map(({ name }) => name)
  const isOperator = session?.purpose === 'operator'
  const label = seen === undefined ? undefined : labelOf(seen)
  const danger = isDangerous(flow)
  const mustName = danger && flow.writes?.remove !== undefined && label !== undefined

  /** The inputs that somebody filled in, if they differ from the item. An attribute whose input was emptied is removed. */
  const body = (): Values =>
    Object.fromEntries(
      inputs.flatMap((input): [string, unknown][] => {
        const { name, kind, required } = input
        const [text, was] = [given[name] ?? '', textOf(seen?.[name])]
        if (required) return [[name, sentOf(input, kind === 'flag' && text === '' ? 'false' : shown(input))]]
        const mayKeep = isOfItem(input)
        if (given[name] === undefined || (mayKeep && text === was)) return []
        if (text === '' || (kind === 'flag' && text === 'false' && was === '')) return mayKeep && was !== '' ? [[name, null]] : []
        return [[name, sentOf(input, text)]]
      }),
    )
  const call = (more: Values = {}) =>
    client.flow(
      flow.name,
      { ...body(), ...(takesVersion && seen !== undefined ? { version: seen.version } : {}), ...more },
      { ...(as === '' ? {} : { as }), idempotencyKey: key.current, isRead: flow.effect === 'read' },
    )
  const page = flow.input.some(({ name }) => name === 'limit') ? { limit: 50 } : {}
  const [now, setNow] = useState<Values | null | undefined>()
  const run = useMutation({
    mutationFn: async () => ({ result: await call(page), before: seen }),
    onMutate: () => setNow(undefined),
    onSuccess: async ({ result }) => {
      key.current = crypto.randomUUID()
      setNamed('')
      if (flow.effect === 'write') await readAnew()
      if (inputs.some(({ secret }) => secret === true))
        setGiven((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !isSecret(flow, name))))
      done?.(result)
    },
    onError: async (error) => {
      if (!(error instanceof ProblemError) || error.problem.uncertain === true) return
      key.current = crypto.randomUUID()
      if (error.code === 'VersionConflict' && seen !== undefined)
        setNow(await queries.fetchQuery({ ...found, queryKey: [...found.queryKey, 'now'], staleTime: 0 }).catch(() => undefined))
    },
  })
  const change = (name: string, value: string) => {
    key.current = crypto.randomUUID()
    run.reset()
    setNow(undefined)
    setGiven((before) => ({ ...before, [name]: value }))
  }
  const issues = issuesOf(run.error)
  const [asked] = useDebouncedValue(JSON.stringify(Object.fromEntries(inputs.map((input) => [input.name, shown(input)]))), 300)
  const [answer] = useAnswers(design.form.design, [{ flow, given: JSON.parse(asked) as Given }])
  // What is wrong with an input stands beside it once it is sent.
  const denial = answer?.lacks === undefined && answer?.reason?.code !== 'InvalidInput' ? answer?.reason?.message : undefined
  const isUncertain = run.error instanceof ProblemError && run.error.problem.uncertain === true
  const isBeside = issues.size > 0 && [...issues.keys()].every((name) => inputs.some((input) => input.name === name && isHere(input)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (further !== undefined) {
      if (here.some(({ name }) => missing.includes(name))) return
      setTried(false)
      further()
    } else if (missing.length === 0 && (isOperator || as !== '') && denial === undefined && (!mustName || named.trim() === label?.trim()))
      run.mutate()
  }
  const field = (input: ToldInput) => (
    <FlowField
      key={input.name}
      {...{ design, flow, input }}
      value={shown(input)}
      filled={given}
      canSearch={mayRead}
      error={issues.get(input.name) ?? (isTried && missing.includes(input.name) ? 'Fill this in.' : undefined)}
      onChange={(value) => change(input.name, value)}
    />
  )
  const isShown = (input: ToldInput) =>
    input.required ||
    (input.parts !== undefined && only !== undefined) ||
    initial[input.name] !== undefined ||
    issues.has(input.name) ||
    (seen !== undefined && isOfItem(input)) ||
    isEnd(input.name)
  const here = inputs.filter(isHere)
  const first = here.filter(isShown)
  const more = here.filter((input) => !isShown(input))
  const who = <ActingAs design={design.form.design} label="As the user" isWanted={isTried} />
  const isAlways = !isOperator || as !== ''
  const isOptional = more.length > 0 || !isAlways
  return (
    <Stack gap="md">
      <form onSubmit={submit} noValidate aria-label={words(flow.name)}>
        <Stack gap="sm">
          <div>
            <Text size="sm">{flow.summary}</Text>
            <Text size="sm" c="dimmed">
              {needsWords(flow)}
            </Text>
          </div>
          <Group align="flex-start">
            {isAlways && who}
            {first.map(field)}
          </Group>
          {isOptional && (
            <Collapse expanded={isOpen}>
              <Group align="flex-start">
                {more.map(field)}
                {!isAlways && who}
              </Group>
            </Collapse>
          )}
          {seen !== undefined && danger && entity !== undefined && <Goes design={design} entity={entity} item={seen} />}
          {mustName && (
            <TextInput
              label="Type its name"
              description={<Code className="whole">{label}</Code>}
              autoComplete="off"
              maw={420}
              value={named}
              onChange={({ currentTarget: { value } }) => setNamed(value)}
            />
          )}
          {denial !== undefined && (
            <Alert color="yellow" title={session?.person === undefined ? 'This user may not do this' : 'You may not do this'} role="status">
              <Text size="sm" className="whole">
                {denial}
              </Text>
            </Alert>
          )}
          {isUncertain && (
            <Alert color="yellow" title="Nobody knows whether it was done" role="alert">
              <Text size="sm">The answer was lost. Send it again: if it was done, nothing is done twice.</Text>
            </Alert>
          )}
          {now !== undefined && seen !== undefined && (
            <Conflict
              seen={seen}
              now={now}
              wanted={Object.fromEntries(Object.entries(given).filter(([name]) => !isSecret(flow, name)))}
              again={() => {
                queries.setQueryData(found.queryKey, now)
                setNow(undefined)
                run.reset()
              }}
            />
          )}
          {run.isError && !isUncertain && now === undefined && !isBeside && <Failed error={run.error} />}
          <Group>
            <Button
              type="submit"
              loading={run.isPending}
              disabled={denial !== undefined || (mustName && named.trim() !== label?.trim()) || now !== undefined}
              {...(danger ? { color: 'red' } : {})}
            >
              {further !== undefined ? 'Next' : isUncertain ? 'Send it again' : capital(words(flow.name))}
            </Button>
            {isOptional && (
              <Button variant="subtle" onClick={toggle} aria-expanded={isOpen}>
                {isOpen ? 'Less' : 'More'}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      {run.isSuccess && (
        <FlowResult {...{ design, flow }} result={run.data.result} before={run.data.before} next={(cursor) => call({ ...page, cursor })} />
      )}
    </Stack>
  )
}
