import type { Runtime } from '@freehold/table'
import { deciderOf } from '../decision/decider.ts'
import type { AnswerPage, Asking, Can, Decider, DeciderOptions, Expanding, Listing, Taking, Why } from '../decision/decision.ts'
import { can } from './deciding/can.ts'
import {
  type AccountAccessQuestion,
  type AccountSnapshotQuestion,
  type AccountWhatQuestion,
  type AccountWhereQuestion,
  type AccountWhoQuestion,
  type EntitledUser,
  type GrantingScope,
  type HeldPermission,
  questions,
} from './deciding/question.ts'
import { takeAccess } from './deciding/take-access.ts'
import { what } from './deciding/what.ts'
import { where } from './deciding/where.ts'
import { who } from './deciding/who.ts'
import { why } from './deciding/why.ts'
import { type AccessSnapshot, accessSnapshot } from './snapshot/access-snapshot.ts'

/** The five questions of account-management and its snapshots, typed. */
export interface AccountDecider extends Decider {
  can(question: AccountAccessQuestion, how?: Asking): Promise<Can>
  canMany(questions: readonly AccountAccessQuestion[], how?: Asking): Promise<readonly Can[]>
  why(question: AccountAccessQuestion, how?: Asking): Promise<Why>
  what(question: AccountWhatQuestion, how?: Listing): Promise<AnswerPage<HeldPermission>>
  who(question: AccountWhoQuestion, how?: Listing): Promise<AnswerPage<EntitledUser>>
  where(question: AccountWhereQuestion, how?: Expanding): Promise<AnswerPage<GrantingScope>>
  /**
   * A snapshot of the permissions of a user, at a scope or without one everywhere, to be asked without waiting. It holds for `maxStalenessMs` unless
   * `lasts_ms` says otherwise, and never beyond the first end of what is in it. It goes out, to a browser say, and is never taken back as proof.
   * Throws if the table cannot be read, as the lists do.
   */
  access(question: AccountSnapshotQuestion, how?: Taking): Promise<AccessSnapshot>
}

/** Decisions over an account-management table. It remembers definitions and names between questions: one for each connection to a table. */
export const decideAccountManagement: (runtime: Runtime, options?: DeciderOptions) => AccountDecider = deciderOf(questions, {
  ...{ can, why, what, who, where },
  // Subscriptions are of projects and buildings: with a module, each scope is checked by itself.
  isExpanded: ({ module_id }, expand) => expand || module_id !== undefined,
  access: async (sources, asked, how) => accessSnapshot(await takeAccess(sources, asked, how), () => sources.runtime.now().getTime()),
})
