import { Group, Progress, Table, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { ScrollTable } from '../app/scroll-table.tsx'
import { capital, words } from '../app/told.ts'
import { Instant } from '../app/value.tsx'
import { State } from './item-list.tsx'

/** A grant for a table: what is held, by what, and until when. */
export interface Held {
  readonly key: string
  readonly cells: Readonly<Record<string, ReactNode>>
  readonly from?: unknown
  readonly until?: unknown
  /** Buttons that change it. */
  readonly actions?: ReactNode
}

const dayForm = /^\d{4}-\d\d-\d\d$/
const day_ms = 86_400_000

/** A day counts whole. */
const atOf = (value: unknown, isEnd: boolean): number | undefined => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at + (isEnd && dayForm.test(String(value)) ? day_ms : 0)
}
const stateOf = (from: number | undefined, until: number | undefined, now: number) =>
  until !== undefined && until <= now ? 'ended' : from !== undefined && from > now ? 'not yet' : 'holds'

function Bound({ at, otherwise }: { readonly at: unknown; readonly otherwise: string }) {
  if (typeof at !== 'string') return otherwise
  return dayForm.test(at) ? at : <Instant at={at} />
}

/** From when until when, as a bar in the time of all rows; the line is now. */
function Span({
  from,
  until,
  begin,
  end,
  now,
}: {
  from: number | undefined
  until: number | undefined
  begin: number
  end: number
  now: number
}) {
  const share = (at: number) => Math.min(100, Math.max(0, ((at - begin) / (end - begin)) * 100))
  const [left, right] = [share(from ?? begin), share(until ?? end)]
  const state = stateOf(from, until, now)
  return (
    <div className="span" aria-hidden="true">
      <Progress.Root size={10} radius="sm">
        <Progress.Section value={left} color="transparent" />
        <Progress.Section
          value={Math.max(2, right - left)}
          color={state === 'holds' ? 'teal' : state === 'ended' ? 'gray.5' : 'indigo.3'}
        />
      </Progress.Root>
      <span className="now" style={{ insetInlineStart: `${share(now)}%` }} />
    </div>
  )
}

/** Grants on a time line. */
export function HeldTable({ rows, caption }: { readonly rows: readonly Held[]; readonly caption: string }) {
  const now = Date.now()
  const spans = rows.map(({ from, until }) => [atOf(from, false), atOf(until, true)] as const)
  const bounds = spans.flat().filter((at) => at !== undefined)
  // All that has no bound reaches a month beyond those that have one.
  const [begin, end] = [Math.min(now, ...bounds) - 30 * day_ms, Math.max(now, ...bounds) + 30 * day_ms]
  const canChange = rows.some(({ actions }) => actions !== undefined)
  const columns = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))]
  return (
    <ScrollTable caption={caption} minWidth={Math.max(520, 140 * (columns.length + 2))}>
      <Table.Thead>
        <Table.Tr>
          {[...columns, 'time', 'from – until'].map((column) => (
            <Table.Th key={column} className="nowrap">
              {capital(words(column))}
            </Table.Th>
          ))}
          {canChange && (
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells, from, until, actions }, index) => {
          const [begins, ends] = spans[index] ?? [undefined, undefined]
          const state = stateOf(begins, ends, now)
          return (
            <Table.Tr key={key}>
              {columns.map((column) => (
                <Table.Td key={column}>{cells[column]}</Table.Td>
              ))}
              <Table.Td miw={150}>
                <Group gap="xs" wrap="nowrap">
                  <Span from={begins} until={ends} {...{ begin, end, now }} />
                  <State state={state} />
                </Group>
              </Table.Td>
              <Table.Td className="nowrap">
                <Text size="sm">
                  <Bound at={from} otherwise="always" /> –
                </Text>
                <Text size="sm">
                  <Bound at={until} otherwise="no end" />
                </Text>
              </Table.Td>
              {canChange && <Table.Td miw={280}>{actions}</Table.Td>}
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </ScrollTable>
  )
}
