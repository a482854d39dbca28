import { type DecidingModule, openerOf } from '@freehold/frame'
import type { ConnectedTable } from '@freehold/table'
import { access } from './access.ts'
import { decidePlatform, type PlatformDecider } from './decide.ts'
import { platform } from './design.ts'
import { offeredPlatformFlows, type PlatformFlowTable, type PlatformOptions } from './flows/flows.ts'
import { words } from './words.ts'

export {
  decidePlatform,
  type OpenMenu,
  type PermittedPlace,
  type PermittedUser,
  type PlatformAccessQuestion,
  type PlatformDecider,
  type PlatformPlace,
  type PlatformSnapshotQuestion,
  type PlatformWhatQuestion,
  type PlatformWhereQuestion,
  type PlatformWhoQuestion,
} from './decide.ts'
export * from './design.ts'
export type { MenuPermission } from './flows/flow-menus.ts'
export { type FlowMenus, flowMenus, type PlatformFlows, type PlatformOptions } from './flows/flows.ts'
export type { PlatformTable } from './platform-table.ts'
export type { AccessData, AccessGrant, AccessSnapshot, AskedPlace, GivingRole, PlaceIds } from './snapshot/access-snapshot.ts'
export type { Action } from './snapshot/menu-flags.ts'

/** The module of platform, for a program that serves it with menus of its own. Throws `InvalidInput`. */
export const platformModuleWith = (options?: PlatformOptions): DecidingModule<typeof platform, PlatformDecider, PlatformFlowTable> =>
  Object.freeze({
    design: platform,
    summary: 'Accounts, enterprises, licences with seats, workstreams: permissions for menus, an audit of notifications.',
    words,
    access,
    decider: decidePlatform,
    flows: offeredPlatformFlows(options?.menus),
    samples: async (table: ConnectedTable) => (await import('./flows/samples.ts')).samplesOn(table),
    authzen: access.authzen,
    administration: {
      call: (account: string) => ({ flow: 'exportAccount', input: { id: account } }),
      names: ['firstName', 'lastName'],
      address: 'email',
    },
  })

export const platformModule = platformModuleWith()

/** Opens platform for a program. */
export const open = openerOf(platformModuleWith)
