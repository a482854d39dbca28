import type { Entity } from '@freehold/table'
import { isForeign, type LoadResult } from '../decision/record.ts'
import type { AtHub, Chain, Group, Groups, Pair } from './chain.ts'
import type { Declared } from './declared.ts'
import { absent, type Fields, filled, idsIn, type Link, names, textOf, tiedIds, unusableLink } from './link.ts'
import type { Tied } from './load-tied.ts'
import type { Reads } from './reads.ts'
import type { Ids, Naming } from './tie.ts'
import { nowhere, type TiedActions } from './tied-route.ts'

// Actions that are items: roles are tied to groups, and actions to roles. Another program may have written only the items that lead from groups to
// actions, so among its items those that lead back are not relied on.

/** Roles whose permissions are read before it is known which of them the groups have: two items each, as many as one BatchGetItem takes. */
const rolesAheadMax = 50
/** Roles that are read with all of their actions before it is known which the groups have, if that saves the fourth round trip. */
const rolesUnseenMax = 100

/** A group of a subject, with its roles. */
interface Held extends Group {
  readonly of: Tied
}

type LinkOf = (entity: Entity, id: Ids, result: LoadResult<unknown>) => Link

function idOf({ by }: Naming, text: string): Ids {
  const ids: Record<string, string> = {}
  for (const placeholder in by) ids[placeholder] = text
  return ids
}

/** Looks at groups, roles and actions, as far as they have been read. */
export function lookingAtTies(
  { action: node, grants: routes }: Declared,
  reads: Reads,
  linkOf: LinkOf,
  look: (entity: Entity, id: Ids) => Link | undefined,
) {
  const first = routes.find(({ tied }) => tied !== undefined)?.tied
  const allows = ({ where }: TiedActions, item: Fields): boolean => {
    for (const [name, value] of where) if (item[name] !== value) return false
    return true
  }
  const allowingIn = (tied: TiedActions, { ties }: Tied) => [...ties].flatMap(([name, item]) => (allows(tied, item) ? [name] : []))
  // Each item that was found has a version.
  const isForeignNode = (result: LoadResult<Fields>) => result.state === 'found' && isForeign(result.item as { readonly version: number })
  const actionTies = ({ ofAction }: TiedActions, action: string) => reads.tied(ofAction, { [node?.id ?? '']: action })

  const roleLinks = new Map<string, { readonly role: Link; readonly permission: Link }>()

  /** A role, and what it says of an action. Undefined until both are read. A page of a list asks for the same ones again and again. */
  const roleAt = ({ roles, actions }: TiedActions, name: string, action: string) => {
    const text = `${actions.entity.name}\u0000${name}\u0000${action}`
    const known = roleLinks.get(text)
    if (known !== undefined) return known
    const ids = idOf(roles.far, name)
    const role = look(roles.far.node, ids)
    const permission = look(actions.entity, tiedIds(actions.near, ids, actions.far, idOf(actions.far, action)))
    if (role === undefined || permission === undefined) return undefined
    const both = { role, permission }
    roleLinks.set(text, both)
    return both
  }

  const readAhead = (tied: TiedActions, action: string, roles: readonly string[]) => {
    for (const role of roles) {
      const ids = idOf(tied.roles.far, role)
      reads.ahead(tied.roles.far.node, ids)
      reads.ahead(tied.actions.entity, tiedIds(tied.actions.near, ids, tied.actions.far, idOf(tied.actions.far, action)))
    }
  }

  /** What each role of these groups says of an action. Undefined until it is read. */
  const rolesOn = (tied: TiedActions, page: Tied, groups: readonly Pick<Held, 'of'>[], action: string) => {
    const mayLack = isForeignNode(page.node) || groups.some(({ of }) => of.hasForeign || isForeignNode(of.node))
    const roles = new Map<string, { readonly role: Link; readonly permission: Link }>()
    let isWhole = true
    for (const { of } of groups)
      for (const name of of.ties.keys()) {
        const listed = page.ties.get(name)
        if (roles.has(name) || !(listed === undefined ? mayLack : allows(tied, listed))) continue
        const both = roleAt(tied, name, action)
        if (both === undefined) isWhole = false
        else roles.set(name, both)
      }
    return isWhole ? roles : undefined
  }

  const denies = (tied: TiedActions, { result }: Link) => result.state === 'found' && !allows(tied, result.item)

  /** Items that do not count, or are missing, of each group and of each role. */
  const missingOf = (
    { route: { copied, ties }, hub, found: { pair } }: AtHub,
    tied: TiedActions,
    { all, unusable }: Groups,
    groups: readonly Held[],
    onPage: NonNullable<ReturnType<typeof rolesOn>>,
  ): readonly Link[] => {
    const [inner, outer = inner] = ties
    const { roles, actions } = tied
    const nowhere = {
      ...filled(outer.far, { [Object.keys(outer.far.by)[0] ?? '']: pair.subject }),
      ...filled(copied ?? inner.near, hub.ids),
    }
    const ofGroups = groups.flatMap(({ ids, of: { node: group, ties: tying, unusable: bad } }): readonly Link[] => {
      const link = linkOf(inner.entity, ids, group)
      const broken = bad.map((each) => unusableLink(roles.entity, each))
      if (group.state !== 'found') return [link, ...broken]
      if (!names(inner.near, group.item, hub.ids)) return [...broken, absent(inner.entity, ids)]
      return tying.size === 0 ? [...broken, absent(roles.entity, filled(roles.near, ids))] : broken
    })
    const page = actionTies(tied, pair.action ?? '')
    const held = new Set(groups.flatMap(({ of }) => [...of.ties.keys()]))
    const ofRoles = [...held].flatMap((name): readonly Link[] => {
      const id = tiedIds(actions.near, idOf(roles.far, name), actions.far, idOf(actions.far, pair.action ?? ''))
      const denied: Link = { ...absent(actions.entity, id), state: 'denies' }
      const known = onPage.get(name)
      if (known === undefined) return [page?.ties.has(name) === true ? denied : absent(actions.entity, id)]
      const broken = [known.role, known.permission].filter(({ state }) => state !== 'found')
      return denies(tied, known.permission) ? [...broken, denied] : broken
    })
    return [
      ...unusable.map((each) => unusableLink(outer.entity, each)),
      ...(all.length > 0 ? [] : [absent(outer.entity, nowhere)]),
      ...ofGroups,
      ...ofRoles,
    ]
  }

  /** The chains of each role of each group at the hub. */
  const chainsBy = (
    { route, hub, found }: AtHub,
    { roles }: TiedActions,
    groups: readonly Held[],
    rest: (role: string) => { links(): readonly Link[]; readonly actions: readonly string[] } | undefined,
  ): readonly Chain[] => {
    const [inner] = route.ties
    const isBroken = [found.head, hub.links].some((links) => links.some((link) => link?.state !== 'found'))
    const chains: Chain[] = []
    for (const { ids, tie, of } of groups) {
      if (of.node.state !== 'found' || !names(inner.near, of.node.item, hub.ids)) continue
      found.isInGroup = true
      if (isBroken || tie?.state !== 'found') continue
      for (const [name, item] of of.ties) {
        const more = rest(name)
        if (more === undefined) continue
        const holder = () => linkOf(roles.entity, tiedIds(roles.near, ids, roles.far, idOf(roles.far, name)), { state: 'found', item })
        // None of them is missing.
        const links = () => [
          ...(found.head as Link[]),
          ...(hub.links as Link[]),
          tie,
          linkOf(inner.entity, ids, of.node),
          holder(),
          ...more.links(),
        ]
        chains.push({ links, holder, actions: more.actions, end: undefined })
      }
    }
    return chains
  }

  /** All that a role allows. */
  const openBy = (tied: TiedActions, name: string) => {
    const role = reads.tied(tied.ofRole, idOf(tied.roles.far, name))
    return role?.node.state === 'found' ? { links: () => [], actions: allowingIn(tied, role) } : undefined
  }

  return {
    /** An action, and what is wrong with it and with the items that tie it. Undefined until it is read. */
    actionAt: (action: string) => {
      const page = first && actionTies(first, action)
      if (node === undefined || page === undefined || first === undefined) return undefined
      const link = linkOf(node.entity, { [node.id]: action }, page.node)
      const bad = page.unusable.map((each) => unusableLink(first.actions.entity, each))
      return { link, broken: link.state === 'found' ? bad : [link, ...bad] }
    },
    /** Begins to read what groups are asked for later. */
    begin: (tied: TiedActions | undefined, { action, isLate }: Pair) => {
      if (tied?.allRoles === undefined || action !== undefined || isLate !== true) return undefined
      const { last } = tied.allRoles
      return reads.range(tied.allRoles, nowhere, {}, 'definition')?.found.map((item: Fields) => String(item[last]))
    },
    chains(at: AtHub, tied: TiedActions, groups: Groups): readonly Chain[] {
      const { found } = at
      const { pair, head } = found
      const { action } = pair
      const page = action === undefined ? undefined : actionTies(tied, action)
      if (action !== undefined && page === undefined) return []
      const isThere =
        head.every((link) => link === undefined || link.state === 'found') && (page === undefined || page.node.state === 'found')
      // Without what is needed a list has no actions; the question for one is told what its groups lack, too.
      const isOpen = isThere && !(action === undefined && found.isUnmet)
      const held: Held[] = []
      let isWhole = true
      for (const { ids, tie } of isOpen ? groups.all : []) {
        const of = reads.tied(tied.ofGroup, ids)
        if (of === undefined) isWhole = false
        else held.push({ ids, tie, of })
      }
      if (action === undefined || page === undefined) {
        const unseen = isWhole ? undefined : this.begin(tied, pair)
        for (const role of unseen !== undefined && unseen.length <= rolesUnseenMax ? unseen : [])
          reads.aheadTied(tied.ofRole, idOf(tied.roles.far, role))
        return isWhole ? chainsBy(at, tied, held, (name) => openBy(tied, name)) : []
      }
      if (!isWhole) {
        const allowing = allowingIn(tied, page)
        if (pair.isLate === true || allowing.length <= rolesAheadMax) readAhead(tied, action, allowing)
        return []
      }
      const roles = rolesOn(tied, page, held, action)
      if (roles === undefined) return []
      if (page.node.state === 'found') found.more.push(() => missingOf(at, tied, groups, held, roles))
      return chainsBy(at, tied, held, (name) => {
        const { role, permission } = roles.get(name) ?? {}
        if (role?.state !== 'found' || permission?.state !== 'found' || denies(tied, permission)) return undefined
        const links = () => [role, permission, linkOf(tied.actions.far.node, idOf(tied.actions.far, action), page.node)]
        return { links, actions: [action] }
      })
    },
    /** The groups of the roles that allow an action, everywhere. Undefined unless actions are tied; none until they are read. */
    grantors: (tied: TiedActions | undefined, action: string): ReadonlySet<string> | undefined => {
      if (tied === undefined) return undefined
      const { roles } = tied
      const page = actionTies(tied, action)
      const allowing = page?.node.state !== 'found' ? [] : allowingIn(tied, page)
      const groups = new Set<string>()
      let isWhole = true
      for (const role of allowing) {
        const range = reads.range(roles.toNear, roles.far, idOf(roles.far, role), 'definition')
        if (range === undefined) isWhole = false
        for (const item of (range?.found ?? []) as readonly Fields[]) groups.add(textOf(idsIn(roles.near, item) ?? {}))
      }
      if (!isWhole) readAhead(tied, action, allowing)
      return groups
    },
    /** True if a role of the group may allow the action, by what has been read. */
    mayGrant: (tied: TiedActions, near: Naming, group: Ids, hub: Ids, action: string): boolean => {
      const [page, of] = [actionTies(tied, action), reads.tied(tied.ofGroup, group)]
      if (page === undefined || of === undefined) return true
      if (of.node.state !== 'found' || !names(near, of.node.item, hub)) return false
      const roles = rolesOn(tied, page, [{ of }], action)
      return (
        roles === undefined ||
        [...roles.values()].some(
          ({ role, permission }) => role.state === 'found' && permission.state === 'found' && !denies(tied, permission),
        )
      )
    },
  }
}
