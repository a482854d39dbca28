import type { Decider } from '@freehold/frame/decision'
import { actorNamedBy, type FlowFunctions, type OfferedFlows, offerFlows } from '@freehold/frame/flow'
import { leaving } from '@freehold/frame/leaving'
import { type Runtime, ulid } from '@freehold/table'
import { noGrant } from '../deciding/verdict.ts'
import { authorization, User, UserEmail, UserPreferredUsername } from '../design.ts'
import { type AuthorizationContext, authorizationHost } from './authorization-host.ts'
import { type FlowActions, flowActionsWith } from './flow-actions.ts'
import { grantFlows } from './grants.ts'
import { identityFlows, signing } from './identities.ts'
import { policyFlows } from './policies.ts'
import { resourceFlows } from './resources.ts'
import { roleFlows, roleJobs } from './roles.ts'
import { tenantFlows } from './tenants.ts'
import { userFlows } from './users.ts'

const { flows: leavingFlows, job: erasingUser } = leaving<AuthorizationContext, typeof User>(authorizationHost, User, {
  inUse: 'cascade',
})

/** The flows of authorization, by name. */
export const authorizationFlowsWith = (actions: FlowActions) => ({
  ...tenantFlows(actions),
  ...userFlows,
  ...leavingFlows,
  ...identityFlows,
  ...roleFlows,
  ...grantFlows(actions),
  ...policyFlows,
  ...resourceFlows(actions),
})

export type AuthorizationFlowTable = ReturnType<typeof authorizationFlowsWith>
export type AuthorizationFlows = FlowFunctions<AuthorizationFlowTable>

export interface AuthorizationFlowOptions {
  /** The actions that a calling user must be allowed, by flow, where they are not those of `flowActions`. */
  readonly actions?: Partial<FlowActions> | undefined
  /** Decides what a calling user may do. Without it flows deny users everything: `NoDecider`. */
  readonly decider?: ((runtime: Runtime) => Decider) | undefined
}

/** The same decider for flows: a caller without a grant in a tenant does not learn whether the tenant is there. */
function untelling(decider: Decider): Decider {
  const why: Decider['why'] = async (question, how) => {
    const answer = await decider.why(question, how)
    return answer.reason?.code === 'UnknownTenant' ? { ...answer, reason: noGrant } : answer
  }
  // The same object with another `why`, which alone is asked by flows.
  return Object.create(decider, { why: { value: why } }) as Decider
}

/** What is done with authorization as a whole. Throws `InvalidInput` for actions that cannot be. */
export function offeredAuthorizationFlows({ actions, decider }: AuthorizationFlowOptions = {}): OfferedFlows<AuthorizationFlowTable> {
  const host =
    decider === undefined ? authorizationHost : { ...authorizationHost, decide: (runtime: Runtime) => untelling(decider(runtime)) }
  return offerFlows<AuthorizationContext, AuthorizationFlowTable>(host, authorizationFlowsWith(flowActionsWith(actions)), {
    jobs: [...roleJobs, erasingUser],
    governed: Object.values(authorization.entities),
    ...actorNamedBy({
      ...{ id: ulid(), idWords: 'ULID', address: UserEmail, user: 'userId' },
      username: { at: UserPreferredUsername, attribute: 'preferredUsername' },
    }),
    identities: signing.identities,
  })
}
