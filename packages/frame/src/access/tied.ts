import type { Entity } from '@freehold/table'
import type { Allowed, AtHub, Chain, Groups, Held, On, Pair, RoleOn } from './chain.ts'
import type { Declared } from './declared.ts'
import { absent, type Fields, filled, firstEnd, idOf, idsIn, type Link, names, textOf, tiedIds, unusableLink } from './link.ts'
import type { Tied } from './load-tied.ts'
import type { Reads } from './reads.ts'
import { type LinkOf, lookingAtRoles, type RolesOn } from './roles-on.ts'
import type { Ids, Naming } from './tie.ts'
import { nowhere, type TiedActions } from './tied-route.ts'

// Actions that are items: roles are tied to groups, and actions to roles. Another program may have written only the items that lead from groups to
// actions, so among its items those that lead back are not relied on.

/** Roles whose permissions are read before it is known which of them the groups have: two items each, as many as one BatchGetItem takes. */
const rolesAheadMax = 50
/** Roles that are read with all of their actions before it is known which the groups have, if that saves the fourth round trip. */
const rolesUnseenMax = 100

const isFound = (link: Link | undefined): boolean => link?.state === 'found'
const isFoundOrUnread = (link: Link | undefined): boolean => link === undefined || link.state === 'found'

/** Looks at groups, roles and actions, as far as they have been read. */
export function lookingAtTies(
  { action: node, grants: routes, tenancy }: Declared,
  reads: Reads,
  linkOf: LinkOf,
  look: (entity: Entity, id: Ids) => Link | undefined,
) {
  const first = routes.find(({ tied }) => tied !== undefined)?.tied
  const { isOf, allowingIn, denies, isForeignTo, isAllowing, roleAt, rolesOn, mayLack, asked } = lookingAtRoles(tenancy, linkOf, look)
  let listed: Map<string, Tied> | undefined
  /** An action with the roles that are tied to it. One that is no item is as good as there. */
  const actionTies = ({ ofAction, actions }: TiedActions, action: string): Tied | undefined => {
    if (ofAction !== undefined) return reads.tied(ofAction, { [node?.id ?? '']: action })
    listed ??= new Map()
    const ids = idOf(actions.far, action)
    const range = listed.has(action) ? undefined : reads.range(actions.toNear, actions.far, ids, 'definition')
    if (range !== undefined) {
      const ties = new Map(range.found.map((item: Fields) => [textOf(idsIn(actions.near, item) ?? {}), item]))
      listed.set(action, { node: { state: 'found', item: ids }, ties, unusable: [], hasForeign: false })
    }
    return listed.get(action)
  }

  const readAhead = (tied: TiedActions, action: string, roles: readonly string[]) => {
    for (const role of roles) {
      const ids = idOf(tied.roles.far, role)
      reads.ahead(tied.roles.far.node, ids)
      reads.ahead(tied.actions.entity, tiedIds(tied.actions.near, ids, tied.actions.far, idOf(tied.actions.far, action)))
    }
  }

  /** True of a group at the hub of which a subject is a member. */
  const isOwn = ({ tie, of: { node: group } }: Held, near: Naming, hub: Ids): boolean =>
    tie?.state === 'found' && group.state === 'found' && names(near, group.item, hub)
  /** Items that do not count, or are missing, of each group and of each role. */
  const missingOf = (
    { route: { copied, ties }, hub, found: { pair, subject, isRefused } }: AtHub,
    tied: TiedActions,
    { all, unusable }: Groups,
    groups: readonly Held[],
    rolesOf: (of: Tied) => RolesOn | undefined,
  ): readonly Link[] => {
    const [inner, outer = inner] = ties
    const { roles, actions } = tied
    const nowhere = {
      ...filled(outer.far, { [Object.keys(outer.far.by)[0] ?? '']: pair.subject }),
      ...(tenancy === undefined && filled(copied ?? inner.near, hub.ids)),
    }
    // Of a subject that is refused whatever it has, nothing else is missing.
    const isNone = all.length === 0 && (tenancy === undefined || (subject?.result.state === 'found' && !isRefused))
    const denying = (entity: Entity, ids: Ids): Link => ({ ...absent(entity, ids), state: 'denies' })
    const ofGroups = groups.flatMap(({ ids, tie, of: { node: group, ties: tying, unusable: bad } }): readonly Link[] => {
      const link = linkOf(inner.entity, ids, group)
      const broken = bad.map((each) => unusableLink(roles.entity, each))
      if (group.state !== 'found') return [link, ...broken]
      if (!names(inner.near, group.item, hub.ids) || tie?.state === 'denies')
        return [...broken, tenancy === undefined ? absent(inner.entity, ids) : denying(inner.entity, ids)]
      const hasNone = [...tying.values()].every((item) => !isOf(item, hub.ids))
      return hasNone ? [...broken, absent(roles.entity, filled(roles.near, ids))] : broken
    })
    const page = tenancy === undefined ? actionTies(tied, pair.action ?? '') : undefined
    const onPage = new Map<string, RoleOn>()
    for (const { of } of tenancy === undefined ? groups : groups.filter((each) => isOwn(each, inner.near, hub.ids)))
      for (const [name, both] of rolesOf(of) ?? []) onPage.set(name, both)
    const held = tenancy === undefined ? new Set(groups.flatMap(({ of }) => [...of.ties.keys()])) : onPage.keys()
    const ofRoles = [...held].flatMap((name): readonly Link[] => {
      const id = tiedIds(actions.near, idOf(roles.far, name), actions.far, idOf(actions.far, pair.action ?? ''))
      const denied = denying(actions.entity, id)
      const known = onPage.get(name)
      if (known === undefined) return [page?.ties.has(name) === true ? denied : absent(actions.entity, id)]
      const broken = [known.role, known.permission].filter(({ state }) => state !== 'found')
      if (tenancy !== undefined && broken.length > 0) return broken
      if (isForeignTo(hub.ids, known)) return [denying(known.role.entity, known.role.id)]
      return denies(tied, known.permission, pair.flag) ? [...broken, denied] : broken
    })
    return [
      ...unusable.map((each) => unusableLink(outer.entity, each)),
      ...(isNone ? [absent(outer.entity, nowhere)] : []),
      ...ofGroups,
      ...ofRoles,
    ]
  }

  /** The chains of each role of each group at the hub. */
  const chainsBy = (
    { route, hub, found }: AtHub,
    { roles }: TiedActions,
    groups: readonly Held[],
    rest: (role: string, of: Tied) => Allowed | undefined,
  ): readonly Chain[] => {
    const [inner] = route.ties
    const isBroken = !found.head.every(isFound) || !hub.links.every(isFound)
    const chains: Chain[] = []
    // Lists of a tenant do not tell when its subjects end.
    const end = tenancy === undefined ? firstEnd(found.head) : undefined
    for (const { ids, tie, of } of groups) {
      if (of.node.state !== 'found' || !names(inner.near, of.node.item, hub.ids)) continue
      found.isInGroup = true
      if (isBroken || tie?.state !== 'found') continue
      for (const [name, item] of of.ties) {
        const more = isOf(item, hub.ids) ? rest(name, of) : undefined
        if (more === undefined) continue
        let held: Link | undefined
        const holder = () => {
          held ??= linkOf(roles.entity, tiedIds(roles.near, ids, roles.far, idOf(roles.far, name)), { state: 'found', item })
          return held
        }
        // None of them is missing.
        const links = () => [
          ...(found.head as Link[]),
          ...(hub.links as Link[]),
          tie,
          linkOf(inner.entity, ids, of.node),
          holder(),
          ...more.links(),
        ]
        chains.push({ links, holder, actions: more.actions, permissions: more.permissions, end })
      }
    }
    return chains
  }

  /** All that a role allows. */
  const openBy = (tied: TiedActions, name: string, hub: Ids) => {
    const role = reads.tied(tied.ofRole, idOf(tied.roles.far, name))
    const isThere = role?.node.state === 'found' && isOf(role.node.item, hub)
    if (tenancy === undefined) return isThere ? { links: () => [], actions: allowingIn(tied, role, { flag: undefined, hub }) } : undefined
    const permissions = new Map(isThere ? [...role.ties].filter(([, item]) => isOf(item, hub)) : [])
    return { links: () => [], actions: [...permissions.keys()], permissions }
  }

  return {
    /** An action, and what is wrong with it and with the items that tie it. Undefined until it is read. */
    actionAt: (action: string) => {
      const page = node && first && actionTies(first, action)
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
      const { action, flag } = pair
      const hub = at.hub.ids
      const on = { action: action ?? '', flag, hub }
      // Where an action is no item, only lists ask which roles have something to say of it.
      const isPaged = action !== undefined && (tied.ofAction !== undefined || pair.by !== undefined)
      const page = isPaged ? actionTies(tied, action) : undefined
      if (isPaged && page === undefined) return []
      const granting = isPaged && tenancy !== undefined ? this.grantors(tied, on) : undefined
      // The groups of a subject that turns out to be refused are none of the answer.
      const isKnown = tenancy === undefined || !head.includes(undefined)
      const isThere = head.every(isFoundOrUnread) && (page === undefined || page.node.state === 'found')
      // Without what is needed a list has no actions; the question for one is told what its groups lack, too.
      const isOpen = isThere && !(action === undefined && found.isUnmet)
      const held: Held[] = []
      let isWhole = true
      for (const { ids, tie } of isOpen ? groups.all : []) {
        if (granting?.has(textOf(ids)) === false) continue
        if (!isKnown) reads.aheadTied(tied.ofGroup, ids)
        const of = isKnown ? reads.tied(tied.ofGroup, ids) : undefined
        if (of === undefined) isWhole = false
        else held.push({ ids, tie, of })
      }
      if (action === undefined) {
        const unseen = isWhole ? undefined : this.begin(tied, pair)
        for (const role of unseen !== undefined && unseen.length <= rolesUnseenMax ? unseen : [])
          reads.aheadTied(tied.ofRole, idOf(tied.roles.far, role))
        return isWhole ? chainsBy(at, tied, held, (name) => openBy(tied, name, hub)) : []
      }
      if (!isWhole) {
        const allowing = page === undefined ? [] : allowingIn(tied, page, on)
        if (pair.isLate === true || allowing.length <= rolesAheadMax) readAhead(tied, action, allowing)
        return []
      }
      const [inner] = at.route.ties
      const asked = tenancy === undefined ? held : held.filter((each) => isOwn(each, inner.near, hub))
      const isEach = mayLack(page, asked)
      const rolesOf = (of: Tied) => rolesOn(tied, page, of, isEach, on)
      for (const { of } of asked) if (rolesOf(of) === undefined) isWhole = false
      // It is asked again, once the subject and the place are read.
      if (!isWhole || head.includes(undefined)) return []
      if (page === undefined || page.node.state === 'found') found.more = [...found.more, () => missingOf(at, tied, groups, held, rolesOf)]
      return chainsBy(at, tied, held, (name, of) => rolesOf(of)?.get(name)?.allows)
    },
    /** The groups of the roles that allow an action: everywhere, or of a tenant. Undefined unless actions are tied; none until they are read. */
    grantors: (tied: TiedActions | undefined, on: On): ReadonlyMap<string, Ids> | undefined => {
      if (tied === undefined) return undefined
      const { roles } = tied
      const { action, hub } = on
      const of = asked(tied, on)
      if (of.grantors !== undefined) return of.grantors
      const page = actionTies(tied, action)
      const allowing = page?.node.state !== 'found' ? [] : allowingIn(tied, page, on)
      const groups = new Map<string, Ids>()
      let isWhole = page !== undefined
      for (const role of allowing) {
        const range = reads.range(roles.toNear, roles.far, idOf(roles.far, role), 'definition')
        const both = tenancy && roleAt(tied, role, on)
        if (range === undefined || (tenancy !== undefined && both === undefined)) isWhole = false
        if (both !== undefined && !isAllowing(tied, both, on)) continue
        for (const item of (range?.found ?? []) as readonly Fields[]) {
          const group = idsIn(roles.near, item) ?? {}
          if (isOf(item, hub)) groups.set(textOf(group), group)
        }
      }
      if (isWhole) of.grantors = groups
      else if (tenancy === undefined) readAhead(tied, action, allowing)
      return groups
    },
    /** True if a role of the group may allow the action, by what has been read. */
    mayGrant: (tied: TiedActions, near: Naming, group: Ids, on: On): boolean => {
      const [page, of] = [actionTies(tied, on.action), reads.tied(tied.ofGroup, group)]
      if (page === undefined || of === undefined) return true
      if (of.node.state !== 'found' || !names(near, of.node.item, on.hub)) return false
      const roles = rolesOn(tied, page, of, mayLack(page, [{ of }]), on)
      return roles === undefined || [...roles.values()].some(({ allows: allowed }) => allowed !== undefined)
    },
  }
}
