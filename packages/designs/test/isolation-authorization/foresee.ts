import { grantKey, may, mayGrant, type State } from './state.ts'

type Input = Readonly<Record<string, unknown>>

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const without = <V>(values: Readonly<Record<string, V>>, isGone: (key: string) => boolean) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !isGone(key)))

/** The state after a flow of an operator; undefined if it must be refused. */
function done(state: State, flow: string, input: Input): State | undefined {
  const { tenants, users, roles, grants } = state
  const [tenantId, userId, roleId, name] = [input.tenantId, input.userId, input.roleId, input.name].map(String)
  if (tenantId === undefined || userId === undefined || roleId === undefined || name === undefined) return undefined
  const [tenant, user, role] = [tenants[tenantId], users[userId], roles[roleId]]
  const key = grantKey(tenantId, userId)
  const grant = grants[key]
  const isNameTaken = Object.entries(tenants).some(([id, other]) => id !== tenantId && other.name === name)
  const isEmailTaken = Object.entries(users).some(([id, other]) => id !== userId && other.email === input.email)
  const isRoleTaken = (scope: unknown) =>
    Object.entries(roles).some(([id, other]) => id !== roleId && other.name === name && other.scope === scope)
  const withTenant = (change: object) =>
    tenant === undefined ? undefined : { ...state, tenants: { ...tenants, [tenantId]: { ...tenant, ...change } } }
  const withUser = (change: object) =>
    user === undefined ? undefined : { ...state, users: { ...users, [userId]: { ...user, ...change } } }
  const withGrant = (held: readonly string[]) => ({ ...state, grants: { ...grants, [key]: held } })
  const areOfTenants = (ids: readonly string[]) => ids.every((id) => roles[id]?.scope === 'tenant')
  switch (flow) {
    case 'createTenant':
      if (tenant !== undefined || isNameTaken) return undefined
      return { ...state, tenants: { ...tenants, [tenantId]: { name, status: 'active' } } }
    case 'renameTenant':
      return isNameTaken ? undefined : withTenant({ name })
    case 'suspendTenant':
      return withTenant({ status: 'suspended' })
    case 'activateTenant':
      return withTenant({ status: 'active' })
    case 'deleteTenant':
      if (tenant === undefined) return undefined
      return { ...state, tenants: without(tenants, (id) => id === tenantId), grants: without(grants, (id) => id.startsWith(tenantId)) }
    case 'createUser': {
      if (user !== undefined || isEmailTaken) return undefined
      const made = { email: String(input.email), givenName: input.givenName as string | undefined, roles: [] }
      return { ...state, users: { ...users, [userId]: made } }
    }
    case 'updateUser':
      return withUser({ givenName: input.givenName })
    case 'changeEmail':
      return isEmailTaken ? undefined : withUser({ email: input.email })
    case 'deleteUser':
      if (user === undefined) return undefined
      return { ...state, users: without(users, (id) => id === userId), grants: without(grants, (id) => id.endsWith(userId)) }
    case 'giveGlobalRole':
      if (user?.roles.includes(roleId)) return state
      return role?.scope === 'global' ? withUser({ roles: [...(user?.roles ?? []), roleId] }) : undefined
    case 'takeGlobalRole':
      return withUser({ roles: (user?.roles ?? []).filter((each) => each !== roleId) })
    case 'renameRole':
      return role === undefined || isRoleTaken(role.scope) ? undefined : { ...state, roles: { ...roles, [roleId]: { ...role, name } } }
    case 'deleteRole': {
      if (role === undefined) return undefined
      const left = (ids: readonly string[]) => ids.filter((id) => id !== roleId)
      return {
        ...state,
        roles: without(roles, (id) => id === roleId),
        users: Object.fromEntries(Object.entries(users).map(([id, each]) => [id, { ...each, roles: left(each.roles) }])),
        grants: Object.fromEntries(Object.entries(grants).map(([id, held]) => [id, left(held)])),
      }
    }
    case 'createGrant': {
      const held = listOf(input.roles)
      return tenant === undefined || user === undefined || grant !== undefined || !areOfTenants(held) ? undefined : withGrant(held)
    }
    case 'changeGrantRoles': {
      const added = listOf(input.add).filter((id) => grant?.includes(id) !== true)
      if (grant === undefined || !areOfTenants(added)) return undefined
      return withGrant([...grant, ...added].filter((id) => !listOf(input.take).includes(id)))
    }
    case 'removeGrant':
      return grant === undefined ? undefined : { ...state, grants: without(grants, (id) => id === key) }
    case 'grantsOfTenant':
      return tenant === undefined ? undefined : state
    case 'grantsOfUser':
      return user === undefined ? undefined : state
    default:
      return undefined
  }
}

/** The id of a role is made: the state has it by then. */
export function withRole(state: State, roleId: string, { name, scope }: Input): State | undefined {
  const isTaken = Object.values(state.roles).some((role) => role.name === name && role.scope === scope)
  return isTaken ? undefined : { ...state, roles: { ...state.roles, [roleId]: { name: String(name), scope: String(scope) } } }
}

/** Whether a user may call a flow at the tenant that its input names. */
export const mayCall = (state: State, actor: string, flow: string, { tenantId }: Input): boolean =>
  may(state, actor, String(tenantId), flow)

/** The state after a flow; undefined if it must be refused. `actor`: the calling user, or undefined for an operator. */
export function foresee(state: State, actor: string | undefined, flow: string, input: Input): State | undefined {
  if (actor === undefined) return done(state, flow, input)
  if (!mayCall(state, actor, flow, input)) return undefined
  const held = state.grants[grantKey(input.tenantId, input.userId)] ?? []
  const given = [...listOf(input.roles), ...listOf(input.add).filter((id) => !held.includes(id))]
  // Nobody gives a role that it may not grant itself: spec rule 23.
  return given.every((id) => mayGrant(state, actor, String(input.tenantId), id)) ? done(state, flow, input) : undefined
}
