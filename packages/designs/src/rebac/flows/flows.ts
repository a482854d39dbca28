import { actorNamedBy, type FlowFunctions, type OfferedFlows, offerFlows, permissionsNamed, permissionsOf } from '@freehold/frame/flow'
import { leaving } from '@freehold/frame/leaving'
import { ulid } from '@freehold/table'
import { EmailIdentity, rebac, SignInIdentity, User } from '../design.ts'
import { assignManyFlow } from './assign.ts'
import { readPage } from './flow-pages.ts'
import { groupFlows } from './groups.ts'
import { locationFlows } from './locations.ts'
import { membershipFlows } from './memberships.ts'
import { type RebacContext, rebacHost } from './rebac-host.ts'
import { renameFlows, renamingPage, renamingRole } from './rename.ts'
import { definitionFlows } from './roles.ts'
import { signInFlow } from './sign-in.ts'
import { userFlows } from './users.ts'

const { flows: leavingFlows, job: erasingUser } = leaving<RebacContext, typeof User>(rebacHost, User)

/** The flows of rebac, by name. */
export const rebacFlows = {
  ...membershipFlows,
  ...groupFlows,
  ...definitionFlows,
  ...renameFlows,
  ...locationFlows,
  ...userFlows,
  ...leavingFlows,
  assignMany: assignManyFlow,
  signIn: signInFlow,
}

export type RebacFlowTable = typeof rebacFlows
export type RebacFlows = FlowFunctions<RebacFlowTable>

/**
 * The page that a calling user must be allowed at the location, by flow; all other flows are for operators, and sign-in for identity providers. A
 * deployer may name other pages. The names are such as no page has by chance: to open one is a power, and not a sight.
 */
export const flowPages = permissionsOf(rebacFlows, ({ resource }) => resource)
export type FlowPages = typeof flowPages

export interface RebacOptions {
  /** The pages that a calling user must be allowed, by flow, where they are not those of `flowPages`. */
  readonly pages?: FlowPages | undefined
}

/** What is done with rebac as a whole. Throws `InvalidInput` for pages that cannot be. */
export function offeredRebacFlows(pages: FlowPages = {}): OfferedFlows<RebacFlowTable> {
  const needs = permissionsNamed(flowPages, pages, 'page', readPage)
  return offerFlows<RebacContext, RebacFlowTable>({ ...rebacHost, needs }, rebacFlows, {
    jobs: [renamingRole, renamingPage, erasingUser],
    governed: Object.values(rebac.entities),
    ...actorNamedBy({ id: ulid(), idWords: 'ULID', address: EmailIdentity, user: 'userId' }),
    identities: {
      identity: SignInIdentity,
      holder: 'userId',
      signingIn: ({ provider, subject, address, isAddressVerified, name, firstSight }) => ({
        ...{ provider, subject, email: address ?? '', isEmailVerified: isAddressVerified, displayName: name, firstSight },
      }),
    },
  })
}
