import type { Entity } from '@freehold/table'
import { day_ms } from '@freehold/table/runtime'
import type { Evidence } from '../decision/decision.ts'
import type { LoadResult } from '../decision/record.ts'
import { type Place, placeBefore, type Sources } from '../decision/sources.ts'
import { type Declared, type Spec, soleId } from './declared.ts'
import type { Reads, Sort } from './reads.ts'
import { type Ids, isLack, type Listing, type Naming, type Route, type Tie } from './route.ts'
import type { Allowing } from './way.ts'

type Fields = Readonly<Record<string, unknown>>

/** One item of a chain, as it was found, and whether it counts. */
export interface Link {
  readonly entity: Entity
  readonly id: Ids
  readonly result: LoadResult<Fields>
  readonly state: Evidence['state']
  /** The attributes that the answer rests on. */
  readonly rests: readonly string[]
  /** The end of what it grants, as it is stored, and in milliseconds since the epoch. */
  readonly end?: { readonly text: string; readonly at_ms: number } | undefined
}

/** Items that count, from the subject to what allows. */
export interface Chain {
  readonly links: readonly Link[]
  /** The link that says which actions it allows. */
  readonly holder: Link
  readonly actions: readonly string[]
  /** The first end of them. */
  readonly end: Link['end']
}

/** A subject and a place by their ids. */
export interface Pair {
  readonly subject: string
  readonly place: string
  /** The only routes to look at, each with its groups, if that is known of a candidate; all of them otherwise. */
  readonly by?: ReadonlyMap<Route, readonly Ids[]> | undefined
}

/** All that is known of a subject at a place. */
export interface Finding {
  readonly pair: Pair
  /** Undefined until they are read. */
  readonly subject: Link | undefined
  readonly place: Link | undefined
  readonly chains: readonly Chain[]
  /** Those of each way that is needed, too. */
  readonly needed: readonly (readonly Chain[])[]
  /** Items that are missing, or do not count. */
  readonly broken: readonly Link[]
}

/** The values of a node's key under the names that another item has for them. */
export function filled({ by }: Naming, ids: Ids): Ids {
  const all: Record<string, string> = {}
  for (const placeholder in by) all[by[placeholder] ?? ''] = ids[placeholder] ?? ''
  return all
}

/** The key of the node that an item names; undefined if it names none. */
export function idsIn({ by }: Naming, item: Fields): Ids | undefined {
  const all: Record<string, string> = {}
  for (const [placeholder, own] of Object.entries(by)) {
    const value = item[own]
    if (typeof value !== 'string') return undefined
    all[placeholder] = value
  }
  return all
}

export const textOf = (ids: Ids): string => Object.values(ids).join('#')

/** The range in which a listing finds the nodes that belong to another one. */
export const placeIn = ({ side, last }: Listing, by: Naming, ids: Ids): Place => placeBefore(side, filled(by, ids), last)

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** @param names the attributes that the answer rests on, beside conditions and bounds */
function specOf({ where, specs }: Declared, step: object, entity: Entity, names: readonly string[], bounds?: Tie): Spec {
  const known = specs.get(step)
  if (known !== undefined) return known
  const conditions = Object.entries(where.get(entity.name) ?? {})
  const { from, until } = bounds ?? {}
  const rests = [...names, ...conditions.map(([name]) => name), ...[from, until].flatMap((name) => name ?? [])]
  const isDay = until !== undefined && entity.attributes[until]?.kind.name === 'day'
  const spec: Spec = { conditions, rests, from, until, lasts_ms: isDay ? day_ms : 0 }
  specs.set(step, spec)
  return spec
}

function linkOf(
  { conditions, rests, from, until, lasts_ms }: Spec,
  entity: Entity,
  id: Ids,
  result: LoadResult<Fields>,
  now_ms: number,
): Link {
  if (result.state !== 'found') return { entity, id, result, state: result.state, rests, end: undefined }
  const { item } = result
  const begin = from === undefined ? undefined : asText(item[from])
  const text = until === undefined ? undefined : asText(item[until])
  const end = text === undefined ? undefined : { text, at_ms: Date.parse(text) + lasts_ms }
  const isLive = conditions.every(([name, value]) => item[name] === value)
  const hasBegun = begin === undefined || Date.parse(begin) <= now_ms
  const isOver = end !== undefined && end.at_ms <= now_ms
  return { entity, id, result, state: isOver ? 'expired' : isLive && hasBegun ? 'found' : 'inactive', rests, end }
}

const hubName = ({ name }: Route, place: string) => `hub ${name} ${place}`

/** Remembers the nodes above a place, from the nearest to the hub. That is a guess, which the read of the place confirms or refutes. */
export function rememberHub({ names }: Pick<Sources, 'names'>, route: Route, place: string, above: readonly Ids[]): void {
  const text = JSON.stringify(above)
  const name = hubName(route, place)
  if (above.length > 0 && names.get(name) !== text) names.set(name, text)
}

/** A hub: its key, and the links that lead to it. A link that is not read yet is undefined. */
export interface Hub {
  readonly ids: Ids
  readonly links: readonly (Link | undefined)[]
}

/** Looks at items, as far as they have been read. */
export function lookingAt(declared: Declared, sources: Sources, reads: Reads) {
  const now_ms = sources.runtime.now().getTime()
  const { subject: subjectNode, place: placeNode } = declared
  // Each was parsed as an item of its entity.
  const linked = (spec: Spec, entity: Entity, id: Ids, result: LoadResult<unknown>): Link =>
    linkOf(spec, entity, id, result as LoadResult<Fields>, now_ms)
  const look = (spec: Spec, entity: Entity, id: Ids, sort: Sort): Link | undefined => {
    const result = reads.item(entity, id, sort)
    return result && linked(spec, entity, id, result)
  }
  const namesOf = ({ allowing }: Tie) => (allowing === undefined || allowing.kind === 'all' ? [] : [allowing.attribute])
  // The sides of an edge have the same attributes: what is declared of one holds for all.
  const specOfTie = (tie: Tie) => specOf(declared, tie, tie.entity, namesOf(tie), tie)
  const specOfNode = (entity: Entity, names: readonly string[] = []) => specOf(declared, entity, entity, names)
  const referenceNames = () => [...new Set(declared.routes.flatMap(({ references: [first] }) => Object.values(first?.to.by ?? {})))]
  const placeSpec = declared.specs.get(placeNode) ?? specOf(declared, placeNode, placeNode.entity, referenceNames())
  const subjectAt = (subject: string) => look(specOfNode(subjectNode.entity), subjectNode.entity, { [subjectNode.id]: subject }, 'fact')
  const placeAt = (place: string) => look(placeSpec, placeNode.entity, { [placeNode.id]: place }, 'fact')

  /**
   * The hub of a route from a place; undefined if nothing leads there, or that is not known yet.
   * @param hasLinks false if it is enough to know which it is
   */
  const hubOf = (route: Route, place: string, hasLinks = true): Hub | undefined => {
    let ids: Ids = { [placeNode.id]: place }
    let node = placeAt(place)
    if (route.references.length === 0) return { ids, links: [] }
    const guess = sources.names.get(hubName(route, place))
    // This file alone writes it.
    const guessed: readonly Ids[] = guess === undefined ? [] : (JSON.parse(guess) as Ids[])
    const links: (Link | undefined)[] = []
    const above: Ids[] = []
    // So many were told by what was read.
    let known = 0
    for (const [index, { to }] of route.references.entries()) {
      if (node !== undefined) known = above.length + 1
      const next = node === undefined ? guessed[index] : node.result.state === 'found' ? idsIn(to, node.result.item) : undefined
      if (next === undefined) break
      above.push(next)
      ids = next
      const after = route.references[index + 1]
      if (after === undefined && !hasLinks) break
      const spec = specOf(declared, route.references[index] ?? to, to.node, Object.values(after?.to.by ?? {}))
      node = look(spec, to.node, next, 'fact')
      links.push(node)
    }
    if (known >= above.length) rememberHub(sources, route, place, above)
    return above.length < route.references.length ? undefined : { ids, links }
  }

  /** The role that an item names. It is read beside the rest of the chain. */
  const roleOf = ({ role, attribute }: Allowing & { kind: 'role' }, holder: Link | undefined): Link | undefined => {
    const id = holder?.result.state === 'found' ? asText(holder.result.item[attribute]) : undefined
    return id === undefined ? undefined : look(specOfNode(role, ['version']), role, { [soleId(role)]: id }, 'definition')
  }

  /** The chain of these links, with what `holder` allows. Undefined if a link is broken, which is told otherwise, or is not read yet. */
  const chainOf = (links: readonly (Link | undefined)[], by: Allowing | undefined, holder: Link | undefined, broken: Link[]) => {
    if (by?.kind !== 'role' && links.includes(undefined)) return []
    const there = links.flatMap((link) => link ?? [])
    const bad = there.filter(({ state }) => state !== 'found')
    broken.push(...bad)
    const role = by?.kind === 'role' ? roleOf(by, holder) : undefined
    if (by === undefined || bad.length > 0 || there.length < links.length || holder?.result.state !== 'found') return []
    const { item } = holder.result
    const [end] = there.flatMap((link) => link.end ?? []).sort((one, other) => one.at_ms - other.at_ms)
    const chain = (actions: readonly string[], ...more: readonly Link[]): readonly Chain[] => [
      { links: [...there, ...more], holder: more[0] ?? holder, actions: declared.actionsAmong(actions), end },
    ]
    if (by.kind === 'all') return chain(by.actions)
    const value = asText(item[by.attribute])
    if (by.kind === 'value') return chain(value !== undefined && Object.hasOwn(by.actions, value) ? (by.actions[value] ?? []) : [])
    if (value === undefined) return chain([])
    if (role?.result.state !== 'found' || role.state !== 'found') {
      if (role !== undefined) broken.push(role)
      return []
    }
    const listed = role.result.item[by.list]
    return chain(Array.isArray(listed) ? listed.map(String) : [], role)
  }

  /** The groups of a subject, each with the tie that says so: all of them, or these alone. */
  const groupsOf = (outer: Tie, own: Ids, via: readonly Ids[] | undefined): readonly (readonly [Ids, Link | undefined])[] => {
    if (isLack(outer.toNear)) return []
    const { side } = outer.toNear
    const idOf = (group: Ids) => ({ ...filled(outer.near, group), ...filled(outer.far, own) })
    if (via !== undefined) return via.map((group) => [group, look(specOfTie(outer), side, idOf(group), 'fact')])
    const range = reads.range(side, placeIn(outer.toNear, outer.far, own), 'fact')
    return (range?.found ?? []).flatMap((item) => {
      const group = idsIn(outer.near, item)
      return group === undefined ? [] : [[group, linked(specOfTie(outer), side, idOf(group), { state: 'found', item })] as const]
    })
  }

  const chainsOf = (route: Route, pair: Pair, head: readonly (Link | undefined)[], broken: Link[]): readonly Chain[] => {
    const hub = hubOf(route, pair.place)
    const own: Ids = { [subjectNode.id]: pair.subject }
    const [inner, outer] = route.ties
    // The groups of the subject are read beside its place.
    const groups = outer === undefined ? [] : groupsOf(outer, own, pair.by?.get(route))
    if (hub === undefined) return []
    if (outer === undefined) {
      const tie = look(specOfTie(inner), inner.entity, { ...filled(inner.near, hub.ids), ...filled(inner.far, own) }, 'fact')
      return chainOf([...head, ...hub.links, tie], inner.allowing, tie, broken)
    }
    if (isLack(inner.toFar)) return []
    const { side } = inner.toFar
    const granted = reads.range(side, placeIn(inner.toFar, inner.near, hub.ids), 'definition')
    const byGroup = new Map(granted?.found.map((item) => [textOf(idsIn(inner.far, item) ?? {}), item]))
    return groups.flatMap(([group, membership]) => {
      const item = byGroup.get(textOf(group))
      if (item === undefined) return []
      const id = { ...filled(inner.near, hub.ids), ...filled(inner.far, group) }
      const grant = linked(specOfTie(inner), side, id, { state: 'found', item })
      const node = look(specOfNode(inner.far.node), inner.far.node, group, 'definition')
      const [by, holder] = inner.allowing === undefined ? [outer.allowing, membership] : [inner.allowing, grant]
      return chainOf([...head, ...hub.links, grant, node, membership], by, holder, broken)
    })
  }

  return {
    subjectAt,
    placeAt,
    hubOf,
    find: (pair: Pair): Finding => {
      const [subject, place] = [subjectAt(pair.subject), placeAt(pair.place)]
      const broken = [subject, place].flatMap((link) => (link === undefined || link.state === 'found' ? [] : [link]))
      const head = [subject, place]
      const grants = pair.by === undefined ? declared.grants : [...pair.by.keys()]
      const chains = grants.flatMap((route) => chainsOf(route, pair, head, broken))
      const needed = declared.needs.map((route) => chainsOf(route, { ...pair, by: undefined }, head, broken))
      return { pair, subject, place, chains, needed, broken }
    },
  }
}

export type Looking = ReturnType<typeof lookingAt>

const lastEnd = ({ end }: Chain) => end?.at_ms ?? Number.POSITIVE_INFINITY
const byEnd = (one: Chain, other: Chain) => (lastEnd(one) === lastEnd(other) ? 0 : lastEnd(other) - lastEnd(one))

/** A chain with those that it needs, too, without the subject and the place again. */
function joined(chain: Chain, others: readonly Chain[]): Chain {
  if (others.length === 0) return chain
  const [first] = [chain, ...others].sort((one, other) => byEnd(other, one))
  return { ...chain, links: [...chain.links, ...others.flatMap(({ links }) => links.slice(2))], end: first?.end }
}

/** The chains that allow an action, those that hold longest first. */
export function allowing({ chains, needed }: Finding, action: string): readonly Chain[] {
  const among = (all: readonly Chain[]) => all.filter(({ actions }) => actions.includes(action)).sort(byEnd)
  const needs = needed.map(among)
  const others = needs.flatMap(([best]) => best ?? [])
  return others.length < needs.length
    ? []
    : among(chains)
        .map((chain) => joined(chain, others))
        .sort(byEnd)
}
