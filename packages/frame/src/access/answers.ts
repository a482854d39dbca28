import { compareKeys, parallel } from '@freehold/table/runtime'
import type { AnswerPage, Can, Why } from '../decision/decision.ts'
import { explained, unusableAmong } from '../decision/evidence.ts'
import type { Listed } from '../decision/list.ts'
import { loadRecord } from '../decision/load.ts'
import { type Lookup, type Name, nameLookup, resolveNames } from '../decision/lookup.ts'
import { type LoadResult, type Unusable, wanted } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import { withoutAbsent } from '../decision/without-absent.ts'
import type { Declared, Node } from './declared.ts'
import { allowing, type Finding, lookingAt, type Pair } from './finding.ts'
import { readsOf } from './reads.ts'
import { closedReason, denial, missing, type Named, told } from './reason.ts'

/** A question as it was read. */
export interface Asked {
  readonly subject: Name
  readonly place: Name
  readonly action: string
}

/** The look-up of a subject or a place by an id, or by the text of its guard. */
export function lookupOf(sources: Sources, { entity, id, called }: Node, name: Name): Lookup<string> {
  if (called === undefined) return { guess: name.text, find: () => name.text }
  const load = (text: string) => loadRecord(sources, wanted(called.guard, { [called.by]: text }))
  // A guard has the key of its owner.
  return nameLookup(sources, entity.name, name, load, (item) => String(Object(item)[id]))
}

/** A subject at a place, and whether the names stand for something. */
export interface Looked {
  readonly names: readonly [subject: Named, place: Named]
  readonly unusable: readonly Unusable[]
  readonly finding: Finding | undefined
  /** All that was read: a yes needs none of it. */
  loaded(): readonly LoadResult<unknown>[]
}

/** One round trip with warm definitions. Cold, one more for what roles and groups say, for each reference up, and for a name that is looked up for the first time. */
export async function look(declared: Declared, sources: Sources, { subject, place }: Pick<Asked, 'subject' | 'place'>): Promise<Looked> {
  const read = async (pair: Pair) => {
    const reads = readsOf(sources)
    const looking = lookingAt(declared, sources, reads)
    const finding = await reads.settle(() => looking.find(pair))
    return { finding, loaded: reads.all }
  }
  const found = (
    ids: Partial<Pair>,
    unusable: readonly Unusable[],
    { finding, loaded = () => [] }: Partial<Awaited<ReturnType<typeof read>>> = {},
  ): Looked => ({
    names: [
      { node: declared.subject, name: subject, id: ids.subject, link: finding?.subject },
      { node: declared.place, name: place, id: ids.place, link: finding?.place },
    ],
    ...{ unusable, finding, loaded: () => [...unusable, ...loaded()] },
  })
  if (subject.by === 'id' && place.by === 'id') {
    const pair = { subject: subject.text, place: place.text }
    return found(pair, [], await read(pair))
  }
  const lookups = { subject: lookupOf(sources, declared.subject, subject), place: lookupOf(sources, declared.place, place) }
  // What hangs on a subject that is looked up is read one round trip later. By then it is known what lies above the place.
  let ahead: Promise<void> | undefined
  const readAhead = async (at: string): Promise<void> => {
    const reads = readsOf(sources)
    const looking = lookingAt(declared, sources, reads)
    await reads.settle(() => looking.placeAt(at))
    for (const route of declared.routes) looking.hubOf(route, at)
  }
  const { guess } = lookups.place
  const isAhead =
    lookups.subject.guess === undefined && guess !== undefined && declared.routes.some(({ references }) => references.length > 0)
  const [resolved] = await parallel(
    () => resolveNames(lookups, async (pair) => (ahead === undefined ? read(pair) : ahead.then(() => read(pair)))),
    () => {
      ahead = isAhead ? readAhead(guess) : undefined
      return ahead
    },
  )
  return found(resolved.ids, resolved.unusable, resolved.read)
}

const closedAt = ({ unusable, names }: Looked) => closedReason(unusable, names)

function verdict(declared: Declared, looked: Looked, chains: readonly unknown[], action: string): Can {
  if (chains.length > 0) return { allowed: true }
  return { allowed: false, reason: denial(declared, closedAt(looked), looked.finding, action, looked.loaded()) }
}

export async function can(declared: Declared, sources: Sources, asked: Asked): Promise<Can> {
  const looked = await look(declared, sources, asked)
  return verdict(declared, looked, looked.finding === undefined ? [] : allowing(looked.finding, asked.action), asked.action)
}

/** The same as `can`, by the same reads, with the items that it rests on. */
export async function why(declared: Declared, sources: Sources, asked: Asked): Promise<Why> {
  const looked = await look(declared, sources, asked)
  const { finding, unusable } = looked
  const chains = finding === undefined ? [] : allowing(finding, asked.action)
  return explained(
    verdict(declared, looked, chains, asked.action),
    chains,
    ({ links }) => links.map((link) => told(link, 'found')),
    () => (finding === undefined ? unusableAmong('name', unusable) : missing(declared, finding, asked.action)),
  )
}

/** All actions of a subject at a place, in the order of their names, each with the end of the grant that holds longest. The same round trips as `can`. */
export async function what(declared: Declared, sources: Sources, asked: Omit<Asked, 'action'>, list: Listed): Promise<AnswerPage<unknown>> {
  const looked = await look(declared, sources, asked)
  const { finding } = looked
  const items = declared.actions.flatMap((action) => {
    const [chain] = finding === undefined ? [] : allowing(finding, action)
    const isAhead = list.after === undefined || compareKeys(action, list.after) > 0
    return chain === undefined || !isAhead ? [] : [{ action, ...withoutAbsent({ until: chain.end?.text }) }]
  })
  return list.pageOf(items, ({ action }) => action, looked.loaded(), undefined, closedAt(looked))
}
