import type { Runtime } from '@freehold/table'
import { deciderOf } from '../decision/decider.ts'
import type { AnswerPage, Asking, Can, Decider, DeciderOptions, Expanding, Listing, Why } from '../decision/decision.ts'
import { access } from './deciding/access.ts'
import { what, where, who } from './deciding/lists.ts'
import {
  type AuthorizationQuestion,
  type AuthorizationWhatQuestion,
  type AuthorizationWhereQuestion,
  type AuthorizationWhoQuestion,
  type PermittedAction,
  type PermittedTenant,
  type PermittedUser,
  questions,
} from './deciding/question.ts'
import { explainedBy } from './deciding/why.ts'
import type { PolicyEngine } from './policies/policy-engine.ts'

/** The five questions of authorization, typed. */
export interface AuthorizationDecider extends Decider {
  can(question: AuthorizationQuestion, how?: Asking): Promise<Can>
  canMany(questions: readonly AuthorizationQuestion[], how?: Asking): Promise<readonly Can[]>
  why(question: AuthorizationQuestion, how?: Asking): Promise<Why>
  what(question: AuthorizationWhatQuestion, how?: Listing): Promise<AnswerPage<PermittedAction>>
  who(question: AuthorizationWhoQuestion, how?: Listing): Promise<AnswerPage<PermittedUser>>
  where(question: AuthorizationWhereQuestion, how?: Expanding): Promise<AnswerPage<PermittedTenant>>
}

/** Decisions over an authorization table by these policies: `localEngine` reads them. A program makes one decider for each connection to a table. */
export function decideAuthorization(policies: PolicyEngine): (runtime: Runtime, options?: DeciderOptions) => AuthorizationDecider {
  return deciderOf(questions, {
    can: async (sources, asked) => (await access(policies, sources, asked)).can,
    why: async (sources, asked) => explainedBy(await access(policies, sources, asked)),
    what: (sources, asked, list) => what(policies, sources, asked, list),
    who: (sources, asked, list) => who(policies, sources, asked, list),
    where: (sources, asked, list) => where(policies, sources, asked, list),
  })
}
