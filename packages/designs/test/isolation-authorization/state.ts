import type { Items } from '../isolation/watched-items.ts'
import type { Item } from '../model/parts.ts'

// What there is, and who may do what, as the specification has it: read from the items a second time, without the code under test.

interface Role {
  readonly name: string
  readonly scope: string
}

/** Each by its id; grants by tenant and user. */
export interface State {
  readonly tenants: Readonly<Record<string, { readonly name: string; readonly status: string }>>
  readonly users: Readonly<
    Record<string, { readonly email: string; readonly givenName: string | undefined; readonly roles: readonly string[] }>
  >
  readonly roles: Readonly<Record<string, Role>>
  readonly grants: Readonly<Record<string, readonly string[]>>
}

export const grantKey = (tenant: unknown, user: unknown): string => `${tenant} ${user}`

const text = (value: unknown) => String(value)
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(text) : [])
const sorted = (value: unknown) => [...texts(value)].sort()

function byId<V>(items: Items, type: string, id: (item: Item) => string, of: (item: Item) => V): Record<string, V> {
  const all = [...items.values()].filter(({ Type }) => Type === type)
  return Object.fromEntries(all.map((item): [string, V] => [id(item), of(item)]).sort(([one], [other]) => (one < other ? -1 : 1)))
}

export function stateOf(items: Items): State {
  return {
    tenants: byId(
      items,
      'Tenant',
      ({ tenantId }) => text(tenantId),
      ({ name, status }) => ({ name: text(name), status: text(status) }),
    ),
    users: byId(
      items,
      'User',
      ({ userId }) => text(userId),
      ({ email, givenName, roles }) => {
        return { email: text(email), givenName: givenName === undefined ? undefined : text(givenName), roles: sorted(roles) }
      },
    ),
    roles: byId(
      items,
      'Role',
      ({ roleId }) => text(roleId),
      ({ name, scope }) => ({ name: text(name), scope: text(scope) }),
    ),
    grants: byId(
      items,
      'TenantGrant',
      ({ tenantId, userId }) => grantKey(tenantId, userId),
      ({ roles }) => sorted(roles),
    ),
  }
}

const ordered = <V>(values: Readonly<Record<string, V>>) =>
  Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)))

/** The same state, whatever the order in which things came. */
export function inOrder({ tenants, users, roles, grants }: State): State {
  const lists = Object.fromEntries(Object.entries(grants).map(([key, held]) => [key, [...held].sort()]))
  const owners = Object.fromEntries(Object.entries(users).map(([id, user]) => [id, { ...user, roles: [...user.roles].sort() }]))
  return { tenants: ordered(tenants), users: ordered(owners), roles: ordered(roles), grants: ordered(lists) }
}

/** Guards and lookup items that are not those of the state. */
export function strayItems(items: Items, { tenants, users, roles, grants }: State): readonly string[] {
  const expected: Readonly<Record<string, readonly string[]>> = {
    TenantName: Object.entries(tenants).map(([id, { name }]) => `${name} ${id}`),
    UserEmail: Object.entries(users).map(([id, { email }]) => `${email} ${id}`),
    RoleById: Object.entries(roles).map(([id, { name, scope }]) => `${scope} ${name} ${id}`),
    UserTenantGrant: Object.entries(grants).map(([key, held]) => `${key} ${held}`),
    TenantGrantById: Object.keys(grants),
  }
  const found: Readonly<Record<string, (item: Item) => string>> = {
    TenantName: ({ name, tenantId }) => `${name} ${tenantId}`,
    UserEmail: ({ email, userId }) => `${email} ${userId}`,
    RoleById: ({ scope, name, roleId }) => `${scope} ${name} ${roleId}`,
    UserTenantGrant: ({ tenantId, userId, roles: held }) => `${grantKey(tenantId, userId)} ${sorted(held)}`,
    TenantGrantById: ({ tenantId, userId }) => grantKey(tenantId, userId),
  }
  return Object.entries(found).flatMap(([type, told]) => {
    const there = [...items.values()].filter(({ Type }) => Type === type).map(told)
    const [one, other] = [[...there].sort().join('\n'), [...(expected[type] ?? [])].sort().join('\n')]
    return one === other ? [] : [`${type} are\n${one}\nand not\n${other}`]
  })
}

/** The roles whose holders may do an action, by the policies of the test. */
const holders: Readonly<Record<string, readonly string[]>> = {
  renameTenant: ['tenant owner'],
  removeGrant: ['tenant owner'],
  createGrant: ['tenant owner', 'tenant clerk'],
  changeGrantRoles: ['tenant owner', 'tenant clerk'],
  grantsOfTenant: ['tenant owner', 'tenant clerk', 'tenant viewer', 'global auditor'],
}
export const actions: readonly string[] = Object.keys(holders)
const givers: Readonly<Record<string, readonly string[]>> = {
  owner: ['tenant owner'],
  clerk: ['tenant owner'],
  viewer: ['tenant owner', 'tenant clerk'],
}

/** The live roles of a user in a tenant, as `scope name`. Undefined if nothing counts there: spec, section authorization. */
function rolesIn({ tenants, users, roles, grants }: State, user: string, tenant: string): ReadonlySet<string> | undefined {
  const granted = grants[grantKey(tenant, user)]
  const own = users[user]
  if (own === undefined || granted === undefined || tenants[tenant]?.status !== 'active') return undefined
  const named = (ids: readonly string[], scope: string) =>
    ids.flatMap((id) => (roles[id]?.scope === scope ? `${scope} ${roles[id].name}` : []))
  return new Set([...named(own.roles, 'global'), ...named(granted, 'tenant')])
}

const isAmong = (held: ReadonlySet<string> | undefined, some: readonly string[] = []) => some.some((each) => held?.has(each) === true)

export const may = (state: State, user: string, tenant: string, action: string): boolean =>
  Object.hasOwn(holders, action) && isAmong(rolesIn(state, user, tenant), holders[action])

export function mayGrant(state: State, user: string, tenant: string, roleId: unknown): boolean {
  const role = state.roles[text(roleId)]
  return role?.scope === 'tenant' && Object.hasOwn(givers, role.name) && isAmong(rolesIn(state, user, tenant), givers[role.name])
}

/** The users of a tenant. */
export const membersOf = ({ grants }: State, tenant: string): readonly string[] =>
  Object.keys(grants).flatMap((key) => (key.startsWith(`${tenant} `) ? key.slice(tenant.length + 1) : []))
