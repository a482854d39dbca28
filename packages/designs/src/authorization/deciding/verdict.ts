import type { PolicyAnswer, PolicyEngine } from '@freehold/frame/cedar'
import { type Can, type LoadResult, malformedRecord, policy, type Reason, unknownReason } from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import type { TenantGrant, User } from '../design.ts'
import { policyRequest } from '../policies/policy-request.ts'
import { addedAttributes, countedProperties, storedAttributes } from './properties.ts'
import type { Access, AskedResource } from './question.ts'
import type { ResourceSource } from './resources.ts'
import type { Roles, Situation } from './situation.ts'

/** The answer to a question, and what it rests on. */
export interface Verdict {
  readonly can: Can
  readonly situation: Situation
  readonly roles: Roles
  /** The resource that was asked about. */
  readonly asked: AskedResource
  /** The names of properties that no policy sees. */
  readonly ignored: readonly string[]
  /** Undefined if the policies were not asked. */
  readonly answer?: PolicyAnswer
}

/** A question without its user and tenant, which the situation has. */
export type AskedAction = Pick<Access, 'action' | 'resource' | 'context' | 'properties'>

/** What decides: the policies of one moment, and a program's own resources. */
export interface DecidesBy {
  readonly engine: PolicyEngine
  readonly resources?: ResourceSource | undefined
}

/** The ids of roles that a situation has: the user's own, and those of the grant. None if nothing counts. */
export function roleIdsOf({ userItem, tenantItem, grant }: Situation): readonly string[] {
  if (userItem.state !== 'found' || tenantItem?.state !== 'found' || grant?.state !== 'found') return []
  return [...userItem.item.roles, ...grant.item.roles]
}

/** The ids of roles that a resource is, or has if it is another user. */
function roleIdsAsked({ other }: Situation, { type, id }: AskedResource): readonly string[] {
  if (type === 'Role') return [id]
  return other?.userItem.state === 'found' && other.grant.state === 'found' ? [...other.userItem.item.roles, ...other.grant.item.roles] : []
}

/** The ids of all roles that a question is about. */
export const roleIdsRead = (situation: Situation, resource: AskedResource): readonly string[] => [
  ...roleIdsOf(situation),
  ...roleIdsAsked(situation, resource),
]

export const noGrant = policy('NoGrant', 'The user has no grant in the tenant.')

/** Why nothing is allowed before any policy is asked: spec, section authorization. */
export function refusalOf({ named, user, tenant, userItem, tenantItem, grant }: Situation): Reason | undefined {
  const names = [
    { what: 'User', name: named.text, id: user, result: userItem },
    { what: 'Tenant', name: tenant, id: tenant, result: tenantItem },
  ]
  if ([userItem, tenantItem, grant].some((each) => each?.state === 'malformed')) return malformedRecord
  const unknown = unknownReason([], names)
  if (unknown !== undefined) return unknown
  // Whoever has no grant does not learn whether the tenant is active.
  if (grant?.state !== 'found') return noGrant
  if (tenantItem?.state === 'found' && tenantItem.item.status !== 'active')
    return policy('TenantNotActive', `The tenant is ${tenantItem.item.status}.`)
  return undefined
}

/** The names of the live roles of a scope. A deleted role's id gives nothing. */
const namesOf = (ids: readonly string[], scope: string, roles: Roles) =>
  ids.flatMap((id) => {
    const role = roles.get(id)
    return role?.state === 'found' && role.item.scope === scope ? [role.item.name] : []
  })

/** The resource as policies name it: a role by its name. Undefined if there is no such role. */
function resourceNamed(resource: AskedResource, roles: Roles): AskedResource | undefined {
  if (resource.type !== 'Role') return resource
  const role = roles.get(resource.id)
  if (role?.state !== 'found') return undefined
  return { ...resource, type: role.item.scope === 'tenant' ? 'Role' : 'GlobalRole', id: role.item.name }
}

const policyFault = 'PolicyFault'
const fault = (message: string): Reason => ({ kind: 'fault', code: policyFault, message })

/** Policies do not fit the question, or a guardrail could not be asked: that denies, and nothing is out of order. */
export const faultsOfRequests = [policyFault]

/** The decision of the policies. A guardrail that fails is one that could not be asked, so it denies. */
function canOf({ decision, policies, errors }: PolicyAnswer, action: string): Can {
  const [failed] = errors.filter(({ policy: id, effect }) => id === undefined || effect === 'forbid')
  if (failed !== undefined)
    return {
      allowed: false,
      reason: fault(failed.policy === undefined ? failed.message : `The policy ${failed.policy} fails: ${failed.message}`),
    }
  if (decision === 'allow') return { allowed: true }
  const [first] = policies
  if (first === undefined) return { allowed: false, reason: policy('NotPermitted', `No policy permits ${JSON.stringify(action)}.`) }
  return { allowed: false, reason: policy('Forbidden', `The policy ${first.id} forbids it. ${first.annotations.reason ?? ''}`.trim()) }
}

/** Decides one question of one situation. A malformed role denies: it might be one that a policy forbids something. */
export async function verdictOf(
  { engine }: DecidesBy,
  situation: Situation,
  roles: Roles,
  { action, resource, context = {}, properties = {} }: AskedAction,
): Promise<Verdict> {
  const { counted, ignored } = countedProperties(engine, resource.type, action, properties)
  const denied = (reason: Reason): Verdict => ({ can: { allowed: false, reason }, situation, roles, asked: resource, ignored })
  const refusal = refusalOf(situation)
  if (refusal !== undefined) return denied(refusal)
  const { userItem, tenantItem, grant, tenant, resource: kept, other } = situation
  // Nothing refuses, so all are there.
  if (userItem.state !== 'found' || tenantItem?.state !== 'found' || grant?.state !== 'found') return denied(malformedRecord)
  const held: readonly (LoadResult<unknown> | undefined)[] = roleIdsRead(situation, resource).map((id) => roles.get(id))
  if ([...held, kept, other?.userItem, other?.grant].some((each) => each?.state === 'malformed')) return denied(malformedRecord)
  if (kept?.state === 'deleting') return denied({ kind: 'unknown', code: 'BeingDeleted', message: 'The resource is being deleted.' })
  const named = resourceNamed(resource, roles)
  if (named === undefined)
    return denied({ kind: 'unknown', code: 'UnknownRole', message: `There is no role ${JSON.stringify(resource.id)}.` })
  if (Object.hasOwn(context, 'tenant')) return denied(fault('The context names a tenant, which is that of the question.'))
  const userKnown = (user: Item<typeof User>, granted: Item<typeof TenantGrant>) => ({
    attributes: storedAttributes(engine, 'User', user),
    globalRoles: namesOf(user.roles, 'global', roles),
    roles: namesOf(granted.roles, 'tenant', roles),
  })
  const { attributes, ...roleNames } = userKnown(userItem.item, grant.item)
  const stored =
    other?.userItem.state === 'found' && other.grant.state === 'found'
      ? userKnown(other.userItem.item, other.grant.item)
      : { attributes: kept?.state === 'found' ? storedAttributes(engine, named.type, kept.item.attributes) : {} }
  const given = { ...counted.resource, ...addedAttributes(named.type, named.attributes ?? {}) }
  const answer = await engine.isAuthorized(
    policyRequest({
      user: { id: userItem.item.userId, attributes: { ...counted.user, ...attributes }, ...roleNames },
      tenant: { id: tenant, attributes: storedAttributes(engine, 'Tenant', tenantItem.item) },
      action,
      resource: { ...named, ...stored, attributes: { ...given, ...stored.attributes } },
      context: { ...counted.context, ...context },
    }),
  )
  return { can: canOf(answer, action), situation, roles, asked: resource, ignored, answer }
}

/** The ids of the policies that permit. */
export const permitting = ({ answer }: Verdict): readonly string[] => answer?.policies.map(({ id }) => id) ?? []

/** Why the question does not fit the schema; undefined if it does. */
export const misfit = ({ answer }: Verdict): string | undefined => answer?.errors.find(({ policy: id }) => id === undefined)?.message
