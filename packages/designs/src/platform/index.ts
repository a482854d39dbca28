import { type DesignModule, type OpenDesign, type OpenOptions, openModule } from '../design-module.ts'
import { platform } from './design.ts'

export * from './design.ts'

type PlatformModule = DesignModule<typeof platform>

export const platformModule: PlatformModule = Object.freeze({
  design: platform,
  summary: 'Accounts, enterprises, licences with seats, workstreams: permissions for menus, an audit of notifications.',
})

/** Opens platform for a program. */
export const open = (options?: OpenOptions): OpenDesign<PlatformModule> => openModule(platformModule, options)
