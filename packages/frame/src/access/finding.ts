import type { Entity } from '@freehold/table'
import type { LoadResult } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import type { AtHub, Chain, Finding, Found, Groups, On, Pair } from './chain.ts'
import { type Declared, type Node, type Spec, soleId } from './declared.ts'
import { lookingAtGroups, noGroups } from './groups.ts'
import { hubsOf } from './hub.ts'
import { asText, type Fields, type Link, linkOf, names, specOf, textOf, tiedIds } from './link.ts'
import type { Reads } from './reads.ts'
import type { Route } from './route.ts'
import { isOfTenant, memberAt, partAt, refusals } from './tenancy.ts'
import { type Ids, isLack, type Naming, type Sort, type Tie } from './tie.ts'
import { lookingAtTies } from './tied.ts'
import type { Allowing } from './way.ts'

/** Edges of one candidate that are read at once. One is enough but for damage. */
const edgesAtOnceMax = 4

/** What is told of an item that only denies. */
const foundNothing = { state: 'found', item: {} } as const
const none: readonly never[] = []

/** What was found last is not looked for again: a list has one subject, or one place. */
function once(read: (text: string) => Link | undefined): (text: string) => Link | undefined {
  let last: string | undefined
  let found: Link | undefined
  return (text) => {
    if (found === undefined || text !== last) {
      found = read(text)
      last = text
    }
    return found
  }
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
  const namesOf = ({ allowing, isNode, near, entity }: Tie) => [
    ...(allowing?.kind === 'value' || allowing?.kind === 'role' ? [allowing.attribute] : []),
    // What no update changes is not checked again.
    ...(isNode ? Object.values(near.by).filter((name) => !entity.form.fixed.includes(name)) : []),
  ]
  // The sides of an edge have the same attributes: what is declared of one holds for all.
  const specOfTie = (tie: Tie) => declared.specs.get(tie) ?? specOf(declared, tie, tie.entity, () => namesOf(tie), tie)
  const specOfNode = (entity: Entity, names: readonly string[] = []) =>
    declared.specs.get(entity) ?? specOf(declared, entity, entity, () => names, { until: declared.until.get(entity.name) })
  const referenceNames = () => [...new Set(declared.routes.flatMap(({ references: [first] }) => Object.values(first?.to.by ?? {})))]
  const placeSpec =
    declared.specs.get(placeNode) ??
    specOf(declared, placeNode, placeNode.entity, referenceNames, { until: declared.until.get(placeNode.entity.name) })
  const nodeAt = ({ entity, id, sort }: Node, text: string, spec = specOfNode(entity)) => look(spec, entity, { [id]: text }, sort)
  const ofSubject = declared.tenancy === undefined ? [] : [declared.tenancy.ofSubject]
  const subjectSpec = specOfNode(subjectNode.entity, ofSubject)
  const subjectAt = once((subject) => nodeAt(subjectNode, subject, subjectSpec))
  const placeAt = once((place) => nodeAt(placeNode, place, placeSpec))
  const ties = lookingAtTies(
    declared,
    reads,
    (entity, id, result) => linked(specOfNode(entity), entity, id, result),
    (entity, id) => look(specOfNode(entity), entity, id, 'definition'),
  )

  /** An item that says another tenant does not tie. */
  const ofTenant = (tie: Link | undefined, place: string): Link | undefined =>
    declared.tenancy === undefined || tie?.result.state !== 'found' || isOfTenant(declared.tenancy, tie.result.item, place)
      ? tie
      : { ...tie, state: 'denies' }

  const hubOf = hubsOf(declared, sources, placeAt, look)
  const { groupsOf, groupsWithPlaces, grantsByGroup } = lookingAtGroups(declared, reads, ofTenant, specOfTie, linked, look)

  /** The role that an item names. It is read beside the rest of the chain. */
  const roleOf = ({ role, attribute }: Allowing & { kind: 'role' }, holder: Link | undefined): Link | undefined => {
    const id = holder?.result.state === 'found' ? asText(holder.result.item[attribute]) : undefined
    return id === undefined ? undefined : look(specOfNode(role, ['version']), role, { [soleId(role)]: id }, 'definition')
  }

  /** The chain of these links, with what `holder` allows. Undefined if a link is broken, which is told otherwise, or is not read yet. */
  const chainOf = (
    links: readonly (Link | undefined)[],
    by: Allowing | undefined,
    holder: Link | undefined,
    broken: Link[],
  ): readonly Chain[] => {
    const isWhole = !links.includes(undefined)
    if (by?.kind !== 'role' && !isWhole) return []
    let isGood = isWhole
    let end: Link['end']
    for (const link of links) {
      if (link === undefined) continue
      if (link.state !== 'found') {
        isGood = false
        broken.push(link)
      } else if (link.end !== undefined && (end === undefined || link.end.at_ms < end.at_ms)) end = link.end
    }
    const role = by?.kind === 'role' ? roleOf(by, holder) : undefined
    if (by === undefined || !isGood || holder?.result.state !== 'found') return []
    const { item } = holder.result
    const isAll = declared.action !== undefined
    const chain = (actions: readonly string[], ...more: readonly Link[]): readonly Chain[] => [
      // None of them is missing.
      {
        links: () => [...(links as readonly Link[]), ...more],
        holder: () => more[0] ?? holder,
        actions: declared.actionsAmong(actions),
        isAll,
        end,
      },
    ]
    if (by.kind === 'all') return chain(by.actions)
    if (by.kind === 'ties') return []
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

  const isAt = (naming: Naming | undefined, hub: Ids, link: Link | undefined) =>
    naming === undefined || link?.result.state !== 'found' || names(naming, link.result.item, hub)

  /** Chains by these groups, which themselves refer to the hub. */
  const chainsByNodes = (at: AtHub, { all: some, unusable }: Groups): readonly Chain[] => {
    const { route, hub, found } = at
    const all = some.filter(({ tie }) => isAt(route.copied, hub.ids, tie))
    if (route.tied !== undefined) return ties.chains(at, route.tied, { all, unusable })
    const [inner, outer] = route.ties
    return all.flatMap(({ ids, tie }) => {
      const node = look(specOfTie(inner), inner.entity, ids, 'definition')
      if (!isAt(inner.near, hub.ids, node)) return []
      const [by, holder] = inner.allowing === undefined ? [outer?.allowing, tie] : [inner.allowing, node]
      return chainOf([...found.head, ...hub.links, tie, node], by, holder, found.broken)
    })
  }

  /** Whatever else is wrong with a subject or a place of a tenant is told as what denies. */
  const isBroken = (link: Link | undefined): link is Link =>
    link !== undefined && (declared.tenancy === undefined ? link.state : link.result.state) !== 'found'
  const lookAt = (entity: Entity, id: Ids, sort: Sort, names: readonly string[]) => look(specOfNode(entity, names), entity, id, sort)
  const withinAt = (at: Pick<Pair, 'place' | 'within'>) => partAt(declared, lookAt, at)
  /** What denies whatever is asked: what is missing is told before it. */
  const denyingOf = (
    one: Link | undefined,
    other: Link | undefined,
    { place }: Pair,
    within: Link | undefined,
    member: Link | undefined,
  ) => {
    if (declared.tenancy === undefined || one?.result.state !== 'found' || other?.result.state !== 'found') return none
    const all = [refusals(declared, one, place, now_ms), refusals(declared, other, place, now_ms)]
    const isNoMember = within?.result.state === 'found' && member !== undefined && member.state !== 'found'
    if (isNoMember) all.push([{ ...member, result: foundNothing }])
    return all.every(({ length }) => length === 0) ? none : all.flat()
  }

  /** @param via the groups to look at, if that is known of a candidate */
  const chainsOf = (route: Route, found: Found, via: readonly Ids[] | undefined): readonly Chain[] => {
    const { pair, head } = found
    const hub = hubOf(route, pair.place)
    const [inner, outer] = route.ties
    if (inner.isNode && hub !== undefined) {
      const at = { route, hub, found }
      if (via === undefined) {
        const groups = groupsOf(route, pair, undefined, hub.ids)
        if (groups === undefined) ties.begin(route.tied, pair)
        return groups === undefined ? [] : chainsByNodes(at, groups)
      }
      for (let from = 0; from < via.length; from += edgesAtOnceMax) {
        const some = via.length <= edgesAtOnceMax ? via : via.slice(from, from + edgesAtOnceMax)
        const chains = chainsByNodes(at, groupsOf(route, pair, some) ?? noGroups)
        if (chains.length > 0 || reads.isLacking()) return chains
      }
      return []
    }
    // The groups of the subject are read beside its place.
    const groups = groupsOf(route, pair, via)
    if (hub === undefined) return []
    if (outer === undefined) {
      const id = tiedIds(inner.near, hub.ids, inner.far, { [subjectNode.id]: pair.subject })
      const tie = look(specOfTie(inner), inner.entity, id, 'fact')
      return chainOf([...head, ...hub.links, tie], inner.allowing, tie, found.broken)
    }
    if (isLack(inner.toFar)) return []
    const { side } = inner.toFar
    const granted = reads.range(inner.toFar, inner.near, hub.ids, 'definition')
    const byGroup = grantsByGroup(inner, granted)
    return (groups?.all ?? []).flatMap(({ ids: group, tie: membership }) => {
      const item = byGroup.get(textOf(group))
      if (item === undefined) return []
      const id = tiedIds(inner.near, hub.ids, inner.far, group)
      const grant = linked(specOfTie(inner), side, id, { state: 'found', item })
      const node = look(specOfNode(inner.far.node), inner.far.node, group, 'definition')
      const [by, holder] = inner.allowing === undefined ? [outer.allowing, membership] : [inner.allowing, grant]
      return chainOf([...head, ...hub.links, grant, node, membership], by, holder, found.broken)
    })
  }

  return {
    subjectAt,
    placeAt,
    hubOf,
    /** An action that is an item, and what is wrong with the items that tie it. */
    actionAt: ties.actionAt,
    nodeAt,
    grantors: ties.grantors,
    groupsWithPlaces,
    /** True if a group may allow the action at the hub, by what has been read. */
    mayGrant: ({ tied, ties: [inner] }: Route, group: Ids, on: On) => tied === undefined || ties.mayGrant(tied, inner.near, group, on),
    /** A part of a place. */
    withinAt,
    groupsOf,
    find: (pair: Pair): Finding => {
      let subject = subjectAt(pair.subject)
      let place = placeAt(pair.place)
      const within = pair.within === undefined ? undefined : withinAt(pair)
      let member = pair.within === undefined ? undefined : memberAt(declared, lookAt, pair)
      const broken: Link[] = []
      if (isBroken(subject)) broken.push(subject)
      if (isBroken(place)) broken.push(place)
      if (isBroken(within)) broken.push(within)
      const denying = denyingOf(subject, place, pair, within, member)
      if (denying.length > 0) {
        const denied = (link: Link | undefined) => denying.find(({ entity }) => entity === link?.entity) ?? link
        ;[subject, place, member] = [denied(subject), denied(place), denied(member)]
        broken.push(...denying)
      }
      const head = pair.within === undefined ? [subject, place] : [subject, place, within, member]
      const found: Found = {
        pair,
        head,
        subject,
        place,
        within,
        member,
        action: undefined,
        chains: none,
        needed: none,
        broken,
        more: none,
        isInGroup: false,
        isRefused: denying.length > 0,
        isUnmet: false,
      }
      found.needed = declared.needs.map((route) => chainsOf(route, found, undefined))
      found.isUnmet = !reads.isLacking() && found.needed.some(({ length }) => length === 0)
      const action = pair.action === undefined ? undefined : ties.actionAt(pair.action)
      if (action !== undefined) {
        found.action = action.link
        found.broken.push(...action.broken)
      }
      const grants = pair.by ?? declared.grants.map((route) => [route, undefined] as const)
      const only = grants.length === 1 ? grants[0] : undefined
      found.chains = only !== undefined ? chainsOf(only[0], found, only[1]) : grants.flatMap(([route, via]) => chainsOf(route, found, via))
      return found
    },
  }
}

export type Looking = ReturnType<typeof lookingAt>
