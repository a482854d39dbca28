import type { Attributes, Page } from '@freehold/table'
import type { Returns } from './returns.ts'

/** The five questions that every design answers (spec rule 21). */
export const questionNames = ['can', 'why', 'what', 'who', 'where'] as const
export type QuestionName = (typeof questionNames)[number]

/** A decider is asked a question, or for a snapshot of access if it gives one. */
export type AskedName = QuestionName | 'access'

/**
 * `strong` reads everything; `bounded` may take definitions (roles, their permissions, groups' roles, pages, locations) from memory, at most
 * `maxStalenessMs` after the read that fetched them was sent. Users, memberships and assignments are always read (spec rule 18).
 */
export type Consistency = 'strong' | 'bounded'

export interface Asking {
  /** `bounded` unless given. */
  readonly consistency?: Consistency | undefined
}
export interface Listing extends Asking {
  /** Items a page, from 1 to 1,000; 100 unless given. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}
export interface Expanding extends Listing {
  /** Every scope, instead of the granting scopes, each of which covers all beneath it. Alike in a design whose scopes hold no others. */
  readonly expand?: boolean | undefined
}

export interface Taking extends Asking {
  /** How long the snapshot may hold, in milliseconds, up to a day; `maxStalenessMs` of the decider unless given. */
  readonly lasts_ms?: number | undefined
  /** By which roles and assignments each permission is held; left out unless asked for. */
  readonly evidence?: boolean | undefined
}

/** A snapshot of a user's access, as it was read at one moment. */
export interface Taken {
  readonly grants: readonly unknown[]
  /** Why nothing is allowed; of kind `fault` also if something malformed was left out. */
  readonly reason?: Reason
  toJSON(): Readonly<Record<string, unknown>>
}

/** One item of the chain that a decision rests on, or one that was looked for and is missing. */
export interface Evidence {
  /** The subject of the step: `user`, `membership`, `group`, `role`, `permission`, … */
  readonly step: string
  /** The entity's name and key attributes, as in the design. */
  readonly entity: string
  readonly id: Readonly<Record<string, string>>
  /** `found`; else what is wrong with it. */
  readonly state: 'found' | 'missing' | 'deleting' | 'denies' | 'malformed' | 'expired' | 'inactive'
  /** A sentence for a person. */
  readonly message: string
  /**
   * The version of a found item, or attributes, as they were read, if the answer rests on them; null for one that it lacks. A write that rests on the
   * answer checks them. Left out if the answer rests on its existence alone.
   */
  readonly as?: Readonly<Record<string, string | number | boolean | null>>
}

/** Why a question was answered with no: `policy`, or a fault that denies without the policy having been asked (spec rule 19). */
export interface Reason {
  readonly kind: 'policy' | 'unknown' | 'fault'
  /** A stable name: `NoGrant`, `UnknownUser`, `UnknownLocation`, `BeingDeleted`, `StorageFault`, … */
  readonly code: string
  readonly message: string
}

export interface Can {
  readonly allowed: boolean
  /** Present if not allowed. */
  readonly reason?: Reason
}
export interface Why extends Can {
  /** If allowed: each chain of items that allows it, a hundred at most. Otherwise empty. */
  readonly chains: readonly (readonly Evidence[])[]
  /** If not allowed: the missing items of each step, a hundred at most. */
  readonly missing: readonly Evidence[]
}

/** A page of a list that a question is answered with. */
export interface AnswerPage<T> extends Page<T> {
  /** Why there are none, if something that was asked about is not there, denies whatever is asked, or is malformed and might have listed more. */
  readonly reason?: Reason
}

/** A question as it is declared: all that a page needs to tell of it. */
export interface DeclaredQuestion<I extends Attributes = Attributes, R = unknown> {
  /** One sentence: the question itself. */
  readonly summary: string
  /** What its fields must be together, in a sentence. */
  readonly rule?: string
  /** Its fields, in the order in which people say them. */
  readonly fields: I
  readonly answer: Returns<R>
}

/** The questions of a design; `access` if it gives snapshots. */
export type DeclaredQuestions = Readonly<Record<QuestionName, DeclaredQuestion>> & { readonly access?: DeclaredQuestion }

/**
 * The untyped face of a design's decisions, for the command and for HTTP. Questions are validated, unknown fields refused (`InvalidInput`).
 * `can`, `canMany` and `why` answer a storage failure with a denial of kind `fault`; the lists throw it, since an empty page would say "none".
 */
export interface Decider {
  /** The fields that each question takes; those of `access` if there are snapshots. */
  readonly fields: Readonly<Record<QuestionName, readonly string[]>> & { readonly access?: readonly string[] }
  /** Those of them that a question may be without; none unless given. */
  readonly optionalFields?: readonly string[]
  /** Codes of faults that are due to what was asked: they deny, and nothing is out of order. None unless given. */
  readonly faultsOfRequests?: readonly string[]
  /** How they are declared. A decider of a program's own may leave that out; its fields and answers are then told by their names alone. */
  readonly declared?: DeclaredQuestions
  can(question: unknown, how?: Asking): Promise<Can>
  /** Many questions side by side, answered in their order; all are validated before the first is asked. */
  canMany(questions: readonly unknown[], how?: Asking): Promise<readonly Can[]>
  why(question: unknown, how?: Asking): Promise<Why>
  what(question: unknown, how?: Listing): Promise<AnswerPage<Readonly<Record<string, unknown>>>>
  who(question: unknown, how?: Listing): Promise<AnswerPage<Readonly<Record<string, unknown>>>>
  where(question: unknown, how?: Expanding): Promise<AnswerPage<Readonly<Record<string, unknown>>>>
  /** A snapshot of what a user may do, at a scope or everywhere. Like the lists it throws a storage failure. */
  access?(question: unknown, how?: Taking): Promise<Taken>
}

/** The types of a design's decider: of a list its question and an item of its answer. */
export interface DeciderTypes {
  readonly can: unknown
  readonly what: readonly [question: unknown, item: Readonly<Record<string, unknown>>]
  readonly who: readonly [question: unknown, item: Readonly<Record<string, unknown>>]
  readonly where: readonly [question: unknown, item: Readonly<Record<string, unknown>>]
}

/** The five questions of a design, typed. */
export interface DeciderFor<T extends DeciderTypes> extends Decider {
  can(question: T['can'], how?: Asking): Promise<Can>
  canMany(questions: readonly T['can'][], how?: Asking): Promise<readonly Can[]>
  why(question: T['can'], how?: Asking): Promise<Why>
  what(question: T['what'][0], how?: Listing): Promise<AnswerPage<T['what'][1]>>
  who(question: T['who'][0], how?: Listing): Promise<AnswerPage<T['who'][1]>>
  where(question: T['where'][0], how?: Expanding): Promise<AnswerPage<T['where'][1]>>
}

/** The same with snapshots. */
export interface SnapshotDeciderFor<T extends DeciderTypes & { readonly access: readonly [question: unknown, snapshot: Taken] }>
  extends DeciderFor<T> {
  /**
   * A snapshot of what a user may do, at a scope or without one at all of the user's, to be asked without waiting. It holds for `maxStalenessMs` unless
   * `lasts_ms` says otherwise, and never beyond the first end of what is in it. It goes out, to a browser say, and is never taken back as proof. Throws if
   * the table cannot be read, as the lists do.
   */
  access(question: T['access'][0], how?: Taking): Promise<T['access'][1]>
}

export interface DeciderOptions {
  /** How old definitions may be for `bounded`, in milliseconds; 5,000 unless given. */
  readonly maxStalenessMs?: number
  /** How much memory definitions take at most, in bytes by a cautious estimate; 64 MB unless given. More are read again as they are asked about. */
  readonly definitionBytesMax?: number
  /** Called with each definition that a question takes: with its age in memory, or with undefined where it is read. It must not throw. */
  readonly onDefinition?: ((age_ms: number | undefined) => void) | undefined
}
