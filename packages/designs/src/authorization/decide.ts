import type { Runtime } from '@freehold/table'
import { deciderOf } from '../decision/decider.ts'
import type { AnswerPage, Asking, Decider, DeciderOptions, Expanding, Listing } from '../decision/decision.ts'
import type { Listed } from '../decision/list.ts'
import type { Sources } from '../decision/sources.ts'
import { access } from './deciding/access.ts'
import { what, where, who } from './deciding/lists.ts'
import {
  type Access,
  type AuthorizationCan,
  type AuthorizationQuestion,
  type AuthorizationWhatQuestion,
  type AuthorizationWhereQuestion,
  type AuthorizationWhoQuestion,
  type AuthorizationWhy,
  type Ignoring,
  type PermittedAction,
  type PermittedTenant,
  type PermittedUser,
  questions,
  type WhatAsked,
  type WhereAsked,
  type WhoAsked,
} from './deciding/question.ts'
import type { Verdict } from './deciding/verdict.ts'
import { explainedBy } from './deciding/why.ts'
import type { PolicyEngine, PolicySource } from './policies/policy-engine.ts'

/** The five questions of authorization, typed. */
export interface AuthorizationDecider extends Decider {
  can(question: AuthorizationQuestion, how?: Asking): Promise<AuthorizationCan>
  canMany(questions: readonly AuthorizationQuestion[], how?: Asking): Promise<readonly AuthorizationCan[]>
  why(question: AuthorizationQuestion, how?: Asking): Promise<AuthorizationWhy>
  what(question: AuthorizationWhatQuestion, how?: Listing): Promise<AnswerPage<PermittedAction>>
  who(question: AuthorizationWhoQuestion, how?: Listing): Promise<AnswerPage<PermittedUser>>
  where(question: AuthorizationWhereQuestion, how?: Expanding): Promise<AnswerPage<PermittedTenant>>
}

const told = ({ ignored }: Verdict): Ignoring => (ignored.length === 0 ? {} : { ignored })

/** The answers by the policies of one moment. */
const answersBy = (policies: PolicyEngine) => ({
  can: async (sources: Sources, asked: Access): Promise<AuthorizationCan> => {
    const verdict = await access(policies, sources, asked)
    return { ...verdict.can, ...told(verdict) }
  },
  why: async (sources: Sources, asked: Access): Promise<AuthorizationWhy> => {
    const verdict = await access(policies, sources, asked)
    return { ...explainedBy(verdict), ...told(verdict) }
  },
  what: (sources: Sources, asked: WhatAsked, list: Listed) => what(policies, sources, asked, list),
  who: (sources: Sources, asked: WhoAsked, list: Listed) => who(policies, sources, asked, list),
  where: (sources: Sources, asked: WhereAsked, list: Listed) => where(policies, sources, asked, list),
})

/**
 * Decisions over an authorization table by these policies: `localEngine` reads them, and `policiesOf` those that may be replaced. A question, or a batch
 * of them, is answered by one version. A program makes one decider for each connection to a table.
 */
export function decideAuthorization(
  policies: PolicyEngine | PolicySource,
): (runtime: Runtime, options?: DeciderOptions) => AuthorizationDecider {
  return deciderOf(questions, 'current' in policies ? () => answersBy(policies.current()) : answersBy(policies))
}
