import { type DesignModule, type OpenDesign, type OpenOptions, openModule } from '../design-module.ts'
import { platformAuthzen } from './authzen.ts'
import { decidePlatform, type PlatformDecider } from './decide.ts'
import { platform } from './design.ts'
import { type FlowMenus, offeredPlatformFlows, type PlatformFlowTable } from './flows/flows.ts'

export { decidePlatform, type PlatformDecider } from './decide.ts'
export type { Action } from './deciding/menu-flags.ts'
export type {
  OpenMenu,
  PermittedPlace,
  PermittedUser,
  PlatformAccessQuestion,
  PlatformPlace,
  PlatformSnapshotQuestion,
  PlatformWhatQuestion,
  PlatformWhereQuestion,
  PlatformWhoQuestion,
} from './deciding/question.ts'
export * from './design.ts'
export type { MenuPermission } from './flows/flow-menus.ts'
export { type FlowMenus, flowMenus, type PlatformFlows } from './flows/flows.ts'
export type { PlatformTable } from './platform-table.ts'
export type { AccessData, AccessGrant, AccessSnapshot, AskedPlace, GivingRole, PlaceIds } from './snapshot/access-snapshot.ts'

type PlatformModule = DesignModule<typeof platform, PlatformDecider, PlatformFlowTable> &
  Required<Pick<DesignModule<typeof platform, PlatformDecider, PlatformFlowTable>, 'decider' | 'flows'>>

export interface PlatformOptions {
  /** The permissions in menus that a calling user needs, by flow, where they are not those of `flowMenus`. */
  readonly menus?: FlowMenus | undefined
}

/** The module of platform, for a program that serves it with menus of its own. Throws `InvalidInput`. */
export function platformModuleWith({ menus }: PlatformOptions = {}): PlatformModule {
  return Object.freeze({
    design: platform,
    summary: 'Accounts, enterprises, licences with seats, workstreams: permissions for menus, an audit of notifications.',
    decider: decidePlatform,
    flows: offeredPlatformFlows(menus),
    authzen: () => platformAuthzen,
  })
}

export const platformModule: PlatformModule = platformModuleWith()

/** Opens platform for a program. */
export const open = ({ menus, ...options }: OpenOptions & PlatformOptions = {}): OpenDesign<PlatformModule> =>
  openModule(menus === undefined ? platformModule : platformModuleWith({ menus }), options)
