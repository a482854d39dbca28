import { type DesignModule, type OpenDesign, type OpenOptions, openModule } from '../design-module.ts'
import { decidePlatform, type PlatformDecider } from './decide.ts'
import { platform } from './design.ts'

export { decidePlatform, type PlatformDecider } from './decide.ts'
export type { Action } from './deciding/menu-flags.ts'
export type {
  OpenMenu,
  PermittedPlace,
  PermittedUser,
  PlatformAccessQuestion,
  PlatformPlace,
  PlatformWhatQuestion,
  PlatformWhereQuestion,
  PlatformWhoQuestion,
} from './deciding/question.ts'
export * from './design.ts'

type PlatformModule = DesignModule<typeof platform, PlatformDecider> &
  Required<Pick<DesignModule<typeof platform, PlatformDecider>, 'decider'>>

export const platformModule: PlatformModule = Object.freeze({
  design: platform,
  summary: 'Accounts, enterprises, licences with seats, workstreams: permissions for menus, an audit of notifications.',
  decider: decidePlatform,
})

/** Opens platform for a program. */
export const open = (options?: OpenOptions): OpenDesign<PlatformModule> => openModule(platformModule, options)
