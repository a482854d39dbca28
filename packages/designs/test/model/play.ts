import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type AnyDesign, type ConnectOptions, connect } from '@freehold/table'
import { ensureTable, type Sender } from '@freehold/table/runtime'
import { BoundedSender } from './bounded-sender.ts'
import { foresee } from './foresee.ts'
import { type Item, isDerived, placeOfItem, referencesOf, targetPlace } from './parts.ts'
import { type Outcome, perform } from './perform.ts'
import { rawItems } from './raw-items.ts'
import { idsOf, lineOf, type Step, writes } from './step.ts'
import { entityOf, type Foreseen, type World } from './world.ts'

/** Thrown where the table is not what the model is. */
export class Difference extends Error {}

/** In the order of their names, so that equal values look equal. */
function shown(value: unknown): string {
  const sorted = (_: string, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part
  return JSON.stringify(value, sorted) ?? 'nothing'
}

const sorted = (items: readonly Item[]) => items.map(shown).sort()

/** Items of one sort key come in any order. */
function isInOrder(groups: readonly (readonly Item[])[], items: readonly Item[]): boolean {
  let at = 0
  for (const group of groups) {
    if (!isDeepStrictEqual(sorted(group), sorted(items.slice(at, at + group.length)))) return false
    at += group.length
  }
  return at === items.length
}

function isForeseen({ verb }: Step, { codes, gives }: Foreseen, outcome: Outcome): boolean {
  if (outcome.code !== undefined) return codes.includes(outcome.code)
  if (codes.length > 0 && gives === undefined) return false
  // The model gives groups of items for a query, and the table a list of them.
  if (verb === 'query') return isInOrder(gives as Item[][], outcome.gives as Item[])
  return shown(gives) === shown(outcome.gives)
}

function differences(expected: ReadonlyMap<string, Item>, found: ReadonlyMap<string, Item>): string[] {
  const lines: string[] = []
  for (const [place, item] of expected) if (!found.has(place)) lines.push(`missing: ${shown(item)}`)
  for (const [place, item] of found) {
    const other = expected.get(place)
    if (other === undefined) lines.push(`left behind: ${shown(item)}`)
    else
      for (const name of new Set([...Object.keys(other), ...Object.keys(item)]))
        if (!Object.is(other[name], item[name]) && !isDeepStrictEqual(other[name], item[name]))
          lines.push(`${place}: ${name} expected ${shown(other[name])} got ${shown(item[name])}`)
  }
  return lines
}

/**
 * Items that refer to something that has gone, though they go with it. An item that refuses a removal refuses that of its target: it does not refuse
 * the removal of something above, which takes the target along.
 */
function dangling(world: World): string[] {
  return [...world.items.values()].flatMap((item) => {
    const entity = entityOf(world, item)
    const references = isDerived(entity) ? [] : referencesOf(entity).filter(({ onRemove }) => onRemove === 'cascade')
    const lost = references.filter((reference) => !world.items.has(targetPlace(reference, item) ?? placeOfItem(item)))
    return lost.map(({ attribute }) => `refers to nothing by ${attribute}: ${shown(item)}`)
  })
}

function check(step: Step, foreseen: Foreseen, outcome: Outcome): void {
  if (isForeseen(step, foreseen, outcome)) return
  const expected =
    foreseen.codes.length > 0
      ? foreseen.codes.join(' or ')
      : shown(step.verb === 'query' ? (foreseen.gives as Item[][]).flat() : foreseen.gives)
  const got = outcome.code === undefined ? shown(outcome.gives) : `${outcome.code}: ${outcome.message}`
  throw new Difference(`${lineOf(step)}\n  expected ${expected}\n  got      ${got}`)
}

const isWrite = ({ verb }: Step) => writes.some((write) => write === verb)

/** Told of each step that came out as foreseen. */
export type Watch = (step: Step, foreseen: Foreseen) => void

/** Does the steps on a table of their own and in a model, and compares what each gives, and the whole table after each write. Throws `Difference`. */
export async function play(design: AnyDesign, sender: Sender, steps: readonly Step[], watch: Watch): Promise<void> {
  let now = new Date(0)
  let ids = idsOf({ number: 0 })
  const bounded = new BoundedSender(sender)
  let world: World = { design, now: new Date(0), items: new Map() }
  const options: ConnectOptions = {
    table: `model-${randomUUID()}`,
    sender: bounded,
    now: () => now,
    ids: { uuid: () => ids.uuid(), ulid: () => ids.ulid() },
    random: () => 0.5,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
  }
  const table = connect(design, options)
  await ensureTable(table.runtime)
  for (const step of steps) {
    now = new Date(step.now)
    ids = idsOf(step)
    const foreseen = foresee(world, step)
    const outcome = await bounded
      .within(() => perform(table, step))
      .catch((error: unknown) => {
        throw new Difference(`${lineOf(step)}\n  threw ${error instanceof Error ? error.stack : String(error)}`)
      })
    check(step, foreseen, outcome)
    world = { ...world, items: foreseen.items }
    if (isWrite(step)) {
      const lines = [...differences(world.items, await rawItems(table.runtime)), ...dangling(world)]
      if (lines.length > 0) throw new Difference([lineOf(step), ...lines].join('\n  '))
    }
    watch(step, foreseen)
  }
}
