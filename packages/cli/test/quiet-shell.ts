import { designModules } from '@freehold/designs'
import { endpoint } from '../../../test/engine/endpoint.ts'
import type { Settings } from '../src/config/settings.ts'
import type { Shell } from '../src/shell.ts'

/** The shell of a command that has these settings, reads nothing and says nothing. */
export function quietShell(settings: Settings): Shell {
  return {
    settings,
    designs: designModules,
    env: { DYNAMODB_ENDPOINT: endpoint },
    cwd: '/',
    stdin: (async function* () {})(),
    out: async () => {},
    err: () => {},
    isInteractive: false,
    now: () => new Date(),
  }
}
