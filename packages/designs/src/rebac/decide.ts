import type { Runtime } from '@freehold/table'
import { deciderOf } from '../decision/decider.ts'
import type { AnswerPage, Asking, Can, Decider, DeciderOptions, Expanding, Listing, Why } from '../decision/decision.ts'
import { can } from './deciding/can.ts'
import {
  type AccessQuestion,
  type AllowedLocation,
  type AllowedUser,
  type OpenPage,
  questions,
  type WhatQuestion,
  type WhereQuestion,
  type WhoQuestion,
} from './deciding/question.ts'
import { what } from './deciding/what.ts'
import { where } from './deciding/where.ts'
import { who } from './deciding/who.ts'
import { why } from './deciding/why.ts'

/** The five questions of rebac, typed. */
export interface RebacDecider extends Decider {
  can(question: AccessQuestion, how?: Asking): Promise<Can>
  canMany(questions: readonly AccessQuestion[], how?: Asking): Promise<readonly Can[]>
  why(question: AccessQuestion, how?: Asking): Promise<Why>
  what(question: WhatQuestion, how?: Listing): Promise<AnswerPage<OpenPage>>
  who(question: WhoQuestion, how?: Listing): Promise<AnswerPage<AllowedUser>>
  where(question: WhereQuestion, how?: Expanding): Promise<AnswerPage<AllowedLocation>>
}

/** Decisions over a rebac table. It remembers definitions and names between questions: one for each connection to a table. */
export const decideRebac: (runtime: Runtime, options?: DeciderOptions) => RebacDecider = deciderOf(questions, {
  can,
  why,
  what,
  who,
  where,
})
