import { ProblemError } from '@freehold/client'
import { Anchor, Badge, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ItemTable } from '../app/item-table.tsx'
import { catalogueQuery, designQuery, service } from '../app/service.ts'
import { Failed, Nothing, Waiting } from '../app/states.tsx'
import { type Values, words } from '../app/told.ts'
import { recordPatterns } from '../audit/records.ts'

interface Told {
  readonly version: string
  readonly tables: readonly Values[]
  readonly jobs: readonly Values[]
}
/** Jobs go on while somebody looks. */
const refresh_ms = 5_000

/** Health is an answer, whether good or not: a table that fails is told with 503. */
async function health(signal: AbortSignal): Promise<Values> {
  try {
    return await service.health({ signal })
  } catch (error) {
    if (error instanceof ProblemError && error.problem.reading !== undefined) return error.problem
    throw error
  }
}

function Health() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => health(signal),
    refetchInterval: refresh_ms,
  })
  if (isPending) return <Waiting of="health" />
  if (error !== null) return <Failed error={error} again={refetch} />
  return (
    <Group role="status">
      {['reading', 'writing'].map((name) => (
        <Badge key={name} size="lg" color={data[name] === 'ok' ? 'teal.9' : 'red.9'}>
          {name}: {String(data[name])}
        </Badge>
      ))}
    </Group>
  )
}

/** Lists of what failed, by the access patterns that a design has for it. */
function FailedLists() {
  const { data: designs = [] } = useQuery(catalogueQuery)
  const told = useQueries({ queries: designs.map(({ name }) => designQuery(name)) })
  const lists = told.flatMap(({ data }) =>
    data === undefined
      ? []
      : recordPatterns(data).flatMap(([pattern]) => (/^failed/i.test(pattern) ? [[data.form.design, pattern] as const] : [])),
  )
  if (lists.length === 0) return <Nothing title="No list of failures">No design that is served lists what failed.</Nothing>
  return (
    <Stack gap={4}>
      {lists.map(([design, pattern]) => (
        <Anchor
          key={`${design} ${pattern}`}
          renderRoot={(props) => <Link {...props} to="/$design/audit" params={{ design }} search={{ by: pattern }} />}
        >
          {design}: {words(pattern)}
        </Anchor>
      ))}
    </Stack>
  )
}

/** Mails of a trial stay on this machine. A service that sends them has none. */
function Outbox() {
  const mails = useQuery({
    queryKey: ['outbox'],
    queryFn: ({ signal }) =>
      service
        .outbox({ signal })
        .catch((error: unknown) => {
          if (error instanceof ProblemError && error.status === 404) return undefined
          throw error
        })
        .then((found) => found ?? null),
  })
  if (mails.isPending) return <Waiting of="the mails" />
  if (mails.isError) return <Failed error={mails.error} again={mails.refetch} />
  if (mails.data === null) return <Nothing title="Mails are sent">This service keeps none of them here.</Nothing>
  if (mails.data.length === 0) return <Nothing title="No mail yet">Mails of a trial stay here in place of being sent.</Nothing>
  return <ItemTable rows={mails.data} columns={['sentAt', 'to', 'subject']} caption="Mails of a trial" />
}

/** Operation: what runs, and what failed. */
export function OperationScreen() {
  const told = useQuery({
    queryKey: ['operation'],
    // The service describes these members.
    queryFn: async ({ signal }) => (await service.operation({ signal })) as unknown as Told,
    refetchInterval: refresh_ms,
  })
  if (told.isPending) return <Waiting of="what runs" />
  if (told.isError) return <Failed error={told.error} again={told.refetch} />
  const { version, tables, jobs } = told.data
  return (
    <Stack maw={1120}>
      <div>
        <Title order={1} size="h2">
          Operation
        </Title>
        <Text c="dimmed" size="sm">
          Freehold {version}
        </Text>
      </div>
      <Health />
      <Title order={2} size="h4">
        Jobs
      </Title>
      <Paper withBorder>
        {jobs.length === 0 ? (
          <Nothing title="No job is open">Work that no transaction can hold is a durable job, and stands here until it is done.</Nothing>
        ) : (
          <ItemTable rows={jobs} columns={['design', 'kind', 'entity', 'state', 'done', 'createdAt']} caption="Jobs" />
        )}
      </Paper>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack gap="xs">
          <Title order={2} size="h4">
            Tables
          </Title>
          <Paper withBorder>
            <Table aria-label="Tables">
              <Table.Tbody>
                {tables.map(({ design, table }) => (
                  <Table.Tr key={String(design)}>
                    <Table.Td fw={600}>{String(design)}</Table.Td>
                    <Table.Td className="whole">{String(table)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Paper>
        </Stack>
        <Stack gap="xs">
          <Title order={2} size="h4">
            What failed
          </Title>
          <Paper withBorder p="sm">
            <FailedLists />
          </Paper>
        </Stack>
      </SimpleGrid>
      <Title order={2} size="h4">
        Mails
      </Title>
      <Paper withBorder>
        <Outbox />
      </Paper>
    </Stack>
  )
}
