import type { CedarPolicy } from '@freehold/frame/cedar'
import { type Evidence, evidence, explained, unusableEvidence, type Why } from '@freehold/frame/decision'
import { Policy, Resource, Role, RoleById, Tenant, TenantGrant, User } from '../design.ts'
import { roleIdsOf, type Verdict } from './verdict.ts'

/** The same as `can`, by the same reads, with what it rests on. */
export function explainedBy(verdict: Verdict): Why {
  return explained(
    verdict.can,
    verdict.answer?.policies ?? [],
    (policy) => [...situationChain(verdict), policyEvidence(policy, 'found')],
    () => missingOf(verdict),
  )
}

/** The text has the annotations. */
const policyEvidence = ({ id, text, annotations: { reason } }: CedarPolicy, state: Evidence['state']) =>
  evidence('policy', Policy, { name: id }, state, [reason ?? [], text].flat().join('\n'))

/** User, tenant, grant and roles: a write that rests on the answer checks that they are as they were read. */
function situationChain({
  situation: { userItem, tenantItem, grant, resource },
  situation,
  roles,
  asked: { type, id },
}: Verdict): readonly Evidence[] {
  if (userItem.state !== 'found' || tenantItem?.state !== 'found' || grant?.state !== 'found') return []
  const { tenantId } = tenantItem.item
  const { userId } = userItem.item
  return [
    evidence('user', User, { userId }, 'found', 'The user is there.', { version: userItem.item.version }),
    evidence('tenant', Tenant, { tenantId }, 'found', 'The tenant is active.', { status: 'active' }),
    evidence('grant', TenantGrant, { tenantId, userId }, 'found', 'The user has a grant in the tenant.', { version: grant.item.version }),
    ...[...new Set(roleIdsOf(situation))].flatMap((id): Evidence[] => {
      const role = roles.get(id)
      if (role?.state !== 'found') return []
      const { scope, name, roleId } = role.item
      return [evidence('role', Role, { scope, name }, 'found', `The user has the ${scope} role ${JSON.stringify(name)}.`, { roleId })]
    }),
    // A program's own resources have no version here.
    ...(resource?.state === 'found' && resource.item.version !== undefined
      ? [evidence('resource', Resource, { tenantId, type, id }, 'found', 'The resource is kept.', { version: resource.item.version })]
      : []),
  ]
}

function missingOf({ can: { reason }, situation, roles, asked: { type, id }, answer }: Verdict): readonly Evidence[] {
  const { user: userId, tenant: tenantId, named, userItem, tenantItem, grant, resource, other } = situation
  const told = reason?.message ?? ''
  const denying = (answer?.policies ?? []).filter(({ effect }) => effect === 'forbid').map((each) => policyEvidence(each, 'denies'))
  const flaws = [
    ...unusableEvidence('user', User, { [named.by === 'id' ? 'userId' : named.by]: named.text }, userItem),
    ...unusableEvidence('tenant', Tenant, { tenantId }, tenantItem),
    ...(tenantItem?.state === 'found' && tenantItem.item.status !== 'active'
      ? [evidence('tenant', Tenant, { tenantId }, 'inactive', `The tenant is ${tenantItem.item.status}.`)]
      : []),
    ...unusableEvidence('grant', TenantGrant, { tenantId, userId }, grant),
    ...[...roles].flatMap(([roleId, role]) => unusableEvidence('role', RoleById, { roleId }, role)),
    // A resource that is not kept is asked about by what the caller tells.
    ...(resource?.state === 'missing' ? [] : unusableEvidence('resource', Resource, { tenantId, type, id }, resource)),
    ...[other?.userItem, other?.grant].flatMap((each) =>
      each?.state === 'malformed' ? unusableEvidence('resource', User, { userId: id }, each) : [],
    ),
    ...denying,
    ...(answer?.errors ?? []).map(({ policy = '', message }) => evidence('policy', Policy, { name: policy }, 'malformed', message)),
  ]
  return reason?.code === 'NotPermitted' || flaws.length === 0 ? [...flaws, evidence('policy', Policy, {}, 'missing', told)] : flaws
}
