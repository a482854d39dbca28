import { committed } from './committed.ts'
import { flows } from './flows.ts'
import { garbledAnswers } from './garbled-answers.ts'
import { lateWrites } from './late-writes.ts'
import { lostWrites } from './lost-writes.ts'
import { otherPrograms } from './other-programs.ts'
import { restarts } from './restarts.ts'
import type { Situation } from './situation.ts'
import { time } from './time.ts'

export const situations: readonly Situation[] = [
  ...lostWrites,
  ...lateWrites,
  ...restarts,
  ...committed,
  ...flows,
  ...garbledAnswers,
  ...time,
  ...otherPrograms,
]
