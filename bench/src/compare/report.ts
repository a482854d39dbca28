import { median } from '../measure.js'
import type { Counted } from './side.js'

/** More than this counts as dearer: less is within what two runs of the same build differ by. */
export const ratioMax = 1.1

/** What was seen of an operation, first with the other commit and then with this tree. Runs that belong together have the same place. */
export interface Seen {
  readonly operation: string
  readonly cpu_us: readonly [number[], number[]]
  readonly counts: readonly [readonly Counted[], readonly Counted[]]
  /** Why one of them cannot do it. */
  readonly failures: readonly [string | undefined, string | undefined]
}

export interface Line {
  readonly text: string
  /** This tree takes more CPU than `ratioMax` allows, or lacks the operation. */
  readonly isWorse: boolean
}

const widths = [34, 10, 10, 8, 18, 16, 14, 18, 18] as const
const absent = 'absent'
const units = [
  ['round trips', 'roundTrips'],
  ['requests', 'requests'],
  ['read units', 'readUnits'],
  ['write units', 'writeUnits'],
] as const

function line(cells: readonly string[]): string {
  return cells
    .map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index] ?? 0)))
    .join('')
    .trimEnd()
}

export function heading(): string {
  return line(['CPU of one in microseconds', 'commit', 'this tree', 'ratio', 'of pairs', ...units.map(([title]) => title)])
}

/** Each value that was counted: one, where every run costs the same. */
function valuesOf(counts: readonly Counted[], unit: (typeof units)[number][1]): string {
  return [...new Set(counts.map((each) => each[unit]))].sort((a, b) => a - b).join('/')
}

/** One where both sides count the same, else both. */
function countsOf({ counts: [other, own], failures }: Seen): readonly string[] {
  return units.map(([, unit]) => {
    const both = [valuesOf(other, unit), valuesOf(own, unit)]
    const known = both.filter((_, side) => failures[side] === undefined)
    return [...new Set(known)].join(' > ')
  })
}

export function reportLine(seen: Seen): Line {
  const { operation, cpu_us, failures } = seen
  const [other, own] = cpu_us
  const counts = countsOf(seen)
  const [otherText, ownText] = cpu_us.map((each, side) => (failures[side] === undefined ? median(each).toFixed(0) : absent))
  if (failures.some((failure) => failure !== undefined)) {
    const isWorse = failures[1] !== undefined
    return { text: line([operation, otherText ?? '', ownText ?? '', '', '', ...counts, isWorse ? '  <- absent' : '']), isWorse }
  }
  const pairs = own.map((each, run) => each / (other[run] ?? Number.NaN))
  const ratio = median(pairs)
  const spread = `${Math.min(...pairs).toFixed(2)} to ${Math.max(...pairs).toFixed(2)}`
  const isWorse = ratio > ratioMax
  const marks = [...(isWorse ? ['more CPU'] : []), ...(counts.some((text) => text.includes('>')) ? ['counts differ'] : [])]
  const mark = marks.length === 0 ? '' : `  <- ${marks.join(', ')}`
  return { text: line([operation, otherText ?? '', ownText ?? '', ratio.toFixed(2), spread, ...counts, mark]), isWorse }
}
