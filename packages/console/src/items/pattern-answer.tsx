import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { columnsOf, ItemTable } from '../app/item-table.tsx'
import { sessionQuery } from '../app/service.ts'
import { Failed, Further, Nothing, Waiting } from '../app/states.tsx'
import { entityOf, keyOf, labelOf, type ToldDesign, type Values, words } from '../app/told.ts'
import { useList } from '../app/use-list.ts'
import { ItemLink } from '../app/value.tsx'

const hidden = ['Type', 'entity', 'version']

/** What an access pattern reads, a page at a time, each item with a link to its page. */
export function PatternAnswer({
  design,
  name,
  parameters,
}: {
  readonly design: ToldDesign
  readonly name: string
  readonly parameters: Values
}) {
  const { data: session } = useQuery(sessionQuery)
  const list = useList(design, { pattern: name, parameters })
  if (list.isPending) return <Waiting of={words(name)} />
  if (list.isError && list.data === undefined) return <Failed error={list.error} again={list.refetch} />
  const rows = (list.data?.pages ?? []).flatMap(({ items }) => items)
  if (rows.length === 0 && !list.hasNextPage) return <Nothing title="No items">The request finds nothing with these values.</Nothing>
  const columns = ['item', ...columnsOf(rows, hidden)]
  const itemCell = (row: Values) => {
    const entity = entityOf(row)
    const id = keyOf(design, entity, row)
    if (id === undefined || session?.may.includes('read') !== true) return <Text size="sm">{words(entity)}</Text>
    return (
      <ItemLink design={design.form.design} entity={entity} id={id}>
        <bdi className="nowrap">{(labelOf(row) ?? words(entity)).slice(0, 60)}</bdi>
      </ItemLink>
    )
  }
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {rows.length} {rows.length === 1 ? 'item' : 'items'}
        {list.hasNextPage ? ', and more' : ''}
      </Text>
      <ItemTable
        rows={rows}
        columns={columns}
        caption={words(name)}
        cell={(row, column) => (column === 'item' ? itemCell(row) : undefined)}
      />
      <Further list={list} />
    </Stack>
  )
}
