import { answerReverts } from './answers.ts'
import { flowReverts } from './flows.ts'
import { jobReverts } from './jobs.ts'
import type { Revert } from './revert.ts'
import { timeReverts } from './time.ts'
import { tokenReverts } from './tokens.ts'
import { writeReverts } from './writes.ts'

/** Each mend of issue 10 that the campaign can see, and conditions that flows rest on. */
export const reverts: readonly Revert[] = [
  ...writeReverts,
  ...tokenReverts,
  ...jobReverts,
  ...timeReverts,
  ...answerReverts,
  ...flowReverts,
]
