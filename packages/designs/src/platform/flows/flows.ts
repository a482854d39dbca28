import { opaqueId } from '@freehold/table'
import { actorNamedBy } from '../../flow/actor-named.ts'
import type { FlowFunctions } from '../../flow/flow.ts'
import { type OfferedFlows, offerFlows } from '../../flow/offered-flows.ts'
import { platform, UserEmail } from '../design.ts'
import { notificationFlows } from '../notifications/notification-flows.ts'
import { sweep } from '../notifications/sweep.ts'
import { accountFlows } from './accounts.ts'
import { catalogueFlows } from './catalogue.ts'
import { addressFlows, technicalUserFlows } from './contacts.ts'
import { type FlowMenus, flowMenusWith } from './flow-menus.ts'
import { groupFlows } from './groups.ts'
import { licenseFlows } from './licenses/licenses.ts'
import { seatFlows } from './licenses/seat-flows.ts'
import { type PlatformContext, platformHost } from './platform-host.ts'
import { provisionAccount, provisioningJobs, provisioningReport } from './provision.ts'
import { roleFlows } from './roles.ts'
import { userFlows } from './users.ts'
import { toolFlows, workstreamFlows, workstreamMemberFlows } from './workstreams.ts'

/** The flows of platform, by name, and their durable jobs. */
export function platformFlowsWith(menus: FlowMenus) {
  const users = userFlows(menus)
  const roles = roleFlows(menus)
  const flows = {
    ...accountFlows(menus),
    ...addressFlows(menus),
    ...technicalUserFlows(menus),
    ...catalogueFlows,
    ...licenseFlows(menus),
    ...seatFlows(menus),
    ...workstreamFlows(menus),
    ...toolFlows(menus),
    ...workstreamMemberFlows(menus),
    ...users.flows,
    ...roles.flows,
    ...groupFlows(menus),
    ...notificationFlows(menus),
    sweep,
    provisionAccount,
    provisioningReport,
  }
  return { flows, jobs: [...users.jobs, ...roles.jobs, ...provisioningJobs] }
}

export type PlatformFlowTable = ReturnType<typeof platformFlowsWith>['flows']
export type PlatformFlows = FlowFunctions<PlatformFlowTable>

/** What is done with platform as a whole. Throws `InvalidInput` for menus that cannot be. */
export function offeredPlatformFlows(menus: Partial<FlowMenus> = {}): OfferedFlows<PlatformFlowTable> {
  const { flows, jobs } = platformFlowsWith(flowMenusWith(menus))
  return offerFlows<PlatformContext, PlatformFlowTable>(platformHost, flows, {
    jobs,
    governed: Object.values(platform.entities),
    actorNamed: actorNamedBy({ id: opaqueId(), idWords: 'id', address: UserEmail, user: 'id' }),
  })
}
