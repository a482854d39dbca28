import { Button, Group, Paper, Select, Stack, Text, TextInput, Timeline, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { columnsOf } from '../app/item-table.tsx'
import { instantOf, localOf } from '../app/local-time.ts'
import { designClient, designQuery, sessionQuery } from '../app/service.ts'
import { Failed, Further, Nothing, Waiting } from '../app/states.tsx'
import { isOpenTo, type ToldDesign, type ToldPattern, type Values, words } from '../app/told.ts'
import { useList } from '../app/use-list.ts'
import { csvOf, download } from '../ask/csv.ts'
import { Searched } from '../ask/field-input.tsx'
import { Entry } from './entry.tsx'
import { entityOfParameter, recordPatterns, toldOf } from './records.ts'

type Given = Readonly<Record<string, string>>

const day_ms = 86_400_000
const isTime = (name: string): boolean => name === 'from' || name === 'to'
const parametersOf = ({ parameters = [], optional = [] }: ToldPattern) => [...parameters, ...optional]
/** Unless the address says otherwise: the last 30 days, and what is still to come of this one. */
const lately = (): Given => ({
  from: new Date(Date.now() - 30 * day_ms).toISOString(),
  to: new Date(Date.now() + day_ms).toISOString(),
})

function Parameters({
  design,
  pattern,
  given,
  ask,
}: {
  readonly design: ToldDesign
  readonly pattern: ToldPattern
  readonly given: Given
  readonly ask: (given: Given) => void
}) {
  const names = parametersOf(pattern)
  const [filled, setFilled] = useState<Given>(given)
  const change = (name: string, value: string) => setFilled((before) => ({ ...before, [name]: value }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask(filled)
  }
  if (names.length === 0) return null
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-start">
        {names.map((name) =>
          isTime(name) ? (
            <TextInput
              key={name}
              label={words(name)}
              type="datetime-local"
              w={{ base: '100%', xs: 220 }}
              value={localOf(filled[name] ?? '')}
              onChange={({ currentTarget: { value } }) => change(name, instantOf(value))}
            />
          ) : (
            <Searched
              key={name}
              {...{ design, filled }}
              field={{ name, kind: 'text', required: true }}
              byId={entityOfParameter(design, name)}
              value={filled[name] ?? ''}
              canSearch
              onChange={(value) => change(name, value)}
            />
          ),
        )}
        <Button type="submit" mt={{ base: 0, xs: 25 }}>
          Show
        </Button>
      </Group>
    </form>
  )
}

/** The records of one list, the recent ones first where the design lists them so, a page at a time. */
function Records({
  design,
  name,
  given,
  kind,
  narrow,
}: {
  readonly design: ToldDesign
  readonly name: string
  readonly given: Given
  readonly kind: string
  readonly narrow: (kind: string | null) => void
}) {
  const client = designClient(design.form.design)
  const list = useList(design, { pattern: name, parameters: given })
  const save = useMutation({
    mutationFn: async () => {
      const rows: Values[] = []
      for await (const item of client.allOfPattern(name, given)) rows.push(item)
      download(`${design.form.design}-${name}.csv`, csvOf(columnsOf(rows), rows))
    },
  })
  if (list.isPending) return <Waiting of="what happened" />
  if (list.isError && list.data === undefined) return <Failed error={list.error} again={list.refetch} />
  const all = (list.data?.pages ?? []).flatMap(({ items }) => items)
  const kinds = [...new Set(all.map((record) => toldOf(record).act))].sort()
  const shown = kind === '' ? all : all.filter((record) => toldOf(record).act === kind)
  if (all.length === 0 && !list.hasNextPage) return <Nothing title="Nothing happened">No record is in this list for these values.</Nothing>
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Group align="flex-end">
          <Select
            label="Kind"
            placeholder="all"
            clearable
            searchable
            data={kinds.includes(kind) || kind === '' ? kinds : [kind, ...kinds]}
            value={kind === '' ? null : kind}
            onChange={narrow}
            w={220}
          />
          <Text size="sm" c="dimmed" role="status" pb={8}>
            {shown.length} of {all.length}
            {list.hasNextPage ? ', and more' : ''}
          </Text>
        </Group>
        <Button variant="default" size="sm" loading={save.isPending} onClick={() => save.mutate()}>
          Save as CSV
        </Button>
      </Group>
      {save.isError && <Failed error={save.error} />}
      {shown.length === 0 && <Nothing title="None of this kind">None of those read so far. There may be more further back.</Nothing>}
      <Timeline active={shown.length} bulletSize={12} lineWidth={2} component="ol" className="chain">
        {shown.map((record, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: records are only added at the end
          <Entry key={index} design={design} record={record} />
        ))}
      </Timeline>
      <Further list={list} />
    </Stack>
  )
}

/** Audit: what happened, by whom, to what, with before and after. Each list of records that the design has is one. */
export function AuditScreen() {
  const { design: name } = useParams({ from: '/$design/audit' })
  const { by, kind = '', ...search } = useSearch({ from: '/$design/audit' })
  const navigate = useNavigate({ from: '/$design/audit' })
  const told = useQuery(designQuery(name))
  const { data: session } = useQuery(sessionQuery)
  const [times] = useState(lately)
  if (told.isPending) return <Waiting of="the design" />
  if (told.isError) return <Failed error={told.error} again={told.refetch} />
  const design = told.data
  const tenant = session?.tenant
  const patterns = recordPatterns(design).filter(([each]) => isOpenTo(tenant, design, each))
  const known = (each: string) => search[each] || (isTime(each) ? times[each] : each === design.form.tenants?.by ? tenant : '')
  const lackedBy = ({ parameters = [] }: ToldPattern) => parameters.filter((each) => !known(each))
  // A session of one tenant begins with what happened in it.
  const first = tenant === undefined ? undefined : patterns.find(([, each]) => lackedBy(each).length === 0)
  const [chosen, pattern] = patterns.find(([each]) => each === by) ?? first ?? patterns[0] ?? []
  if (chosen === undefined || pattern === undefined)
    return (
      <Nothing title="This design keeps no record">
        It has no entity that is only added to, with a list of its items. The log of the service may tell what happened.
      </Nothing>
    )
  const given = Object.fromEntries(
    parametersOf(pattern).flatMap((each) => {
      const value = known(each)
      return value ? [[each, value]] : []
    }),
  )
  const lacks = lackedBy(pattern)
  return (
    <Stack maw={1120}>
      <Title order={1} size="h2">
        Audit
      </Title>
      <Paper withBorder p="md">
        <Stack>
          <Select
            label="List"
            data={patterns.map(([each]) => ({ value: each, label: words(each) }))}
            value={chosen}
            allowDeselect={false}
            w={{ base: '100%', xs: 320 }}
            onChange={(next) => next !== null && navigate({ search: { by: next } })}
          />
          <Parameters
            key={`${chosen} ${JSON.stringify(search)}`}
            {...{ design, pattern, given }}
            ask={(next) => navigate({ search: { by: chosen, ...next } })}
          />
        </Stack>
      </Paper>
      {lacks.length > 0 ? (
        <Nothing title="What happened">Fill in {lacks.map(words).join(' and ')}, and see who changed what.</Nothing>
      ) : (
        <Records
          key={`${name} ${chosen}`}
          {...{ design, given, kind }}
          name={chosen}
          narrow={(next) => navigate({ search: { by: chosen, ...search, ...(next === null ? {} : { kind: next }) } })}
        />
      )}
    </Stack>
  )
}
