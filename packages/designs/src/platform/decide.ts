import type { Runtime } from '@freehold/table'
import { deciderOf } from '../decision/decider.ts'
import type { AnswerPage, Asking, Can, Decider, DeciderOptions, Expanding, Listing, Why } from '../decision/decision.ts'
import { can } from './deciding/can.ts'
import {
  type OpenMenu,
  type PermittedPlace,
  type PermittedUser,
  type PlatformAccessQuestion,
  type PlatformWhatQuestion,
  type PlatformWhereQuestion,
  type PlatformWhoQuestion,
  questions,
} from './deciding/question.ts'
import { what } from './deciding/what.ts'
import { where } from './deciding/where.ts'
import { who } from './deciding/who.ts'
import { why } from './deciding/why.ts'

/** The five questions of platform, typed. */
export interface PlatformDecider extends Decider {
  can(question: PlatformAccessQuestion, how?: Asking): Promise<Can>
  canMany(questions: readonly PlatformAccessQuestion[], how?: Asking): Promise<readonly Can[]>
  why(question: PlatformAccessQuestion, how?: Asking): Promise<Why>
  what(question: PlatformWhatQuestion, how?: Listing): Promise<AnswerPage<OpenMenu>>
  who(question: PlatformWhoQuestion, how?: Listing): Promise<AnswerPage<PermittedUser>>
  where(question: PlatformWhereQuestion, how?: Expanding): Promise<AnswerPage<PermittedPlace>>
}

/** Decisions over a platform table. It remembers definitions and names between questions: one for each connection to a table. */
export const decidePlatform: (runtime: Runtime, options?: DeciderOptions) => PlatformDecider = deciderOf(questions, {
  ...{ can, why, what, who, where },
  isExpanded: (_, expand) => expand,
})
