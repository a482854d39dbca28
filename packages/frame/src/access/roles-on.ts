import type { Entity } from '@freehold/table'
import { isForeign, type LoadResult } from '../decision/record.ts'
import type { Allowed, Held, On, RoleOn } from './chain.ts'
import type { Tenancy } from './declared.ts'
import { type Fields, idOf, type Link, textOf, tiedIds } from './link.ts'
import type { Tied } from './load-tied.ts'
import { isOfTenant } from './tenancy.ts'
import type { Ids } from './tie.ts'
import type { TiedActions } from './tied-route.ts'

// What roles say of an action to which they are tied.

export type LinkOf = (entity: Entity, id: Ids, result: LoadResult<unknown>) => Link
export type RolesOn = ReadonlyMap<string, RoleOn>
type Both = Omit<RoleOn, 'allows'>

interface Asked extends On {
  readonly tied: TiedActions
  readonly roles: Map<string, Both>
  /** By group: all of its roles, and those that the action names. */
  readonly each: Map<Tied, RolesOn>
  readonly some: Map<Tied, RolesOn>
  /** The groups of the roles that allow it. */
  grantors: ReadonlyMap<string, Ids> | undefined
}

/** Looks at roles, as far as they have been read. */
export function lookingAtRoles(tenancy: Tenancy | undefined, linkOf: LinkOf, look: (entity: Entity, id: Ids) => Link | undefined) {
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
  const denies = (tied: TiedActions, { result }: Link, flag?: string) => result.state === 'found' && !allows(tied, result.item, flag)
  const isForeignTo = (hub: Ids, { role, permission }: Both) =>
    tenancy !== undefined && [role, permission].some(({ result }) => result.state === 'found' && !isOf(result.item, hub))
  /** True if a role and its permission allow it. */
  const isAllowing = (tied: TiedActions, both: Both, { flag, hub }: On) => {
    const { role, permission } = both
    return role.state === 'found' && permission.state === 'found' && !denies(tied, permission, flag) && !isForeignTo(hub, both)
  }

  /** The rest of a chain, from a role on. */
  const allowedBy = (
    { actions: { far } }: TiedActions,
    { role, permission }: Both,
    page: Tied | undefined,
    { action, flag }: On,
  ): Allowed => {
    const links = () =>
      flag === undefined && page !== undefined
        ? [role, permission, linkOf(far.node, idOf(far, action), page.node)]
        : [role, { ...permission, rests: [flag ?? ''] }]
    return { links, actions: [action] }
  }

  /** True if the items that lead from the action to roles may lack some of these groups' roles. */
  const mayLack = (page: Tied | undefined, groups: readonly Pick<Held, 'of'>[]): boolean =>
    page === undefined ||
    (tenancy === undefined && (isForeignNode(page.node) || groups.some(({ of }) => of.hasForeign || isForeignNode(of.node))))

  let last: Asked | undefined
  /** What was found of an action at a hub. A page of a list asks the same for each of its candidates. */
  const asked = (tied: TiedActions, { action, flag, hub }: On): Asked => {
    const isSame = last?.tied === tied && last.action === action && last.flag === flag && textOf(last.hub) === textOf(hub)
    if (last === undefined || !isSame)
      last = { tied, action, flag, hub, roles: new Map(), each: new Map(), some: new Map(), grantors: undefined }
    return last
  }

  /** A role, and what it says of an action. Undefined until both are read. */
  const roleAt = (tied: TiedActions, name: string, on: On): Both | undefined => {
    const { roles: known } = asked(tied, on)
    const both = known.get(name)
    if (both !== undefined) return both
    const { roles, actions } = tied
    const ids = idOf(roles.far, name)
    const role = look(roles.far.node, ids)
    const permission = look(actions.entity, tiedIds(actions.near, ids, actions.far, idOf(actions.far, on.action)))
    if (role === undefined || permission === undefined) return undefined
    const read = { role, permission }
    known.set(name, read)
    return read
  }

  /**
   * What the roles of a group say of an action. Undefined until it is read.
   * @param isEach true for all roles, whatever the action says of them
   */
  const rolesOn = (tied: TiedActions, page: Tied | undefined, of: Tied, isEach: boolean, on: On): RolesOn | undefined => {
    const byGroup = asked(tied, on)[isEach ? 'each' : 'some']
    const known = byGroup.get(of)
    if (known !== undefined) return known
    const roles = new Map<string, RoleOn>()
    let isWhole = true
    for (const [name, tie] of of.ties) {
      const onPage = page?.ties.get(name)
      if (!isOf(tie, on.hub) || !(onPage === undefined ? isEach : allows(tied, onPage, on.flag))) continue
      const both = roleAt(tied, name, on)
      if (both === undefined) isWhole = false
      else roles.set(name, { ...both, allows: isAllowing(tied, both, on) ? allowedBy(tied, both, page, on) : undefined })
    }
    if (!isWhole) return undefined
    byGroup.set(of, roles)
    return roles
  }

  return { isOf, allowingIn, denies, isForeignTo, isAllowing, roleAt, rolesOn, mayLack, asked }
}
