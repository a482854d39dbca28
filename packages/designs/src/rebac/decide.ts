import type { Runtime } from '@freehold/table'
import { answering } from '../decision/answering.ts'
import type { AnswerPage, Asking, Can, Decider, DeciderOptions, Expanding, Listing, Why } from '../decision/decision.ts'
import { can } from './deciding/can.ts'
import {
  type Access,
  type AccessQuestion,
  accessAsked,
  fields,
  type WhatQuestion,
  type WhereQuestion,
  type WhoQuestion,
  whatAsked,
  whereAsked,
  whoAsked,
} from './deciding/question.ts'
import { type OpenPage, what } from './deciding/what.ts'
import { type AllowedPlace, where } from './deciding/where.ts'
import { type AllowedUser, who } from './deciding/who.ts'
import { why } from './deciding/why.ts'

/** The five questions of rebac, typed. It remembers definitions and names between questions: one for each connection to a table. */
export interface RebacDecider extends Decider {
  can(question: AccessQuestion, how?: Asking): Promise<Can>
  canMany(questions: readonly AccessQuestion[], how?: Asking): Promise<readonly Can[]>
  why(question: AccessQuestion, how?: Asking): Promise<Why>
  what(question: WhatQuestion, how?: Listing): Promise<AnswerPage<OpenPage>>
  who(question: WhoQuestion, how?: Listing): Promise<AnswerPage<AllowedUser>>
  where(question: WhereQuestion, how?: Expanding): Promise<AnswerPage<AllowedPlace>>
}

/** What a cursor is bound to: the question's fields, normalised. */
function boundTo(asked: Partial<Access>): Record<string, string> {
  const texts = Object.entries(asked).map(([field, name]) => [field, typeof name === 'string' ? name : name.text])
  return Object.fromEntries(texts)
}

/** Decisions over a rebac table (spec rules 18 to 21). Nothing is read before a question is asked. */
export function decideRebac(runtime: Runtime, options: DeciderOptions = {}): RebacDecider {
  const { answers, list } = answering<Access>(runtime, options, { accessAsked, can, why })
  return {
    fields,
    ...answers,
    what: async (question, how) => {
      const asked = whatAsked(question)
      return list('what', asked, how, boundTo(asked), what)
    },
    who: async (question, how) => {
      const asked = whoAsked(question)
      return list('who', asked, how, boundTo(asked), who)
    },
    where: async (question, how) => {
      const asked = whereAsked(question)
      return list('where', asked, how, boundTo(asked), where)
    },
  }
}
