import type { Shell } from '../shell.ts'
import type { OpenOptions } from './open.ts'

/** The bounds on starting the engine, and on waiting for that of another process. */
export function engineBounds({ settings }: Pick<Shell, 'settings'>) {
  const { engineWaitMs, engineReadyMs, engineRestartsMax } = settings
  return { wait_ms_max: engineWaitMs, ready_ms_max: engineReadyMs, restarts_max: engineRestartsMax } satisfies Partial<OpenOptions>
}
