import type { DesignModule } from '@freehold/frame'
import type { AnswerPage, Can, Taken, Why } from '@freehold/frame/decision'
import { createOnce, operator } from '@freehold/frame/flow'
import { type Cost, meter, type Page, type Reading } from '@freehold/table'
import type { Pendable } from '@freehold/table/runtime'
import { answering, snapshotting } from '../naming/answering.ts'
import type { Shell } from '../shell.ts'
import type { Opened } from './open-table.ts'

type Values = Readonly<Record<string, unknown>>
type ListName = 'what' | 'who' | 'where'

/** The questions of a design. As of a decider: `can` and `why` deny with a fault where no decision came, and the others throw. */
export interface ReachedQuestions {
  can(question: Values, how: Values): Promise<Can>
  why(question: Values, how: Values): Promise<Why>
  list(name: ListName, question: Values, how: Values): Promise<AnswerPage<Values>>
  /** A snapshot of access: JSON. Throws `UnknownName` for a design that takes none. */
  access(question: Values, how: Values): Promise<Pick<Taken, 'reason'>>
  /** The fields of `can`, and those of them that a question may be without. */
  fields(): Promise<{ readonly fields: readonly string[]; readonly optionalFields: readonly string[] }>
}

/** The user who acts in flows, and the command in whose name it does. */
export interface Acting {
  /** By id or e-mail address. Without one, an operator acts. */
  readonly as?: string | undefined
  readonly session_id?: string | undefined
  /** The name of the command, for audits: `freehold do`. */
  readonly command: string
}

/** Runs a flow. The result names the jobs that are left, and is `replayed` for a repeat under the key. */
export type RunFlow = (name: string, input: Values, idempotencyKey?: string) => Promise<unknown>

interface Versioned {
  readonly version?: number
}

/** The items of an entity. */
export interface ReachedItems {
  get(id: Values, how: { readonly consistent: boolean; readonly secrets: readonly string[] }): Promise<Values | undefined>
  create(attributes: Values, idempotencyKey?: string): Promise<Values>
  update(id: Values, change: Values, how: Versioned): Promise<Values & Pendable>
  move(id: Values, change: Values, how: Versioned): Promise<Values & Pendable>
  remove(id: Values, how: Versioned): Promise<Pendable>
}

/** A design that a command has reached: in its table, or behind a service. Both give the same values, and throw the same errors. */
export interface ReachedDesign {
  /** Throws `UnknownName` and `InvalidInput` for a design that answers no questions. */
  questions(): ReachedQuestions
  items(entity: string): ReachedItems
  /** The item of an access pattern that reads one. */
  find(pattern: string, parameters: Values): Promise<Values | undefined>
  page(pattern: string, parameters: Values, reading: Reading): Promise<Page<Values>>
  /** Throws `Denied` for nobody. */
  acting(acting: Acting): Promise<RunFlow>
  /** Is called before a cursor is shown, which later commands must accept. */
  keepCursor(): void
  /** Does some work, and tells what it cost, as far as this process knows. */
  metered<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly cost?: Cost }>
}

/** A design in its table. */
export function designInTable(
  shell: Shell,
  module: DesignModule,
  { table, runtime, flows = module.flows, keepCursor }: Opened,
): ReachedDesign {
  return {
    questions: () => {
      const answers = answering(shell, module)
      const decider = answers.decider(runtime)
      return {
        can: (question, how) => decider.can(question, how),
        why: (question, how) => decider.why(question, how),
        list: (name, question, how) => decider[name](question, how),
        access: (question, how) => snapshotting(module, decider).access(question, how),
        fields: async () => ({ fields: decider.fields.can, optionalFields: decider.optionalFields ?? [] }),
      }
    },
    items: (entity) => {
      const items = table.repositoryNamed(entity)
      return {
        get: (id, how) => items.get(id, how),
        create: (attributes, key) =>
          key === undefined
            ? items.create(attributes)
            : createOnce(table, entity, attributes, { actor: { ...operator, name: 'freehold create' } }, key),
        update: (id, change, how) => items.update(id, change, how),
        move: (id, change, how) => items.move(id, change, how),
        remove: (id, how) => items.remove(id, how),
      }
    },
    // A pattern of one item gives that or nothing, and another a page.
    find: async (pattern, parameters) => (await table.patternNamed(pattern)(parameters)) as Values | undefined,
    page: async (pattern, parameters, reading) => (await table.patternNamed(pattern)(parameters, reading)) as Page<Values>,
    acting: async ({ as, session_id, command }) => {
      const actor = as === undefined ? { ...operator, name: command } : await flows?.actorNamed(table, as)
      const caller = { actor: actor ?? operator, session_id, via: command }
      return async (name, input, idempotencyKey) => flows?.run(table, name, input, caller, { idempotencyKey })
    },
    keepCursor,
    metered: meter,
  }
}
