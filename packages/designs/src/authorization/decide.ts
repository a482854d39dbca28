import type { Runtime } from '@freehold/table'
import { deciderOf } from '../decision/decider.ts'
import type { AnswerPage, Asking, Decider, DeciderOptions, Expanding, Listing } from '../decision/decision.ts'
import { access } from './deciding/access.ts'
import { what, where, who } from './deciding/lists.ts'
import {
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
} from './deciding/question.ts'
import type { Verdict } from './deciding/verdict.ts'
import { explainedBy } from './deciding/why.ts'
import type { PolicyEngine } from './policies/policy-engine.ts'

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

/** Decisions over an authorization table by these policies: `localEngine` reads them. A program makes one decider for each connection to a table. */
export function decideAuthorization(policies: PolicyEngine): (runtime: Runtime, options?: DeciderOptions) => AuthorizationDecider {
  return deciderOf(questions, {
    can: async (sources, asked) => {
      const verdict = await access(policies, sources, asked)
      return { ...verdict.can, ...told(verdict) }
    },
    why: async (sources, asked) => {
      const verdict = await access(policies, sources, asked)
      return { ...explainedBy(verdict), ...told(verdict) }
    },
    what: (sources, asked, list) => what(policies, sources, asked, list),
    who: (sources, asked, list) => who(policies, sources, asked, list),
    where: (sources, asked, list) => where(policies, sources, asked, list),
  })
}
