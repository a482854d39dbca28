import type { Item } from '../../../packages/designs/test/model/parts.ts'
import { toldItem } from '../outcome-of.ts'
import type { Entry } from '../record.ts'
import { markersIn } from './check-traces.ts'
import type { Compared, Finding } from './finding.ts'
import { historiesOf } from './history.ts'
import { afterStep, type State, type Step, stateOf, stepsOn } from './steps.ts'

const rule = 'order'

/** States that one search looks at, at most. One that is given up is counted, and is no finding. */
const looksMax = 200_000

/** True where the item, as it lies there in the end, is what the last write left behind. */
function isAsFound(state: State, found: Item | undefined): boolean {
  if (state.is === 'absent' || found === undefined) return state.is === 'absent' && found === undefined
  if (state.is !== 'there' || state.version !== Number(found.version)) return false
  const { born = state.born } = toldItem(found)
  if (state.born !== undefined && state.born !== born) return false
  return state.marker === '' || markersIn(found).has(state.marker)
}

/** True where the call wrote its marker into the item itself, so that the item shows it. */
const marks = ({ entry }: Step): boolean => JSON.stringify(entry.input).includes(entry.marker)

export interface Ordered {
  readonly is: 'possible' | 'impossible' | 'undecided'
  /** The obstacle to an order: the call that ends first of those that fit no order. None if only the end does not fit. */
  readonly stuckAt: Entry | undefined
}

/** Whether steps in some order, each within its time, lead from one state to the other. */
export function orderOf(steps: readonly Step[], before: Item | undefined, found: Item | undefined): Ordered {
  const ordered = [...steps].sort((one, other) => one.from - other.from)
  const failed = new Set<string>()
  let looks = 0
  let furthest = Number.NEGATIVE_INFINITY
  let stuckAt: Entry | undefined

  const search = (state: State, done: bigint, latest: number): boolean | 'undecided' => {
    if (++looks > looksMax) return 'undecided'
    // A finished step comes before all that are still to begin: none of the steps that must come may be passed over.
    let earliestEnd = Number.POSITIVE_INFINITY
    let next: Step | undefined
    for (const [index, step] of ordered.entries()) {
      if (!step.isSure || (done & (1n << BigInt(index))) !== 0n || step.until > earliestEnd) continue
      next = step
      earliestEnd = step.until
    }
    if (earliestEnd > furthest) {
      furthest = earliestEnd
      stuckAt = next?.entry
    }
    // A removal that goes on for ever is a step that must come, too.
    if (next === undefined && isAsFound(state, found)) return true
    const key = `${done.toString(36)} ${JSON.stringify(state)}`
    if (failed.has(key)) return false
    for (const [index, step] of ordered.entries()) {
      if (step.from > earliestEnd) break
      if (step.until < latest || (done & (1n << BigInt(index))) !== 0n) continue
      if (needsMark(step) && !isMarkDone(ordered, step, done)) continue
      const after = afterStep(state, step)
      if (after === undefined) continue
      const answer = search(shownState(after, state, step), done | (1n << BigInt(index)), Math.max(latest, step.from))
      if (answer !== false) return answer
    }
    failed.add(key)
    return false
  }
  const answer = search(stateOf(before), 0n, Number.NEGATIVE_INFINITY)
  return { is: answer === 'undecided' ? answer : answer ? 'possible' : 'impossible', stuckAt }
}

/** The state after a step, with the marker of its call where the item shows that. */
function shownState(after: State, before: State, step: Step): State {
  if (after === before || after.is !== 'there' || step.kind === 'unmark' || marks(step)) return after
  return { ...after, marker: '' }
}

const needsMark = ({ kind }: Step): boolean => kind === 'go' || kind === 'unmark'

/** An item goes, or is unmarked, by the removal that has marked it, once. */
function isMarkDone(steps: readonly Step[], { entry, kind }: Step, done: bigint): boolean {
  let isMarked = false
  for (const [index, step] of steps.entries()) {
    if (step.entry !== entry || (done & (1n << BigInt(index))) === 0n) continue
    if (step.kind === 'mark') isMarked = true
    if (needsMark(step) && step.kind !== kind) return false
  }
  return isMarked
}

/**
 * The history of an item that only calls which name it write is one that single steps in some order explain, each between the beginning and the end
 * of its call, and the last of them left behind what lies there (Wing and Gong, 1993).
 */
export function checkOrder({ entries, before, after }: Compared): { readonly findings: Finding[]; readonly undecided: number } {
  const findings: Finding[] = []
  let undecided = 0
  for (const [place, { isAlone, calls }] of historiesOf(entries)) {
    if (!isAlone) continue
    const steps = calls.flatMap((entry) => stepsOn(place, entry))
    const { is, stuckAt } = orderOf(steps, before.get(place), after.get(place))
    if (is === 'undecided') undecided += 1
    if (is !== 'impossible') continue
    const message = `${place}: no order of its calls explains ${stuckAt === undefined ? 'what lies there in the end' : 'them up to the one shown'}`
    findings.push({ rule, place, message, ...(stuckAt === undefined ? {} : { entries: [stuckAt] }) })
  }
  return { findings, undecided }
}
