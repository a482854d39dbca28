import type { Entity } from '@freehold/table'
import { isForeign, type LoadResult } from '../decision/record.ts'
import type { AtHub, Chain, Groups, Held, On, Pair, RoleOn } from './chain.ts'
import type { Declared } from './declared.ts'
import { absent, type Fields, filled, firstEnd, idsIn, type Link, names, textOf, tiedIds, unusableLink } from './link.ts'
import type { Tied } from './load-tied.ts'
import type { Reads } from './reads.ts'
import { isOfTenant } from './tenancy.ts'
import type { Ids, Naming } from './tie.ts'
import { nowhere, type TiedActions } from './tied-route.ts'

// Actions that are items: roles are tied to groups, and actions to roles. Another program may have written only the items that lead from groups to
// actions, so among its items those that lead back are not relied on.

/** Roles whose permissions are read before it is known which of them the groups have: two items each, as many as one BatchGetItem takes. */
const rolesAheadMax = 50
/** Roles that are read with all of their actions before it is known which the groups have, if that saves the fourth round trip. */
const rolesUnseenMax = 100

type LinkOf = (entity: Entity, id: Ids, result: LoadResult<unknown>) => Link

function idOf({ by }: Naming, text: string): Ids {
  const ids: Record<string, string> = {}
  for (const placeholder in by) ids[placeholder] = text
  return ids
}

/** Looks at groups, roles and actions, as far as they have been read. */
export function lookingAtTies(
  { action: node, grants: routes, tenancy }: Declared,
  reads: Reads,
  linkOf: LinkOf,
  look: (entity: Entity, id: Ids) => Link | undefined,
) {
  const first = routes.find(({ tied }) => tied !== undefined)?.tied
  const allows = ({ where }: TiedActions, item: Fields, flag?: string): boolean => {
    if (flag !== undefined) return item[flag] === true
    for (const [name, value] of where) if (item[name] !== value) return false
    return true
  }
  const isOf = (item: Fields, hub: Ids) => tenancy === undefined || isOfTenant(tenancy, item, textOf(hub))
  const allowingIn = (tied: TiedActions, { ties }: Tied, { flag, hub }: Omit<On, 'action'>) =>
    [...ties].flatMap(([name, item]) => (allows(tied, item, flag) && isOf(item, hub) ? [name] : []))
  // Each item that was found has a version.
  const isForeignNode = (result: LoadResult<Fields>) => result.state === 'found' && isForeign(result.item as { readonly version: number })
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

  const roleLinks = new Map<string, RoleOn>()

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
  const rolesOn = (tied: TiedActions, page: Tied | undefined, groups: readonly Pick<Held, 'of'>[], { action, flag, hub }: On) => {
    const mayLack =
      page === undefined ||
      (tenancy === undefined && (isForeignNode(page.node) || groups.some(({ of }) => of.hasForeign || isForeignNode(of.node))))
    const roles = new Map<string, RoleOn>()
    let isWhole = true
    for (const { of } of groups)
      for (const [name, tie] of of.ties) {
        const onPage = page?.ties.get(name)
        if (roles.has(name) || !isOf(tie, hub) || !(onPage === undefined ? mayLack : allows(tied, onPage, flag))) continue
        const both = roleAt(tied, name, action)
        if (both === undefined) isWhole = false
        else roles.set(name, both)
      }
    return isWhole ? roles : undefined
  }

  const denies = (tied: TiedActions, { result }: Link, flag?: string) => result.state === 'found' && !allows(tied, result.item, flag)
  const isForeignTo = (hub: Ids, { role, permission }: RoleOn) =>
    tenancy !== undefined && [role, permission].some(({ result }) => result.state === 'found' && !isOf(result.item, hub))
  /** True if a role and its permission allow it. */
  const isAllowing = (tied: TiedActions, both: RoleOn, { flag, hub }: On) => {
    const { role, permission } = both
    return role.state === 'found' && permission.state === 'found' && !denies(tied, permission, flag) && !isForeignTo(hub, both)
  }

  /** Items that do not count, or are missing, of each group and of each role. */
  const missingOf = (
    { route: { copied, ties }, hub, found: { pair, subject, isRefused } }: AtHub,
    tied: TiedActions,
    { all, unusable }: Groups,
    groups: readonly Held[],
    onPage: NonNullable<ReturnType<typeof rolesOn>>,
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
    rest: (role: string) => Pick<Chain, 'links' | 'actions' | 'permissions'> | undefined,
  ): readonly Chain[] => {
    const [inner] = route.ties
    const isBroken = [found.head, hub.links].some((links) => links.some((link) => link?.state !== 'found'))
    const chains: Chain[] = []
    // Lists of a tenant do not tell when its subjects end.
    const end = tenancy === undefined ? firstEnd(found.head) : undefined
    for (const { ids, tie, of } of groups) {
      if (of.node.state !== 'found' || !names(inner.near, of.node.item, hub.ids)) continue
      found.isInGroup = true
      if (isBroken || tie?.state !== 'found') continue
      for (const [name, item] of of.ties) {
        const more = isOf(item, hub.ids) ? rest(name) : undefined
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
        chains.push({ ...more, links, holder, end })
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
      const isThere =
        head.every((link) => link === undefined || link.state === 'found') && (page === undefined || page.node.state === 'found')
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
      const own = (each: Held) => each.tie?.state === 'found' && each.of.node.state === 'found' && names(inner.near, each.of.node.item, hub)
      const roles = rolesOn(tied, page, tenancy === undefined ? held : held.filter(own), on)
      if (roles === undefined) return []
      if (page === undefined || page.node.state === 'found') found.more.push(() => missingOf(at, tied, groups, held, roles))
      return chainsBy(at, tied, held, (name) => {
        const both = roles.get(name)
        if (both === undefined || !isAllowing(tied, both, on)) return undefined
        const { role, permission } = both
        const links = () =>
          flag === undefined && page !== undefined
            ? [role, permission, linkOf(tied.actions.far.node, idOf(tied.actions.far, action), page.node)]
            : [role, { ...permission, rests: [flag ?? ''] }]
        return { links, actions: [action] }
      })
    },
    /** The groups of the roles that allow an action: everywhere, or of a tenant. Undefined unless actions are tied; none until they are read. */
    grantors: (tied: TiedActions | undefined, on: On): ReadonlyMap<string, Ids> | undefined => {
      if (tied === undefined) return undefined
      const { roles } = tied
      const { action, hub } = on
      const page = actionTies(tied, action)
      const allowing = page?.node.state !== 'found' ? [] : allowingIn(tied, page, on)
      const groups = new Map<string, Ids>()
      let isWhole = true
      for (const role of allowing) {
        const range = reads.range(roles.toNear, roles.far, idOf(roles.far, role), 'definition')
        const both = tenancy && roleAt(tied, role, action)
        if (range === undefined || (tenancy !== undefined && both === undefined)) isWhole = false
        if (both !== undefined && !isAllowing(tied, both, on)) continue
        for (const item of (range?.found ?? []) as readonly Fields[]) {
          const group = idsIn(roles.near, item) ?? {}
          if (isOf(item, hub)) groups.set(textOf(group), group)
        }
      }
      if (!isWhole && tenancy === undefined) readAhead(tied, action, allowing)
      return groups
    },
    /** True if a role of the group may allow the action, by what has been read. */
    mayGrant: (tied: TiedActions, near: Naming, group: Ids, on: On): boolean => {
      const [page, of] = [actionTies(tied, on.action), reads.tied(tied.ofGroup, group)]
      if (page === undefined || of === undefined) return true
      if (of.node.state !== 'found' || !names(near, of.node.item, on.hub)) return false
      const roles = rolesOn(tied, page, [{ of }], on)
      return roles === undefined || [...roles.values()].some((both) => isAllowing(tied, both, on))
    },
  }
}
