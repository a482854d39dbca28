import { Badge, Group, Paper, Stack, Table, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { ScrollTable } from '../app/scroll-table.tsx'
import { Nothing } from '../app/states.tsx'
import { words } from '../app/told.ts'
import type { Cell, Grid } from './grid.ts'

/** The sentence of a cell, for a tooltip and for a screen reader. */
const sentenceOf = ({ permission: { isAllowed, from }, wildcard }: Cell): string =>
  [isAllowed ? 'allowed' : 'denied', wildcard === undefined ? '' : `by ${wildcard}`, from === undefined ? '' : `inherited from ${from}`]
    .filter((part) => part !== '')
    .join(', ')

function Mark({ cell, isDangerous }: { readonly cell: Cell | undefined; readonly isDangerous: boolean }) {
  if (cell === undefined)
    return (
      <Text span c="dimmed" aria-hidden="true">
        ·
      </Text>
    )
  const { permission, wildcard } = cell
  const sign = permission.isAllowed ? (permission.from === undefined ? '✓' : '↑') : '✕'
  return (
    <Tooltip label={`${sentenceOf(cell)}${isDangerous ? ', dangerous' : ''}`}>
      <Badge
        variant={permission.from === undefined ? 'filled' : 'outline'}
        color={permission.isAllowed ? (isDangerous ? 'red.9' : 'teal.9') : 'gray.8'}
        className={permission.from === undefined ? '' : 'inherited'}
      >
        <span aria-hidden="true">
          {sign}
          {wildcard === undefined ? '' : ' *'}
          {isDangerous ? ' !' : ''}
        </span>
        <VisuallyHidden>{`${sentenceOf(cell)}${isDangerous ? ', dangerous' : ''}`}</VisuallyHidden>
      </Badge>
    </Tooltip>
  )
}

/** What may be done with what: rows of modules and resources, columns of actions. */
export function RoleGrid({ grid, titles, caption }: { readonly grid: Grid; readonly titles: readonly string[]; readonly caption: string }) {
  const { rows, columns } = grid
  if (rows.length === 0) return <Nothing title="It allows nothing">No permission is given to it, and it inherits none.</Nothing>
  const cells = rows.flatMap((row) => columns.flatMap((column) => grid.cellOf(row, column) ?? []))
  const legend = [
    ['✓', 'allowed', true],
    ['↑', 'inherited', cells.some(({ permission }) => permission.from !== undefined)],
    ['*', 'by a wildcard', cells.some(({ wildcard }) => wildcard !== undefined)],
    ['!', 'dangerous', rows.some((row) => columns.some((column) => grid.isDangerous(row, column)))],
    ['✕', 'denied', cells.some(({ permission }) => !permission.isAllowed)],
  ] as const
  return (
    <Stack gap="xs">
      <Paper withBorder>
        <ScrollTable caption={caption} minWidth={160 * titles.length + 84 * columns.length} verticalSpacing={6} withColumnBorders={false}>
          <Table.Thead>
            <Table.Tr>
              {titles.map((title) => (
                <Table.Th key={title}>{words(title)}</Table.Th>
              ))}
              {columns.map((column) => (
                <Table.Th key={column} ta="center">
                  <bdi>{column}</bdi>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.join('\n')}>
                {row.map((part, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one row
                  <Table.Td key={index}>
                    <bdi className="whole">{part}</bdi>
                  </Table.Td>
                ))}
                {columns.map((column) => (
                  <Table.Td key={column} ta="center">
                    <Mark cell={grid.cellOf(row, column)} isDangerous={grid.isDangerous(row, column)} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrollTable>
      </Paper>
      <Group gap="md" aria-hidden="true">
        {legend
          .filter(([, , isThere]) => isThere)
          .map(([sign, meaning]) => (
            <Text key={sign} size="xs" c="dimmed">
              {sign} {meaning}
            </Text>
          ))}
      </Group>
    </Stack>
  )
}
