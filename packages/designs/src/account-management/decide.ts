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
  Taking,
  Why,
} from '../decision/decision.ts'
import { definitionMemory } from '../decision/definitions.ts'
import { denyingOnFault } from '../decision/fault.ts'
import { type Listed, listed } from '../decision/list.ts'
import { nameMemory } from '../decision/name-memory.ts'
import { consistencyOf, listingOf, takingOf } from '../decision/question.ts'
import type { Sources } from '../decision/sources.ts'
import { can } from './deciding/can.ts'
import { everywhere } from './deciding/everywhere.ts'
import { permissionText } from './deciding/permission.ts'
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

const maxStalenessDefault_ms = 5_000

/** What a cursor is bound to: the question's fields, normalised. */
function boundTo({ user, place, permission, module }: Partial<Access>, isExpanded: boolean): Record<string, string> {
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

/** Decisions over an account-management table (spec rules 18 to 21). Nothing is read before a question is asked. */
export function decideAccountManagement(
  runtime: Runtime,
  { maxStalenessMs = maxStalenessDefault_ms }: DeciderOptions = {},
): AccountDecider {
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
    isExpanded = false,
  ): Promise<AnswerPage<T>> => {
    const listing = listingOf(name, how)
    return answer(sources(listing.consistency), asked, listed(runtime, name, boundTo(asked, isExpanded), listing))
  }

  return {
    fields,
    optionalFields,
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
    where: async (question, how) => {
      const asked = whereAsked(question)
      // What a client has is no subscription of its own: with a module, each place is looked at by itself.
      const isExpanded = how?.expand === true || asked.module.module_id !== undefined
      return list('where', asked, how, isExpanded ? everywhere : where, isExpanded)
    },
    access: async (question, how) => {
      const asked = snapshotAsked(question)
      const { consistency, lasts_ms = maxStalenessMs, evidence } = takingOf(how)
      const data = await takeAccess(sources(consistency), asked, { lasts_ms, evidence })
      return accessSnapshot(data, () => runtime.now().getTime())
    },
  }
}
