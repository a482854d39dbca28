import type { Entry } from '../record.ts'
import type { RoundRecord, TableRecord } from '../run-round.ts'
import { checkAudit } from './check-audit.ts'
import { checkBounds } from './check-bounds.ts'
import { checkCounts } from './check-counts.ts'
import { checkOrder } from './check-order.ts'
import { checkPresence } from './check-presence.ts'
import { checkSeats } from './check-seats.ts'
import { checkGuesses, checkSignIns } from './check-sign-ins.ts'
import { checkTraces } from './check-traces.ts'
import { checkVersions } from './check-versions.ts'
import { checkWhole } from './check-whole.ts'
import { type Finding, lineOf } from './finding.ts'

export interface Checked {
  readonly findings: readonly Finding[]
  /** Histories too long to be searched through. */
  readonly undecided: number
}

function checkTable({ design, before, after }: TableRecord, entries: readonly Entry[]): Checked {
  const compared = { entries, before, after }
  const { findings, undecided } = checkOrder(compared)
  const others = [
    checkPresence(design, compared),
    checkVersions(compared),
    checkTraces(compared),
    checkCounts(compared),
    checkAudit(compared),
    checkSeats(compared),
    checkWhole(design, after),
  ]
  return { findings: [...others.flat(), ...findings], undecided }
}

/** All that is wrong with a round. */
export function checkRound({ entries, tables, bounds, findings }: RoundRecord): Checked {
  const checked = tables.map((table) =>
    checkTable(
      table,
      entries.filter(({ design }) => design === table.design.name),
    ),
  )
  return {
    findings: [
      ...findings,
      ...checkBounds(entries, bounds),
      ...checkSignIns(entries),
      ...checkGuesses(entries, tables),
      ...checked.flatMap((each) => each.findings),
    ],
    undecided: checked.reduce((sum, each) => sum + each.undecided, 0),
  }
}

/** Of each rule the first, so that none hides the others. */
export function shownOf(findings: readonly Finding[], ofEach: number): readonly Finding[] {
  const seen = new Map<string, number>()
  return findings.filter(({ rule }) => {
    const count = (seen.get(rule) ?? 0) + 1
    seen.set(rule, count)
    return count <= ofEach
  })
}

/** How many findings there are of each rule. */
export function summaryOf(findings: readonly Finding[]): string {
  const rules = findings.map(({ rule }) => rule)
  return [...new Set(rules)].map((rule) => `${rule} ${rules.filter((each) => each === rule).length}`).join('; ')
}

/** Calls of the item that a finding shows before those that it is about, and after them; the last of an item, where it is about all. */
const shown = { before: 20, after: 6, last: 40 } as const

/** The calls of an item around those that show what is wrong. */
function around(calls: readonly Entry[], entries: readonly Entry[] | undefined): readonly Entry[] {
  const at = (entries ?? []).map((entry) => calls.indexOf(entry)).filter((index) => index >= 0)
  if (at.length === 0) return calls.slice(-shown.last)
  return calls.slice(Math.max(0, Math.min(...at) - shown.before), Math.max(...at) + shown.after + 1)
}

/** A finding with what is needed to understand it: the calls that named the item, and the item as it lies there. */
export function describeFinding({ rule, message, place, entries }: Finding, { entries: all, tables }: RoundRecord): string {
  const ofPlace = place === undefined ? [] : all.filter(({ touches }) => touches.some((touch) => touch.place === place))
  const calls = ofPlace.length > 0 ? around(ofPlace, entries) : (entries ?? [])
  const item = place === undefined ? undefined : tables.map(({ after }) => after.get(place)).find((each) => each !== undefined)
  const shownBy = entries === undefined || ofPlace.length === 0 ? [] : ['  shown by:', ...entries.map((entry) => `    ${lineOf(entry)}`)]
  return [
    `${rule}: ${message}`,
    ...shownBy,
    ...(calls.length > 0 ? ['  calls:', ...calls.map((entry) => `    ${lineOf(entry)}`)] : []),
    ...(place === undefined ? [] : [`  item: ${JSON.stringify(item) ?? 'none'}`]),
  ].join('\n')
}
