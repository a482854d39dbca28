import type { AnyDesign, Entity, Item, Runtime } from '@freehold/table'
import { deciderOf } from '../../decision/decider.ts'
import type { DeciderFor, DeciderOptions, Taken } from '../../decision/decision.ts'
import type { HowTaken, Questions } from '../../decision/question.ts'
import type { Sources } from '../../decision/sources.ts'
import type { Granting } from '../way.ts'
import { can } from './denial.ts'
import { type AllHeld, heldAt, heldEverywhere } from './held.ts'
import { what, who } from './lists.ts'
import type { ScopedAsked, ScopeNeed } from './need.ts'
import { type Pattern, type Patterns, patternsOf } from './patterns.ts'
import { peopleIn, type ScopedPeople } from './people.ts'
import { scopedQuestions } from './questions.ts'
import type { AssignedRole, RoleAt } from './roles.ts'
import type { ScopeChain } from './scope-chain.ts'
import { type ScopedWords, scopedIn } from './scoped.ts'
import { where } from './where.ts'
import { why } from './why.ts'

type KindOf<E> = E extends Entity<infer N> ? Uncapitalize<N> : never
type Values<E> = { readonly [N in keyof Item<E>]?: Item<E>[N] & (string | number | boolean) }
type At<T extends string> = { readonly [K in T]?: string }
type By<S extends string> = { readonly [K in S]: string }

/** The part of a grant that lists tell, by the names of its attributes: scope, role and end, and the name of the role. */
export type ScopedGrant = Readonly<Record<string, string>>

/** The five questions of access at scopes, typed: its fields are the names of subject and scopes, uncapitalised, and `permission`. */
export interface ScopedDecider<S extends string, T extends string, N extends string>
  extends DeciderFor<{
    readonly can: By<S> & At<T> & { readonly permission: Pattern<N> | string }
    readonly what: [By<S> & At<T>, { readonly permission: Pattern<N>; readonly grantedBy: ScopedGrant }]
    readonly who: [
      At<T> & { readonly permission: Pattern<N> | string },
      Readonly<Record<string, unknown>> & { readonly grantedBy: ScopedGrant },
    ]
    readonly where: [
      By<S> & { readonly permission: Pattern<N> | string },
      Readonly<Record<string, unknown>> & { readonly grantedBy: ScopedGrant },
    ]
  }> {}

/** Who may do what at scopes that contain each other, by the design's own entities. */
export interface ScopedDeclaration<E, S extends Entity, C, N extends string> {
  readonly subject: S
  /** The outermost first, each by the attribute with which items beneath it name it: `{ client_id: Client, project_id: Project }`. */
  readonly scopes: C
  /** The parts of a permission, each with what it is in words. */
  readonly permission: Readonly<Record<N, string>>
  /** A uniqueness guard by whose text a subject is called, too: an e-mail address. */
  readonly names?: readonly Entity[]
  /** The values that subjects and scopes must have to count, by entity. */
  readonly where?: { readonly [K in keyof E]?: Values<E[K]> }
  /** The values of subjects who are of no outermost scope, and may have roles at each. Others have roles in their own. */
  readonly unless?: Values<S>
  /** One way: an entity that names subject and role, and by `at()` a scope. What is granted there is granted beneath, too. */
  readonly grants: Granting
  /** What a scope needs besides, where a question says so. */
  readonly needs?: ScopeNeed
  /** How items are called, and why they deny. */
  readonly words?: { readonly [K in keyof E]?: ScopedWords }
  /** What lists tell of a subject: attributes by the name under which they are told. */
  readonly shows?: Readonly<Record<string, keyof S['attributes'] & string>>
  /** Begins a snapshot for a browser, before anything is read, and makes it of what a subject holds. */
  readonly snapshots?: (sources: Sources, how: HowTaken) => (held: AllHeld) => Taken
}

/** All that follows from a declaration of access at scopes. */
export interface ScopedAccess<S extends string = string, T extends string = string, N extends string = string, K extends string = string> {
  /** The five questions: complete, paged, explained, strong and bounded. */
  decider(runtime: Runtime, options?: DeciderOptions): ScopedDecider<S, T, N>
  /** How they are declared. */
  readonly questions: Questions
  readonly scopes: ScopeChain<K, T>
  /** The roles that an assignment may mean, the first that is there. */
  rolesMeant(at: AssignedRole): readonly RoleAt[]
  /** How permissions cover each other. */
  readonly patterns: Patterns<N>
  /** The declaration as data for a console: the `people` of a module. */
  readonly people: ScopedPeople
}

/**
 * Declares who may do what at scopes that contain each other, such as clients, their projects, and the buildings of these: a role that is assigned at a scope
 * counts at everything beneath it. Throws `InvalidDesign` for a declaration that the design does not bear out.
 */
export function scopedAccessOf<E, S extends Entity, const C extends Readonly<Record<string, Entity>>, N extends string>(
  design: AnyDesign & { readonly entities: E },
  declaration: ScopedDeclaration<E, S, C, N>,
): ScopedAccess<KindOf<S>, KindOf<C[keyof C]>, N, keyof C & string> {
  const { permission, snapshots, where: conditions, words, ...rest } = declaration
  // The parts are the names of that object.
  const parts = Object.keys(permission) as N[]
  // Conditions and words are looked up by name; their types are those of the design's entities.
  const declared = scopedIn(design, { ...rest, permission: parts, where: conditions as never, words: words as never } as never)
  const questions = scopedQuestions(declared, permission, snapshots !== undefined)
  const { chain, need } = declared
  const isScoped = (asked: ScopedAsked) => chain.levels.some(({ type }) => asked[type] !== undefined)
  const answers = {
    can: (sources: Sources, asked: ScopedAsked) => can(declared, sources, asked),
    why: (sources: Sources, asked: ScopedAsked) => why(declared, sources, asked),
    what: (sources: Sources, asked: ScopedAsked, list: Parameters<typeof what>[3]) => what(declared, sources, asked, list),
    who: (sources: Sources, asked: ScopedAsked, list: Parameters<typeof who>[3]) => who(declared, sources, asked, list),
    where: (sources: Sources, asked: ScopedAsked, list: Parameters<typeof where>[3]) => where(declared, sources, asked, list),
    // What is needed is said of each scope by itself.
    isExpanded: (asked: ScopedAsked, expand: boolean) => expand || need?.isAsked(asked) === true,
    ...(snapshots && {
      access: async (sources: Sources, asked: ScopedAsked, how: HowTaken) => {
        const taken = snapshots(sources, how)
        return taken(await (isScoped(asked) ? heldAt : heldEverywhere)(declared, sources, asked))
      },
    }),
  }
  return Object.freeze({
    // Its questions and answers are those of the declaration.
    decider: deciderOf(questions, answers) as unknown as ScopedAccess<KindOf<S>, KindOf<C[keyof C]>, N>['decider'],
    questions,
    // The kinds are those of the entities.
    scopes: chain as unknown as ScopeChain<keyof C & string, KindOf<C[keyof C]>>,
    rolesMeant: declared.roles.rolesMeant,
    patterns: patternsOf(parts),
    people: peopleIn(declared),
  })
}
