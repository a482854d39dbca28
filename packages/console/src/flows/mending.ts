import { plain, type Values } from '../app/told.ts'
import { fitsKind } from '../ask/candidates.ts'
import { isEnd, type OfferedFlow, type ToldFlow, withoutId } from './told-flows.ts'

/** A step of evidence that does not hold. */
interface BrokenStep {
  readonly step: string
  readonly entity: string
  readonly state: string
  readonly id: Values
}
/** Flows without any more input that make an item inactive. */
const ending = /^(block|cancel|deactivate|disable|end|expire|lock|revoke|suspend)/

/** True for a flow that can make this step hold: it makes the item, gives it another end, makes it active, or changes the very thing that broke. */
function helps({ name, input, effect, writes = {} }: ToldFlow, { step, entity, state, id }: BrokenStep): boolean {
  if (effect !== 'write' || state === 'deleting' || state === 'malformed') return false
  // What makes another item of this kind, and takes nothing of this one, is no help.
  const isNamed = input.some(({ name, required }) => required && name in id)
  if (writes.create === entity && state !== 'inactive') return isNamed
  if (writes.update !== entity) return false
  if (input.some((each) => isEnd(each.name))) return state !== 'missing'
  const others = input.filter((each) => each.kind !== 'flag' && each.name !== 'version' && each.name !== 'id' && !each.required)
  if (state === 'inactive') return others.length === 0 && !ending.test(name)
  return plain(name).includes(plain(step)) || input.some((each) => [plain(step), `${plain(step)}s`].includes(plain(each.name)))
}

/**
 * The flows that make or change what a `no` lacks: an item of the entity of a step that broke, with the inputs that its evidence and the question tell.
 * The inputs of a question are called as those of flows, or with `id` behind.
 */
export function mendingFlows(flows: readonly ToldFlow[], step: BrokenStep, question: Values): readonly OfferedFlow[] {
  const known = new Map(Object.entries({ ...question, ...step.id }).map(([name, value]) => [withoutId(name), value]))
  /** A scope of several kinds is told by its kind and its id: `scope_type` and `scope_id`. */
  const scopeOf = (flow: ToldFlow, name: string): unknown => {
    const type = flow.input.find((each) => each.name === name.replace(/_?id$/i, '_type'))
    const kind = [...(type?.values ?? [])].reverse().find((each) => question[each] !== undefined)
    return kind === undefined ? undefined : name === type?.name ? kind : question[kind]
  }
  return flows
    .filter((flow) => helps(flow, step))
    .flatMap((flow) => {
      const given = flow.input.flatMap(({ name, kind }): [string, string][] => {
        const value = step.id[name] ?? (name === 'id' ? undefined : (known.get(withoutId(name)) ?? scopeOf(flow, name)))
        const isText = value !== undefined && value !== null && typeof value !== 'object'
        return isText && fitsKind(kind, String(value)) ? [[name, String(value)]] : []
      })
      const lacks = flow.input.filter(({ name, required }) => required && !given.some(([each]) => each === name))
      // A flow about something else of the item would not be tried: one that knows nothing of it is no help.
      return given.length === 0 ? [] : [{ flow, given: Object.fromEntries(given), lacks: lacks.length }]
    })
    .sort((one, other) => one.lacks - other.lacks)
    .slice(0, 4)
}
