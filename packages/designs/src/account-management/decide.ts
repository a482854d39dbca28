import type { Runtime } from '@freehold/table'
import { answering } from '../decision/answering.ts'
import type { AnswerPage, Asking, Can, Decider, DeciderOptions, Expanding, Listing, Taking, Why } from '../decision/decision.ts'
import { takingOf } from '../decision/question.ts'
import { can } from './deciding/can.ts'
import { everywhere } from './deciding/everywhere.ts'
import {
  type Access,
  type AccountAccessQuestion,
  type AccountSnapshotQuestion,
  type AccountWhatQuestion,
  type AccountWhereQuestion,
  type AccountWhoQuestion,
  accessAsked,
  fields,
  optionalFields,
  snapshotAsked,
  whatAsked,
  whereAsked,
  whoAsked,
} from './deciding/question.ts'
import { takeAccess } from './deciding/take-access.ts'
import { type HeldPermission, what } from './deciding/what.ts'
import { type GrantingPlace, where } from './deciding/where.ts'
import { type EntitledUser, who } from './deciding/who.ts'
import { why } from './deciding/why.ts'
import { permissionText } from './permission/permission.ts'
import { type AccessSnapshot, accessSnapshot } from './snapshot/access-snapshot.ts'

/** The five questions of account-management and its snapshots, typed. It remembers definitions and names between questions: one for each connection to a table. */
export interface AccountDecider extends Decider {
  can(question: AccountAccessQuestion, how?: Asking): Promise<Can>
  canMany(questions: readonly AccountAccessQuestion[], how?: Asking): Promise<readonly Can[]>
  why(question: AccountAccessQuestion, how?: Asking): Promise<Why>
  what(question: AccountWhatQuestion, how?: Listing): Promise<AnswerPage<HeldPermission>>
  who(question: AccountWhoQuestion, how?: Listing): Promise<AnswerPage<EntitledUser>>
  where(question: AccountWhereQuestion, how?: Expanding): Promise<AnswerPage<GrantingPlace>>
  /**
   * What a user may do, at a place or without one everywhere, to be asked without waiting. It holds for `maxStalenessMs` unless `lasts_ms` says
   * otherwise, and never beyond the first end of what is in it. It goes out, to a browser say, and is never taken back as proof.
   * Throws where the table cannot be read, as the lists do.
   */
  access(question: AccountSnapshotQuestion, how?: Taking): Promise<AccessSnapshot>
}

/** What a cursor is bound to: the question's fields, normalised. */
function boundTo({ user, place, permission, module }: Partial<Access>, isExpanded = false): Record<string, string> {
  const texts = {
    user: user?.text,
    ...place,
    permission: permission === undefined ? undefined : permissionText(permission),
    module_id: module?.module_id,
    include_trial: module?.include_trial === true ? 'true' : undefined,
    expand: isExpanded ? 'true' : undefined,
  }
  return Object.fromEntries(Object.entries(texts).flatMap(([field, text]) => (text === undefined ? [] : [[field, text]])))
}

/** Decisions over an account-management table (spec rules 18 to 21). Nothing is read before a question is asked. */
export function decideAccountManagement(runtime: Runtime, options: DeciderOptions = {}): AccountDecider {
  const { maxStalenessMs, sources, answers, list } = answering<Access>(runtime, options, { accessAsked, can, why })
  return {
    fields,
    optionalFields,
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
      // What a client has is no subscription of its own: with a module, each place is looked at by itself.
      const isExpanded = how?.expand === true || asked.module.module_id !== undefined
      return list('where', asked, how, boundTo(asked, isExpanded), isExpanded ? everywhere : where)
    },
    access: async (question, how) => {
      const asked = snapshotAsked(question)
      const { consistency, lasts_ms = maxStalenessMs, evidence } = takingOf(how)
      const data = await takeAccess(sources(consistency), asked, { lasts_ms, evidence })
      return accessSnapshot(data, () => runtime.now().getTime())
    },
  }
}
