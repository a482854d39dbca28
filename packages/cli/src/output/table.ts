import CliTable from 'cli-table3'
import { safeText, shownValue, widthOf, wrapText } from './safe-text.ts'

const gap = 2
/** The smallest width of a wrapped column. */
const width_min = 16

const none = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
}
const lines = {
  ...none,
  left: '',
  'left-mid': '',
  mid: '─',
  'mid-mid': ' '.repeat(gap),
  right: '',
  'right-mid': '',
  middle: ' '.repeat(gap),
}

/**
 * Widths that fit into `columns`. The widest columns shrink first, each to at least `width_min`. Undefined if that is not enough.
 */
function fittingWidths(natural: readonly number[], columns: number): number[] | undefined {
  const widths = [...natural]
  const sum = () => widths.reduce((total, width) => total + width, 0) + gap * (widths.length - 1)
  while (sum() > columns) {
    const widest = widths.indexOf(Math.max(...widths))
    const width = widths[widest] ?? 0
    if (width <= width_min) return undefined
    widths[widest] = width - 1
  }
  return widths
}

function rendered(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new CliTable({
    head: [...head],
    chars: lines,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  })
  for (const row of rows) table.push([...row])
  return table
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

/** Rows as a list, with a line for each cell, for a table that would be too wide. */
function listed(head: readonly string[], rows: readonly (readonly string[])[], columns: number): string {
  const label = Math.max(...head.map(widthOf)) + gap
  const blocks = rows.map((row) =>
    head.flatMap((name, index) => {
      const cell = row[index] ?? ''
      if (cell === '') return []
      const [first = '', ...rest] = wrapText(cell, Math.max(columns - label, width_min))
      return [name + ' '.repeat(label - widthOf(name)) + first, ...rest.map((line) => ' '.repeat(label) + line)]
    }),
  )
  return blocks.map((block) => block.map((line) => `${line}\n`).join('')).join('\n')
}

/**
 * A table for a person, no wider than the terminal. Long cells are wrapped, and a table that is still too wide becomes a list. Cells are
 * made safe to print here.
 */
export function renderTable(head: readonly string[], rows: readonly (readonly unknown[])[], columns: number | undefined): string {
  const cells = rows.map((row) => row.map(shownValue))
  const natural = head.map((name, index) => cells.reduce((widest, row) => Math.max(widest, widthOf(row[index] ?? '')), widthOf(name)))
  if (columns === undefined) return rendered(head, cells)
  const widths = fittingWidths(natural, columns)
  if (widths === undefined) return listed(head, cells, columns)
  return rendered(
    head,
    cells.map((row) => row.map((cell, index) => wrapText(cell, widths[index] ?? cell.length).join('\n'))),
  )
}

type Item = Readonly<Record<string, unknown>>

/** Items as a table, with a column for each attribute of any of them. `Type` is left out if it is the same for all. */
export function renderItems(items: readonly Item[], columns: number | undefined): string {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const types = new Set(items.map(({ Type }) => Type))
  // The version comes last, since only writers need it.
  const shown = names.filter((name) => name !== 'version' && (name !== 'Type' || types.size > 1))
  if (names.includes('version')) shown.push('version')
  return renderTable(
    shown.map(safeText),
    items.map((item) => shown.map((name) => item[name])),
    columns,
  )
}

/** One item, with a line for each attribute. */
export function renderItem(item: Item, columns: number | undefined): string {
  const names = Object.keys(item)
  return listed(names.map(safeText), [names.map((name) => shownValue(item[name]))], columns ?? Number.POSITIVE_INFINITY)
}
