import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { ScrollTable } from './scroll-table.tsx'
import { type Values, words } from './told.ts'
import { Value } from './value.tsx'

/** Rows of values. Each column of any row is there once, in the order of their first use. */
export const columnsOf = (rows: readonly Values[], but: readonly string[] = []): readonly string[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !but.includes(name))

export interface ItemTableProps {
  readonly rows: readonly Values[]
  readonly columns: readonly string[]
  readonly caption: string
  /** In place of the value of a column. */
  readonly cell?: (row: Values, column: string) => ReactNode | undefined
}

export function ItemTable({ rows, columns, caption, cell }: ItemTableProps) {
  return (
    <ScrollTable caption={caption} minWidth={Math.min(1400, 140 * columns.length)} verticalSpacing={6} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column} className="nowrap">
              {words(column)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end
          <Table.Tr key={index}>
            {columns.map((column) => (
              <Table.Td key={column}>{cell?.(row, column) ?? <Value value={row[column]} />}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}
