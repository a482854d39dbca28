import { Anchor, Button, Center, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { columnsOf, ItemTable } from '../app/item-table.tsx'
import { asked, designClient } from '../app/service.ts'
import { Failed, Further, Nothing, Waiting } from '../app/states.tsx'
import { labelOf, ownKey, type ToldDesign, textOf, type Values, words } from '../app/told.ts'
import { Value } from '../app/value.tsx'
import { PageLink } from '../people/named.tsx'
import { SaveQuestion } from '../saved/save-question.tsx'
import { entityOfField } from './candidates.ts'
import { csvOf, download } from './csv.ts'
import type { Asking } from './sentence.ts'

interface Page {
  readonly items: readonly Values[]
  readonly cursor?: string
  readonly malformed?: readonly Values[]
  readonly reason?: { readonly message: string }
}

const titles: Readonly<Record<Asking, string>> = { can: '', what: 'What is allowed', who: 'Who may', where: 'Where it is allowed' }

/** An action of several fields as one text, `devices:reboot:camera`; the basis of a row as the names that matter. */
function Cell({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return <Value value={value} />
  const isId = ([name]: readonly [string, unknown]) => /(^|_)ids?$|Id$/.test(name)
  const all = Object.entries(value)
  // Names say more than ids.
  const entries = [...all.filter((each) => !isId(each)), ...all.filter(isId)]
  if (entries.map(([name]) => name).join() === 'module,action,resource')
    return <Code>{entries.map(([, part]) => String(part)).join(':')}</Code>
  return (
    <Group gap="xs" miw={360}>
      {entries.map(([name, part]) => (
        <Text key={name} size="xs" component="span">
          <Text span c="dimmed">
            {words(name)}
          </Text>{' '}
          <Value value={part} />
        </Text>
      ))}
    </Group>
  )
}

/** The question that a row answers, for its reason: with the row's value for each field that the list was asked without. Undefined if a row has none. */
function reasonOf({ questions }: ToldDesign, question: Values, row: Values): Values | undefined {
  const own = (name: string) => {
    const value = row[name] ?? row[`${name}Id`] ?? row[`${name}_id`]
    return typeof value === 'object' && value !== null ? Object.values(value).join(':') : value
  }
  const entries = (questions.can ?? []).map(({ name, required }) => [name, question[name] ?? own(name), required] as const)
  return entries.some(([, value, required]) => required && value === undefined)
    ? undefined
    : Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, textOf(value)]])))
}

/** What, who or where: a page at a time, and by what each is so. */
export function ListAnswer({
  design,
  asking,
  question,
}: {
  readonly design: ToldDesign
  readonly asking: Exclude<Asking, 'can'>
  readonly question: Values
}) {
  const { form } = design
  const client = designClient(form.design)
  /** A person of the list leads to its page. */
  const cellOf = (row: Values, column: string) => {
    const person = design.people?.person ?? ''
    const value = row[column]
    if (typeof value !== 'string' || entityOfField(design, column) !== person) return <Cell value={value} />
    return (
      <PageLink design={design} entity={person} id={{ [ownKey(design, person) ?? '']: value }}>
        <bdi className="whole">{labelOf(row) ?? value}</bdi>
      </PageLink>
    )
  }
  const list = useInfiniteQuery({
    ...asked,
    queryKey: ['list', form.design, asking, question],
    queryFn: async ({ signal, pageParam }) =>
      // The client has checked its form.
      (await client.list(asking, question, { signal, limit: 50, ...(pageParam === '' ? {} : { cursor: pageParam }) })) as Page,
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
  })
  const save = useMutation({
    mutationFn: async () => {
      const rows: Values[] = []
      for await (const item of client.all(asking, question, { limit: 1000 })) rows.push(item)
      download(`${form.design}-${asking}.csv`, csvOf(columnsOf(rows), rows))
    },
  })
  if (list.isPending) return <Waiting of="the answer" />
  if (list.isError && list.data === undefined) return <Failed error={list.error} again={list.refetch} />
  const pages = list.data?.pages ?? []
  const rows = pages.flatMap(({ items }) => items)
  const reason = pages[0]?.reason
  const malformed = pages.reduce((count, page) => count + (page.malformed?.length ?? 0), 0)
  if (rows.length === 0 && !list.hasNextPage)
    return (
      <Paper withBorder p="lg">
        <Nothing title={asking === 'who' ? 'Nobody' : asking === 'what' ? 'Nothing' : 'Nowhere'}>
          {reason?.message ?? 'No grant leads there.'}
        </Nothing>
        <Center>
          <SaveQuestion design={form.design} ask={asking} question={question} answer={{ items: rows }} />
        </Center>
      </Paper>
    )
  const hasReasons = rows.every((row) => reasonOf(design, question, row) !== undefined)
  const columns = [...columnsOf(rows), ...(hasReasons ? ['why'] : [])]
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {titles[asking]}{' '}
          <Text span c="dimmed" fw={400}>
            {rows.length}
            {list.hasNextPage ? ' and more' : ''}
          </Text>
        </Title>
        <Group gap="xs">
          {!list.hasNextPage && <SaveQuestion design={form.design} ask={asking} question={question} answer={{ items: rows }} />}
          <Button variant="default" size="sm" loading={save.isPending} onClick={() => save.mutate()}>
            Save as CSV
          </Button>
        </Group>
      </Group>
      {save.isError && <Failed error={save.error} />}
      {malformed > 0 && <Failed error={new Error(`${malformed} items could not be read, and are left out.`)} />}
      <Paper withBorder>
        <ItemTable
          rows={rows}
          columns={columns}
          caption={titles[asking]}
          cell={(row, column) =>
            column === 'why' && hasReasons ? (
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/$design/ask"
                    params={{ design: form.design }}
                    search={{ asked: 'can', ...reasonOf(design, question, row) }}
                  />
                )}
              >
                Why
              </Anchor>
            ) : (
              cellOf(row, column)
            )
          }
        />
      </Paper>
      <Further list={list} />
    </Stack>
  )
}
