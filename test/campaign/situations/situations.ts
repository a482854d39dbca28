import { lostWrites } from './lost-writes.ts'
import type { Situation } from './situation.ts'

export const situations: readonly Situation[] = [...lostWrites]
