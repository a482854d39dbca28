import { FreeholdError, isFreeholdError, type Runtime, sideBySide } from '@freehold/table'
import type {
  AnswerPage,
  Asking,
  Can,
  Consistency,
  Decider,
  DeciderOptions,
  Expanding,
  Listing,
  QuestionName,
  Why,
} from '../decision/decision.ts'
import { definitionMemory } from '../decision/definitions.ts'
import { denyingOnFault } from '../decision/fault.ts'
import { type Listed, listed } from '../decision/list.ts'
import { nameMemory } from '../decision/name-memory.ts'
import { consistencyOf, listingOf } from '../decision/question.ts'
import type { Sources } from '../decision/sources.ts'
import { can } from './can.ts'
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
} from './question.ts'
import { type OpenPage, what } from './what.ts'
import { type AllowedPlace, where } from './where.ts'
import { type AllowedUser, who } from './who.ts'
import { why } from './why.ts'

/** The five questions of rebac, typed. It remembers definitions and names between questions: one for each connection to a table. */
export interface RebacDecider extends Decider {
  can(question: AccessQuestion, how?: Asking): Promise<Can>
  canMany(questions: readonly AccessQuestion[], how?: Asking): Promise<readonly Can[]>
  why(question: AccessQuestion, how?: Asking): Promise<Why>
  what(question: WhatQuestion, how?: Listing): Promise<AnswerPage<OpenPage>>
  who(question: WhoQuestion, how?: Listing): Promise<AnswerPage<AllowedUser>>
  where(question: WhereQuestion, how?: Expanding): Promise<AnswerPage<AllowedPlace>>
}

const maxStalenessDefault_ms = 5_000

/** What a cursor is bound to: the question's fields, normalised. */
function boundTo(asked: Partial<Access>): Record<string, string> {
  const texts = Object.entries(asked).map(([field, name]) => [field, typeof name === 'string' ? name : name.text])
  return Object.fromEntries(texts)
}

/** Questions of a batch, of which one is malformed: the error says which. */
function askedMany(questions: readonly unknown[]): readonly Access[] {
  return questions.map((question, index) => {
    try {
      return accessAsked('can', question)
    } catch (error) {
      if (!isFreeholdError(error, 'InvalidInput')) throw error
      const issues = (error.details.issues ?? []).map(({ path, message }) => ({ path: [index, ...path], message }))
      throw new FreeholdError('InvalidInput', `Question ${index + 1}: ${error.message}`, { question: 'can', issues }, { cause: error })
    }
  })
}

/** Decisions over a rebac table (spec rules 18 to 21). Nothing is read before a question is asked. */
export function decideRebac(runtime: Runtime, { maxStalenessMs = maxStalenessDefault_ms }: DeciderOptions = {}): RebacDecider {
  const memory = definitionMemory({ now: runtime.now, maxStalenessMs })
  const names = nameMemory()
  const sources = (consistency: Consistency): Sources => ({ runtime, definitions: memory.begin(consistency), names })

  const canOne = (asked: Access, consistency: Consistency) =>
    denyingOnFault(
      () => can(sources(consistency), asked),
      (denied) => denied,
    )

  const list = async <Q extends Partial<Access>, T>(
    name: QuestionName,
    asked: Q,
    how: unknown,
    answer: (sources: Sources, asked: Q, list: Listed) => Promise<AnswerPage<T>>,
  ): Promise<AnswerPage<T>> => {
    const listing = listingOf(name, how)
    return answer(sources(listing.consistency), asked, listed(runtime, name, boundTo(asked), listing))
  }

  return {
    fields,
    can: async (question, how) => canOne(accessAsked('can', question), consistencyOf('can', how)),
    canMany: async (questions, how) => {
      const consistency = consistencyOf('can', how)
      return sideBySide(askedMany(questions), (asked) => canOne(asked, consistency))
    },
    why: async (question, how) => {
      const asked = accessAsked('why', question)
      const consistency = consistencyOf('why', how)
      return denyingOnFault(
        () => why(sources(consistency), asked),
        (denied) => ({ ...denied, chains: [], missing: [] }),
      )
    },
    what: async (question, how) => list('what', whatAsked(question), how, what),
    who: async (question, how) => list('who', whoAsked(question), how, who),
    where: async (question, how) => list('where', whereAsked(question), how, where),
  }
}
