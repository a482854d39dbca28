import { designModules } from '@freehold/designs'
import type { Settings } from '../src/config/settings.ts'
import { settle } from '../src/config/settle.ts'
import type { Environment } from '../src/environment.ts'

/** The settings of an environment, in a folder without a file of settings. */
export function settledBy(env: Environment): Settings {
  return settle({ env, cwd: '/nowhere', designs: designModules }).settings
}
