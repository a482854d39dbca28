import type { ConnectOptions, Runtime } from '@freehold/table'
import type { Decider, DeciderOptions, QuestionName } from '../../../frame/src/decision/decision.ts'

export type Question = Readonly<Record<string, unknown>>

/** Somebody, a scope or a permission: as a question names it, and as the item of a list tells it. */
export interface Subject {
  readonly ask: Question
  readonly told: string
}

export const listNames = ['what', 'who', 'where'] as const
export type ListName = (typeof listNames)[number]

/** Cold, warm and strong. */
export type RoundTrips = readonly [cold: number, warm: number, strong: number]

/** The scene of a design: a small organisation, whose every user, scope and permission is named here, and its numbers. */
export interface DeciderScene {
  readonly name: string
  /** A table of its own with the scene in it. */
  readonly open: (options: ConnectOptions) => Promise<{ readonly runtime: Runtime; readonly close: () => void }>
  readonly decide: (runtime: Runtime, options?: DeciderOptions) => Decider
  readonly users: readonly Subject[]
  readonly scopes: readonly Subject[]
  readonly permissions: readonly Subject[]
  /** The subject of an item of a list; those of one that has several permissions. */
  readonly told: Readonly<Record<ListName, (item: Question) => string | readonly string[]>>
  /** True if `where` lists one scope at most, unless it is asked to expand. */
  readonly pagesExpanded?: boolean
  /** One question each that is answered with yes, or with a list. */
  readonly asked: Readonly<Record<QuestionName, Question>>
  readonly roundTrips: Readonly<Record<QuestionName, RoundTrips>>
  /** How many requests `can` sends, cold and warm. */
  readonly requestsOfCan: readonly [cold: number, warm: number]
}
