import type { Revert } from './revert.ts'
import { writeReverts } from './writes.ts'

/** Each mend of issue 10 that the campaign can see. */
export const reverts: readonly Revert[] = [...writeReverts]
