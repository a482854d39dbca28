import { Table } from '@mantine/core'
import { ScrollTable } from '../app/scroll-table.tsx'
import { type Values, words } from '../app/told.ts'
import { Value } from '../app/value.tsx'

interface AttributeTableProps {
  readonly label: string
  readonly names: readonly string[]
  /** A title, and the values of its column. */
  readonly columns: readonly (readonly [string, Values])[]
}

/** Attributes as rows, with a value of each in every column. */
export function AttributeTable({ label, names, columns }: AttributeTableProps) {
  return (
    <ScrollTable caption={label} minWidth={140 * columns.length} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          {['Attribute', ...columns.map(([title]) => title)].map((title) => (
            <Table.Th key={title}>{title}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {names.map((name) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{words(name)}</Table.Th>
            {columns.map(([title, values]) => (
              <Table.Td key={title}>
                <Value value={values[name]} />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}
