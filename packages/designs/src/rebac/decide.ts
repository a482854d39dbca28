import { type DeciderOptions, deciderOf } from '@freehold/frame/decision'
import type { Runtime } from '@freehold/table'
import { can } from './deciding/can.ts'
import { questions, type RebacDecider } from './deciding/question.ts'
import { what } from './deciding/what.ts'
import { where } from './deciding/where.ts'
import { who } from './deciding/who.ts'
import { why } from './deciding/why.ts'

export type { RebacDecider } from './deciding/question.ts'

/** Decisions over a rebac table. It remembers definitions and names between questions: one for each connection to a table. */
export const decideRebac: (runtime: Runtime, options?: DeciderOptions) => RebacDecider = deciderOf(questions, {
  can,
  why,
  what,
  who,
  where,
})
