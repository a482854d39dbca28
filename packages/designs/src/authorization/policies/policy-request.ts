import type { CedarEntity, CedarValue, EntityUid, PolicyRequest } from '@freehold/frame/cedar'

type Attributes = Readonly<Record<string, CedarValue>>

/** The names of the roles of a user. */
interface RoleNames {
  /** Its own. */
  readonly globalRoles?: readonly string[]
  /** Those of its grant in the tenant. */
  readonly roles?: readonly string[]
}

/** A user who asks for something in a tenant, with the roles that it has there. */
export interface RequestInTenant {
  readonly user: RoleNames & { readonly id: string; readonly attributes?: Attributes }
  readonly tenant: { readonly id: string; readonly attributes?: Attributes }
  readonly action: string
  /** With roles, if it is a user. */
  readonly resource: RoleNames & { readonly type: string; readonly id: string; readonly attributes?: Attributes }
  /** Without `tenant`, which is added. */
  readonly context?: Attributes
}

const parentsOf = ({ globalRoles = [], roles = [] }: RoleNames): readonly EntityUid[] => [
  ...globalRoles.map((id) => ({ type: 'GlobalRole', id })),
  ...roles.map((id) => ({ type: 'Role', id })),
]

const isSame = (one: EntityUid, other: EntityUid) => one.type === other.type && one.id === other.id

/**
 * The request as Cedar has it. The principal's parents are its global roles and those of its grant, by their names: a folder of policies cannot know ids.
 * `context.tenant` is the tenant of the request, which a guardrail compares the resource's with.
 */
export function policyRequest({ user, tenant, action, resource, context }: RequestInTenant): PolicyRequest {
  const principal: CedarEntity = { uid: { type: 'User', id: user.id }, attrs: user.attributes ?? {}, parents: parentsOf(user) }
  const { type, id } = resource
  const scope: EntityUid = { type: 'Tenant', id: tenant.id }
  const stored: readonly CedarEntity[] = [principal, { uid: scope, attrs: tenant.attributes ?? {} }]
  const asked: CedarEntity = { uid: { type, id }, attrs: resource.attributes ?? {}, parents: parentsOf(resource) }
  // The user may be the resource, and so may the tenant. Cedar takes each entity once: its own attributes count.
  const isAsked = ({ uid }: CedarEntity) => isSame(uid, asked.uid)
  const entities = stored.map((each) => (isAsked(each) ? { ...each, attrs: { ...asked.attrs, ...each.attrs } } : each))
  return {
    ...{ principal: principal.uid, action: { type: 'Action', id: action }, resource: { type, id } },
    entities: stored.some(isAsked) ? entities : [...entities, asked],
    context: { ...context, tenant: { __entity: { ...scope } } },
  }
}
