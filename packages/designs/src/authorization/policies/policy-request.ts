import type { CedarEntity, CedarValue, EntityUid, PolicyRequest } from './policy-engine.ts'

type Attributes = Readonly<Record<string, CedarValue>>

/** A user who asks for something in a tenant, with the names of the roles that it has there. */
export interface RequestInTenant {
  readonly user: { readonly id: string; readonly attributes?: Attributes }
  /** Names of the user's own roles. */
  readonly globalRoles: readonly string[]
  /** Names of the roles of its grant in the tenant. */
  readonly roles: readonly string[]
  readonly tenant: { readonly id: string; readonly attributes?: Attributes }
  readonly action: string
  readonly resource: { readonly type: string; readonly id: string; readonly attributes?: Attributes }
  /** Without `tenant`, which is added. */
  readonly context?: Attributes
}

const isSame = (one: EntityUid, other: EntityUid) => one.type === other.type && one.id === other.id

/**
 * The request as Cedar has it. The principal's parents are its global roles and those of its grant, by their names: a folder of policies cannot know ids.
 * `context.tenant` is the tenant of the request, which a guardrail compares the resource's with.
 */
export function policyRequest({ user, globalRoles, roles, tenant, action, resource, context }: RequestInTenant): PolicyRequest {
  const principal: CedarEntity = {
    uid: { type: 'User', id: user.id },
    attrs: user.attributes ?? {},
    parents: [...globalRoles.map((id) => ({ type: 'GlobalRole', id })), ...roles.map((id) => ({ type: 'Role', id }))],
  }
  const { type, id } = resource
  const scope: EntityUid = { type: 'Tenant', id: tenant.id }
  const stored: readonly CedarEntity[] = [principal, { uid: scope, attrs: tenant.attributes ?? {} }]
  const asked: CedarEntity = { uid: { type, id }, attrs: resource.attributes ?? {} }
  // The user may be the resource, and so may the tenant. Cedar takes each entity once: its own attributes count.
  const isAsked = ({ uid }: CedarEntity) => isSame(uid, asked.uid)
  const entities = stored.map((each) => (isAsked(each) ? { ...each, attrs: { ...asked.attrs, ...each.attrs } } : each))
  return {
    ...{ principal: principal.uid, action: { type: 'Action', id: action }, resource: { type, id } },
    entities: stored.some(isAsked) ? entities : [...entities, asked],
    context: { ...context, tenant: { __entity: { ...scope } } },
  }
}
