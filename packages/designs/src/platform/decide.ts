import type { Runtime } from '@freehold/table'
import { deciderOf } from '../decision/decider.ts'
import type { AnswerPage, Asking, Can, Decider, DeciderOptions, Expanding, Listing, Taking, Why } from '../decision/decision.ts'
import { can } from './deciding/can.ts'
import {
  type OpenMenu,
  type PermittedPlace,
  type PermittedUser,
  type PlatformAccessQuestion,
  type PlatformSnapshotQuestion,
  type PlatformWhatQuestion,
  type PlatformWhereQuestion,
  type PlatformWhoQuestion,
  questions,
} from './deciding/question.ts'
import { takeAccess } from './deciding/take-access.ts'
import { what } from './deciding/what.ts'
import { where } from './deciding/where.ts'
import { who } from './deciding/who.ts'
import { why } from './deciding/why.ts'
import { type AccessSnapshot, accessSnapshot } from './snapshot/access-snapshot.ts'

/** The five questions of platform and its snapshots, typed. */
export interface PlatformDecider extends Decider {
  can(question: PlatformAccessQuestion, how?: Asking): Promise<Can>
  canMany(questions: readonly PlatformAccessQuestion[], how?: Asking): Promise<readonly Can[]>
  why(question: PlatformAccessQuestion, how?: Asking): Promise<Why>
  what(question: PlatformWhatQuestion, how?: Listing): Promise<AnswerPage<OpenMenu>>
  who(question: PlatformWhoQuestion, how?: Listing): Promise<AnswerPage<PermittedUser>>
  where(question: PlatformWhereQuestion, how?: Expanding): Promise<AnswerPage<PermittedPlace>>
  /**
   * A snapshot of the menus of a user, at a place or without one at all of its places, to be asked without waiting. It holds for `maxStalenessMs`
   * unless `lasts_ms` says otherwise, and never beyond the user's last day. It goes out, to a browser say, and is never taken back as proof. Throws if
   * the table cannot be read, as the lists do.
   */
  access(question: PlatformSnapshotQuestion, how?: Taking): Promise<AccessSnapshot>
}

/** Decisions over a platform table. It remembers definitions and names between questions: one for each connection to a table. */
export const decidePlatform: (runtime: Runtime, options?: DeciderOptions) => PlatformDecider = deciderOf(questions, {
  ...{ can, why, what, who, where },
  isExpanded: (_, expand) => expand,
  access: async (sources, asked, how) => accessSnapshot(await takeAccess(sources, asked, how), () => sources.runtime.now().getTime()),
})
