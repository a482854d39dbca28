import type { DesignModule } from '@freehold/frame'
import type { Shell } from '../shell.ts'
import { type Opening, type TableOptions, withTable } from './open-table.ts'
import { designInTable, type ReachedDesign } from './reached-design.ts'
import { serviceAt } from './service-at.ts'

export interface Reaching extends Opening {
  readonly module: DesignModule
}

/**
 * Works with a design for one command: behind the service that `--url` or `FREEHOLD_URL` names, or in its table, as `withTable` does.
 * @throws InvalidInput for a service that is named wrongly, and as `withTable` does
 */
export async function withDesign<T>(
  shell: Shell,
  opening: Reaching,
  options: TableOptions,
  work: (design: ReachedDesign) => Promise<T>,
): Promise<T> {
  const service = serviceAt(shell, options)
  if (service === undefined) return withTable(shell, opening, options, (opened) => work(designInTable(shell, opening.module, opened)))
  const { designOfService } = await import('./design-of-service.ts')
  return work(designOfService(opening.module, service))
}
