import { compareKeys, parallel, whenThere } from '@freehold/table/runtime'
import type { AnswerPage, Can, Why } from '../decision/decision.ts'
import { takeWhole } from '../decision/definition-reader.ts'
import { explained } from '../decision/evidence.ts'
import type { Listed } from '../decision/list.ts'
import { loadLookup } from '../decision/load.ts'
import { type Lookup, type Name, nameLookup, resolveNames } from '../decision/lookup.ts'
import { type LoadResult, type Unusable, wanted } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import { allowing, bestChains, type Finding, isAllowed, type Pair } from './chain.ts'
import type { Declared, Node } from './declared.ts'
import { lookingAt } from './finding.ts'
import type { Fields, Link } from './link.ts'
import { type Reads, readsOf } from './reads.ts'
import { closedReason, denial, missing, missingNames, type Named, told, type Values } from './reason.ts'
import { grantedAs, permissionsShown } from './shown.ts'
import { groupsOfTenant } from './tenancy.ts'
import { nowhere } from './tied-route.ts'

/** A question as it was read. */
export interface Asked {
  readonly subject: Name
  readonly place: Name
  /** A part of the place, by its id. */
  readonly within?: string | undefined
  /** Where actions are flags: what they are for. */
  readonly action: string
  /** The action itself, where it is a flag. */
  readonly flagged?: string | undefined
}

/** The flag that an action is. */
export const flagOf = ({ tenancy }: Declared, { flagged }: Pick<Asked, 'flagged'>): string | undefined =>
  flagged === undefined ? undefined : tenancy?.flags[flagged]

/** What sentences name of a question. */
const valuesOf = ({ tenancy }: Declared, { action, flagged = '' }: Pick<Asked, 'action' | 'flagged'>): Values =>
  tenancy === undefined ? {} : { action: flagged, [tenancy.field]: JSON.stringify(action) }

/** The look-up of a subject or a place by an id, or by the text of its guard. */
export function lookupOf(sources: Sources, { entity, called, sort }: Node, name: Name): Lookup<string> {
  if (called === undefined) return { guess: name.text, find: () => name.text }
  const load = (text: string) => {
    const at = wanted(called.guard, { [called.by]: text })
    return sort === 'fact' ? loadLookup(sources, at) : whenThere(takeWhole(sources, [at]), (taken) => taken(at))
  }
  return nameLookup(sources, entity.name, name, load, (item) => String(Object(item)[called.id]))
}

/** True for a node that has another text by now: an index follows the table late, and another program changes no guard. */
function isCalledOtherwise({ entity, called, sort }: Node, name: Name, link: Link | undefined): boolean {
  // A definition from memory may have had another text.
  if (called === undefined || sort !== 'fact' || entity.attributes[called.by] === undefined) return false
  if (name.by !== 'lookup' || link?.result.state !== 'found') return false
  return Object(link.result.item)[called.by] !== name.text
}

/** A subject at a place, and whether the names stand for something. */
export interface Looked {
  names(): readonly Named[]
  readonly unusable: readonly Unusable[]
  readonly finding: Finding | undefined
  /** Of an action that is an item: what is wrong with it. */
  readonly broken: readonly Link[]
  /** All that was read: a yes needs none of it. */
  loaded(): readonly LoadResult<unknown>[]
}

/**
 * One round trip with warm definitions. Cold, one more for what roles and groups say, for each reference up, and for a name that is looked up for the first time.
 * @param action one that is an item; all of them unless given
 * @param beside what else is to be read, once it is known whether the names stand for something
 */
export async function look(
  declared: Declared,
  sources: Sources,
  { subject, place, within }: Pick<Asked, 'subject' | 'place' | 'within'>,
  action?: string,
  flag?: string,
  beside?: (reads: Reads, finding: Finding) => void,
): Promise<Looked> {
  const { action: node, within: part, tenancy } = declared
  const reading = (pair: Pair) => {
    const reads = readsOf(sources)
    const looking = lookingAt(declared, sources, reads)
    const decide = () => {
      const found = looking.find(pair)
      beside?.(reads, found)
      return found
    }
    return { reads, decide }
  }
  const found = (
    ids: Partial<Pair>,
    unusable: readonly Unusable[],
    finding?: Finding,
    reads?: Reads,
    ahead?: Awaited<ReturnType<typeof readAhead>>,
  ): Looked => ({
    names: () => {
      const both: readonly Named[] = [
        { node: declared.subject, name: subject, id: ids.subject, link: finding?.subject },
        { node: declared.place, name: place, id: ids.place, link: finding?.place },
      ]
      if (part !== undefined && within !== undefined)
        return [...both, { node: part, name: { by: 'id', text: within }, id: within, link: finding?.within }]
      if (node === undefined || action === undefined) return both
      const link = finding === undefined ? ahead?.action?.link : finding.action
      return [...both, { node, name: { by: 'id', text: action }, id: action, link }]
    },
    unusable,
    finding,
    broken: ahead?.action?.broken ?? [],
    loaded: () => [...unusable, ...(reads?.unusable() ?? []), ...(finding === undefined ? (ahead?.loaded() ?? []) : [])],
  })
  if (subject.by === 'id' && place.by === 'id') {
    const pair = { subject: subject.text, place: place.text, within, action, flag }
    const { reads, decide } = reading(pair)
    return found(pair, [], await reads.settle(decide), reads)
  }
  const lookups = { subject: lookupOf(sources, declared.subject, subject), place: lookupOf(sources, declared.place, place) }
  // What hangs on a subject that is looked up is read one round trip later. By then it is known what lies above the place, and what ties an action.
  const { guess } = lookups.place
  const isAhead =
    lookups.subject.guess === undefined && guess !== undefined && declared.routes.some(({ references }) => references.length > 0)
  // The groups of a tenant are listed beside the look-up of a subject.
  const isByGroups = tenancy !== undefined && subject.by === 'lookup'
  const groups = async () => (tenancy === undefined ? [] : groupsOfTenant(declared, tenancy, sources, place.text))
  const readAhead = async () => {
    if (isByGroups) await groups()
    const reads = readsOf(sources)
    const looking = lookingAt(declared, sources, reads)
    const known = await reads.settle(() => {
      if (isAhead) looking.placeAt(guess)
      return action === undefined || node === undefined ? undefined : looking.actionAt(action)
    })
    if (isAhead) for (const route of declared.routes) looking.hubOf(route, guess)
    return { action: known, loaded: reads.unusable }
  }
  // What is guessed is read with all that hangs on it.
  const isGuessed = guess !== undefined && lookups.subject.guess !== undefined
  const isItem = action !== undefined && node !== undefined
  let ahead: ReturnType<typeof readAhead> | undefined
  const resolve = () =>
    resolveNames(lookups, async (ids) => {
      // A guess that turns out wrong has cost one round trip.
      const isLate = lookups.subject.guess !== ids.subject || guess !== ids.place
      if (isAhead) await ahead
      const read = reading({ subject: ids.subject, place: ids.place, within, action, flag, isLate })
      if (isByGroups && isLate) for (const group of await groups()) read.reads.aheadTied(tenancy.tied.ofGroup, group)
      read.decide()
      await read.reads.readOnce()
      return read
    })
  const both = () =>
    parallel(resolve, () => {
      ahead = readAhead()
      return ahead
    })
  const [resolved, early] = isAhead || isByGroups || (isItem && !isGuessed) ? await both() : [await resolve(), undefined]
  const { ids, unusable, read } = resolved
  const finding = await read?.reads.settle(read.decide)
  const isNobody =
    tenancy === undefined &&
    (isCalledOtherwise(declared.subject, subject, finding?.subject) || isCalledOtherwise(declared.place, place, finding?.place))
  const known = (read === undefined || isNobody) && early === undefined && isItem ? await readAhead() : early
  return isNobody ? found({}, unusable, undefined, undefined, known) : found(ids, unusable, finding, read?.reads, known)
}

const closedAt = (declared: Declared, { unusable, names, finding }: Looked) => closedReason(declared, unusable, names(), finding?.member)

function verdict(declared: Declared, looked: Looked, asked: Asked): Can {
  const { finding } = looked
  if (finding !== undefined && isAllowed(finding, asked.action)) return { allowed: true }
  const reason = denial(declared, closedAt(declared, looked), finding, asked.action, looked.loaded(), valuesOf(declared, asked))
  return { allowed: false, reason }
}

/** An action that is an item, or what a flag is for. */
export const asItem = ({ action: node, tenancy }: Declared, action: string) =>
  node === undefined && tenancy === undefined ? undefined : action

const lookFor = (declared: Declared, sources: Sources, asked: Asked) =>
  look(declared, sources, asked, asItem(declared, asked.action), flagOf(declared, asked))

export async function can(declared: Declared, sources: Sources, asked: Asked): Promise<Can> {
  return verdict(declared, await lookFor(declared, sources, asked), asked)
}

/** The same as `can`, by the same reads, with the items that it rests on. */
export async function why(declared: Declared, sources: Sources, asked: Asked): Promise<Why> {
  const looked = await lookFor(declared, sources, asked)
  const values = valuesOf(declared, asked)
  const { finding, unusable, names, broken } = looked
  const chains = finding === undefined ? [] : allowing(finding, asked.action)
  return explained(
    verdict(declared, looked, asked),
    chains,
    ({ links }) => links().map((link) => told(declared, link, 'found', values)),
    () =>
      finding === undefined
        ? [...missingNames(declared, names(), unusable), ...broken.map((link) => told(declared, link, link.state))]
        : missing(declared, finding, asked.action, values),
  )
}

/**
 * All actions of a subject at a place, in the order of their names, each with the end of the grant that holds longest. The same round trips as `can`. Those that
 * are items are read beside the rest if a directory lists them, and else, or if another program wrote them, one round trip later.
 */
export async function what(declared: Declared, sources: Sources, asked: Omit<Asked, 'action'>, list: Listed): Promise<AnswerPage<unknown>> {
  const { action: node, shows, tenancy } = declared
  const isAhead = (action: string) => list.after === undefined || compareKeys(action, list.after) > 0
  const directory = readsOf(sources)
  const listed = (from: Reads) => (node?.all === undefined ? undefined : from.range(node.all, nowhere, {}, 'definition'))
  let reads = directory
  const [looked] = await parallel(
    () =>
      look(declared, sources, asked, undefined, undefined, (own, finding) => {
        reads = own
        // A subject, or a place, that is not there has none.
        const isOpen = finding.subject?.state === 'found' && finding.place?.state === 'found'
        for (const item of (isOpen ? (listed(own)?.found ?? []) : []) as readonly Fields[]) {
          const action = String(item[node?.all?.last ?? ''])
          if (node !== undefined && isAhead(action)) own.ahead(node.entity, { [node.id]: action })
        }
      }),
    // Beside the look-up of names.
    () => directory.settle(() => listed(directory)),
  )
  const { finding } = looked
  const best = finding === undefined || tenancy !== undefined ? undefined : bestChains(finding)
  const held = [...(best ?? [])].filter(([action]) => isAhead(action)).sort(([one], [other]) => compareKeys(one, other))
  const isThere = (action: string) => node === undefined || reads.item(node.entity, { [node.id]: action }, 'definition')?.state === 'found'
  const open = await reads.settle(() => held.filter(([action]) => isThere(action)))
  const granted = open.map(([action, chain]) => ({
    id: action,
    item: { [node?.field ?? 'action']: action, ...grantedAs(shows, chain) },
  }))
  const items: readonly { readonly id: string; readonly item: object }[] =
    tenancy === undefined || finding === undefined ? granted : permissionsShown(declared, finding.chains).filter(({ id }) => isAhead(id))
  const page = list.pageOf(items, ({ id }) => id, [...directory.unusable(), ...looked.loaded()], undefined, closedAt(declared, looked))
  return { ...page, items: page.items.map(({ item }) => item) }
}
