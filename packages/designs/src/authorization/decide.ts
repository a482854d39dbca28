import type { PolicyEngine, PolicySource } from '@freehold/frame/cedar'
import {
  type AnswerPage,
  type Asking,
  type Decider,
  type DeciderOptions,
  deciderOf,
  type Expanding,
  type Listed,
  type Listing,
  type Sources,
} from '@freehold/frame/decision'
import type { Runtime } from '@freehold/table'
import { where, who } from './deciding/lists.ts'
import { ignoredByAll } from './deciding/properties.ts'
import {
  type Access,
  type AuthorizationCan,
  type AuthorizationQuestion,
  type AuthorizationWhatOfTypeQuestion,
  type AuthorizationWhatQuestion,
  type AuthorizationWhereQuestion,
  type AuthorizationWhoQuestion,
  type AuthorizationWhy,
  type Ignoring,
  type PermittedAction,
  type PermittedResource,
  type PermittedTenant,
  type PermittedUser,
  questions,
  type WhatAsked,
  type WhereAsked,
  type WhoAsked,
} from './deciding/question.ts'
import type { ResourceSource } from './deciding/resources.ts'
import { areRolesForeign, rolesOf, situationOf } from './deciding/situation.ts'
import { type DecidesBy, faultsOfRequests, roleIdsRead, type Verdict, verdictOf } from './deciding/verdict.ts'
import { actionsAsked, what } from './deciding/what.ts'
import { explainedBy } from './deciding/why.ts'
import { Tenant } from './design.ts'

/** One round trip with warm definitions, three cold or strong; one more for the name of a user that is looked up for the first time. */
async function access(by: DecidesBy, sources: Sources, asked: Access): Promise<Verdict> {
  const situation = await situationOf(sources, asked, by.resources)
  const roles = await rolesOf(sources, roleIdsRead(situation, asked.resource), areRolesForeign([situation]))
  return verdictOf(by, situation, roles, asked)
}

/** The five questions of authorization, typed. */
export interface AuthorizationDecider extends Decider {
  can(question: AuthorizationQuestion, how?: Asking): Promise<AuthorizationCan>
  canMany(questions: readonly AuthorizationQuestion[], how?: Asking): Promise<readonly AuthorizationCan[]>
  why(question: AuthorizationQuestion, how?: Asking): Promise<AuthorizationWhy>
  what(question: AuthorizationWhatQuestion, how?: Listing): Promise<AnswerPage<PermittedAction> & Ignoring>
  what(question: AuthorizationWhatOfTypeQuestion, how?: Listing): Promise<AnswerPage<PermittedResource> & Ignoring>
  who(question: AuthorizationWhoQuestion, how?: Listing): Promise<AnswerPage<PermittedUser> & Ignoring>
  where(question: AuthorizationWhereQuestion, how?: Expanding): Promise<AnswerPage<PermittedTenant> & Ignoring>
}

const told = (ignored: readonly string[]): Ignoring => (ignored.length === 0 ? {} : { ignored })

/** A list, with the properties that none of the actions has policies see. The schema says so, and nothing is read for it. */
async function telling<T>(
  { engine }: DecidesBy,
  { properties }: Pick<WhatAsked, 'properties'>,
  type: string,
  actions: readonly string[],
  page: Promise<AnswerPage<T>>,
): Promise<AnswerPage<T> & Ignoring> {
  const answered = await page
  return properties === undefined ? answered : { ...answered, ...told(ignoredByAll(engine, type, actions, properties)) }
}

/** The answers by the policies of one moment. */
const answersBy = (by: DecidesBy) => ({
  can: async (sources: Sources, asked: Access): Promise<AuthorizationCan> => {
    const verdict = await access(by, sources, asked)
    return { ...verdict.can, ...told(verdict.ignored) }
  },
  why: async (sources: Sources, asked: Access): Promise<AuthorizationWhy> => {
    const verdict = await access(by, sources, asked)
    return { ...explainedBy(verdict), ...told(verdict.ignored) }
  },
  what: (sources: Sources, asked: WhatAsked, list: Listed) =>
    telling(by, asked, asked.resource.type, actionsAsked(by, asked), what(by, sources, asked, list)),
  who: (sources: Sources, asked: WhoAsked, list: Listed) =>
    telling(by, asked, asked.resource.type, [asked.action], who(by, sources, asked, list)),
  where: (sources: Sources, asked: WhereAsked, list: Listed) =>
    telling(by, asked, asked.resource?.type ?? Tenant.name, [asked.action], where(by, sources, asked, list)),
})

export interface DecidingOptions {
  /** Resources that a program keeps elsewhere, in place of those of the table. */
  readonly resources?: ResourceSource | undefined
}

/**
 * Decisions over an authorization table by these policies: `localEngine` reads them, and `policiesOf` those that may be replaced. A question, or a batch
 * of them, is answered by one version. A program makes one decider for each connection to a table.
 */
export function decideAuthorization(
  policies: PolicyEngine | PolicySource,
  { resources }: DecidingOptions = {},
): (runtime: Runtime, options?: DeciderOptions) => AuthorizationDecider {
  const now = () => ('current' in policies ? policies.current() : policies)
  const make = deciderOf(questions, () => answersBy({ engine: now(), resources }))
  // `what` lists resources if the question names none, and actions otherwise.
  return (runtime, options) => Object.assign(make(runtime, options), { faultsOfRequests }) as AuthorizationDecider
}
