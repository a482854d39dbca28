import { Badge, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ItemTable } from '../app/item-table.tsx'
import { Failed, Further, Waiting } from '../app/states.tsx'
import { keyOf, ownKey, type ToldDesign, textOf, type Values, words } from '../app/told.ts'
import { useList } from '../app/use-list.ts'
import { Value } from '../app/value.tsx'
import { columnsFor, copiedLabel, type Lead, type List, leadsTo, pluralOf, usedOf } from './lists.ts'
import { calledBy, Named, PageLink } from './named.tsx'

const good = /^(active|open|accepted|success|sent|trial|holds)$/i
const bad = /^(suspended|disabled|blocked|expired|inactive|revoked|failed|failure|error|withdrawn|closed|ended)$/i

/** A word of few, by its meaning. The text says it, too. */
export function State({ state }: { readonly state: string }) {
  return (
    <Badge variant="dot" miw="max-content" color={good.test(state) ? 'teal' : bad.test(state) ? 'red' : 'gray'}>
      {state}
    </Badge>
  )
}

/** The name of an item as a link; one that stands for another by that one's name. */
export function Called({ design, of, row }: { readonly design: ToldDesign; readonly of: string; readonly row: Values }): ReactNode {
  const label = calledBy(design, of, row) ?? textOf(row[ownKey(design, of) ?? ''])
  const id = keyOf(design, of, row)
  if (id === undefined) return <bdi className="whole">{label}</bdi>
  return (
    <PageLink design={design} entity={of} id={id}>
      <bdi className="whole">{label}</bdi>
    </PageLink>
  )
}

/** How much of a number is used, where an attribute beside it tells that. */
function Used({ of, used, name }: { readonly of: number; readonly used: number; readonly name: string }) {
  return (
    <Group gap="xs" wrap="nowrap" miw={150}>
      <Progress
        value={of === 0 ? 0 : (100 * used) / of}
        color={used >= of ? 'red' : 'teal'}
        size={10}
        flex={1}
        aria-label={`${name} in use`}
      />
      <Text size="sm" className="nowrap">
        {used} of {of}
      </Text>
    </Group>
  )
}

/** A list of items of one kind: the name, and what says most about each. It asks for nothing but its pages, however many there are. */
export function ItemList({ design, list, empty }: { readonly design: ToldDesign; readonly list: List; readonly empty: ReactNode }) {
  const { of } = list
  const read = useList(design, list)
  if (read.isPending) return <Waiting of="the list" />
  if (read.isError && read.data === undefined) return <Failed error={read.error} again={read.refetch} />
  const rows = read.data?.pages.flatMap(({ items }) => items) ?? []
  if (rows.length === 0 && !read.hasNextPage) return <>{empty}</>
  const own = ownKey(design, of) ?? ''
  const isCalledById = rows.every((row) => calledBy(design, of, row) === textOf(row[own]))
  const columns = ['name', ...columnsFor(design, of, rows, 4), ...(isCalledById ? [] : [own])]
  const kinds = design.form.entities[of]?.attributes ?? {}
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {rows.length} {rows.length === 1 ? words(of).toLowerCase() : pluralOf(of)}
        {read.hasNextPage ? ', and more' : ''}
      </Text>
      <Paper withBorder>
        <ItemTable
          rows={rows.map((row) => ({ ...row, name: row.name ?? '' }))}
          columns={columns}
          caption={of}
          cell={(row, column) =>
            column === 'name' ? (
              <Called {...{ design, of, row }} />
            ) : kinds[column]?.kind === 'enum' && typeof row[column] === 'string' ? (
              <State state={row[column]} />
            ) : usedOf(design, of, column) !== undefined && typeof row[column] === 'number' ? (
              <Used of={row[column]} used={Number(row[usedOf(design, of, column) ?? ''] ?? 0)} name={column} />
            ) : (
              <Value value={row[column]} />
            )
          }
        />
      </Paper>
      <Further list={read} />
    </Stack>
  )
}

/** What a row of another kind leads to: its own copy of the name, or the name that is looked up. */
export function LedTo({
  design,
  of,
  row,
  to,
}: {
  readonly design: ToldDesign
  readonly of: string
  readonly row: Values
  readonly to: string
}) {
  const leads: readonly Lead[] = leadsTo(design, of, row, to)
  return (
    <>
      {leads.map((lead) => {
        const label = copiedLabel(design, of, row, lead.attribute)
        return label !== undefined && lead.to === to ? (
          <PageLink key={textOf(Object.values(lead.id))} design={design} entity={to} id={lead.id}>
            <bdi className="whole">{label}</bdi>
          </PageLink>
        ) : (
          <Named key={textOf(Object.values(lead.id))} {...{ design, lead }} />
        )
      })}
    </>
  )
}
