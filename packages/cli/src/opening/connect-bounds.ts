import type { ConnectOptions } from '@freehold/table'
import type { Shell } from '../shell.ts'

/** The bounds of each connection to a table: of the durable jobs of any process that it may finish. */
export function connectBounds({ settings: { jobWriteUnits } }: Pick<Shell, 'settings'>) {
  return { ...(jobWriteUnits === undefined ? {} : { jobWriteUnits_per_s: jobWriteUnits }) } satisfies ConnectOptions
}
