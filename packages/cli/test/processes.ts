import { join } from 'node:path'
import { temporaryFolder } from '../../../test/folders/temporary-folder.ts'

/** A data folder of its own for one test, which is not made yet. */
export function freshFolder(): string {
  return join(temporaryFolder(), '.freehold')
}
