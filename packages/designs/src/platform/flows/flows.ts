import { actorNamedBy, type FlowFunctions, type OfferedFlows, offerFlows, permissionsNamed, permissionsOf } from '@freehold/frame/flow'
import { leaving } from '@freehold/frame/leaving'
import { opaqueId } from '@freehold/table'
import { platform, User, UserEmail } from '../design.ts'
import { notificationFlows } from '../notifications/notification-flows.ts'
import { sweep } from '../notifications/sweep.ts'
import type { Action } from '../snapshot/menu-flags.ts'
import { accountFlows } from './accounts.ts'
import { catalogueFlows } from './catalogue.ts'
import { addressFlows, technicalUserFlows } from './contacts.ts'
import { copyingLargeRole } from './copy-role.ts'
import { deletingUser, removeUser } from './delete-user.ts'
import { type MenuPermission, readPermission } from './flow-menus.ts'
import { groupFlows } from './groups.ts'
import { identityFlows, signing } from './identities.ts'
import { licenseFlows } from './licenses/licenses.ts'
import { seatFlows } from './licenses/seat-flows.ts'
import { type PlatformContext, platformHost } from './platform-host.ts'
import { provisioningFlows } from './provision.ts'
import { replacingMenus } from './role-menus.ts'
import { roleFlows } from './roles.ts'
import { userFlows } from './users.ts'
import { toolFlows, workstreamFlows, workstreamMemberFlows } from './workstreams.ts'

/** A user who is erased gives its seats back, as one who is deleted. */
const { flows: leavingFlows, job: erasingUser } = leaving<PlatformContext, typeof User>(platformHost, User, { remove: removeUser })

const flowsOfAccounts = {
  ...accountFlows,
  ...addressFlows,
  ...technicalUserFlows,
  ...catalogueFlows,
  ...licenseFlows,
  ...seatFlows,
  ...workstreamFlows,
  ...toolFlows,
  ...workstreamMemberFlows,
  ...userFlows,
  ...leavingFlows,
  ...identityFlows,
  ...roleFlows,
  ...groupFlows,
  ...notificationFlows,
}

/**
 * The permission in a menu that a calling user needs in its own account, by flow; all other flows are for operators. A deployer may name other menus and
 * actions.
 */
export const flowMenus = permissionsOf(
  flowsOfAccounts,
  // Each flow names one of these actions.
  ({ resource: menu, action }): MenuPermission => Object.freeze({ menu, action: action as Action }),
)
export type FlowMenus = typeof flowMenus

export interface PlatformOptions {
  /** The permissions in menus that a calling user needs, by flow, where they are not those of `flowMenus`. */
  readonly menus?: FlowMenus | undefined
}

const provisioning = provisioningFlows([...new Set(Object.values(flowMenus).map(({ menu }) => menu))])

/** The flows of platform, by name. */
export const platformFlows = { ...flowsOfAccounts, sweep, ...provisioning.flows }

export type PlatformFlowTable = typeof platformFlows
export type PlatformFlows = FlowFunctions<PlatformFlowTable>

/** What is done with platform as a whole. Throws `InvalidInput` for menus that cannot be. */
export function offeredPlatformFlows(menus: FlowMenus = {}): OfferedFlows<PlatformFlowTable> {
  const needs = permissionsNamed(flowMenus, menus, 'menu', readPermission)
  return offerFlows<PlatformContext, PlatformFlowTable>({ ...platformHost, needs }, platformFlows, {
    jobs: [deletingUser, erasingUser, replacingMenus, copyingLargeRole, ...provisioning.jobs],
    governed: Object.values(platform.entities),
    ...actorNamedBy({ id: opaqueId(), idWords: 'id', address: UserEmail, user: 'id' }),
    identities: signing.identities,
  })
}
