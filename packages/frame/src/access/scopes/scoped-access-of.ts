import type { AnyDesign, Entity, Runtime } from '@freehold/table'
import type { AuthzenMapping, AuthzenServed } from '../../authzen/mapping.ts'
import { deciderOf } from '../../decision/decider.ts'
import type { DeciderFor, DeciderOptions, Taken } from '../../decision/decision.ts'
import type { HowTaken, Questions } from '../../decision/question.ts'
import type { Sources } from '../../decision/sources.ts'
import type { ActingUser, FlowTable } from '../../flow/flow-host.ts'
import type { ConditionsOf, Uncapitalised } from '../declared.ts'
import type { AccessFinding } from '../findings.ts'
import type { AccessHost } from '../host.ts'
import type { AccessOutline } from '../outline.ts'
import type { Granting } from '../way.ts'
import { scopedAuthzen } from './authzen.ts'
import { can } from './denial.ts'
import { type AllHeld, heldAt, heldEverywhere } from './held.ts'
import { scopedHostOf } from './host.ts'
import { what, who } from './lists.ts'
import type { ScopedAsked, ScopeNeed } from './need.ts'
import { outlineOf } from './outline.ts'
import type { Pattern } from './patterns.ts'
import { scopedQuestions } from './questions.ts'
import type { AssignedRole, RoleAt } from './roles.ts'
import { type ScopedWords, scopedIn } from './scoped.ts'
import { where } from './where.ts'
import { why } from './why.ts'

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
  readonly where?: { readonly [K in keyof E]?: ConditionsOf<E[K]> }
  /** The values of subjects who are of no outermost scope, and may have roles at each. Others have roles in their own. */
  readonly unless?: ConditionsOf<S>
  /** One way: an entity that names subject and role, and by `at()` a scope. What is granted there is granted beneath, too. */
  readonly grants: Granting
  /** A need of scopes beside a role, if a question says so. */
  readonly needs?: ScopeNeed
  /** How items are called, and why they deny. */
  readonly words?: { readonly [K in keyof E]?: ScopedWords }
  /** Attributes of a subject that lists tell, by the name under which they are told. */
  readonly shows?: Readonly<Record<string, keyof S['attributes'] & string>>
  /** Begins a snapshot for a browser, before anything is read, and makes it of what a subject holds. */
  readonly snapshots?: (sources: Sources, how: HowTaken) => (held: AllHeld) => Taken
}

/** All that follows from a declaration of access at scopes. */
export interface ScopedAccess<S extends string = string, T extends string = string, N extends string = string> {
  /** The five questions: complete, paged, explained, strong and bounded. */
  decider(runtime: Runtime, options?: DeciderOptions): ScopedDecider<S, T, N>
  /** How they are declared. */
  readonly questions: Questions
  /** AuthZEN's names: the types of subjects and resources are the fields of questions, and an action is the parts of its permission, `doors:open:gate`. */
  authzen(served: AuthzenServed): AuthzenMapping
  /** A part of a flow host. It reads the acting user, asks the question that a permission is, and checks its chain with each write. */
  host<H extends FlowTable, W extends object, U extends ActingUser = ActingUser>(): AccessHost<H, U, W>
  /** The roles that an assignment may mean, the first that is there. */
  rolesMeant(at: AssignedRole): readonly RoleAt[]
  /** What `prove` finds: nothing, since a declaration without an item that its lists need is refused. */
  readonly findings: readonly AccessFinding[]
  /** The declaration as data: who are people, what are scopes and how they contain each other, what is a role and a grant, and when it ends. */
  readonly outline: AccessOutline
}

/**
 * Declares who may do what at scopes that contain each other, such as clients, their projects, and the buildings of these: a role that is assigned at a scope
 * counts at everything beneath it. Throws `InvalidDesign` for a declaration that the design does not bear out.
 */
export function scopedAccessOf<E, S extends Entity, const C extends Readonly<Record<string, Entity>>, N extends string>(
  design: AnyDesign & { readonly entities: E },
  declaration: ScopedDeclaration<E, S, C, N>,
): ScopedAccess<Uncapitalised<S>, Uncapitalised<C[keyof C]>, N> {
  const { permission, snapshots, where: conditions, unless, words, ...rest } = declaration
  // Conditions and words are looked up by name; their types are those of the design's entities.
  const byName = { where: conditions as never, unless: unless as never, words: words as never }
  const declared = scopedIn(design, { ...rest, ...byName, permission: Object.keys(permission) })
  const questions = scopedQuestions(declared, permission, snapshots !== undefined)
  const { chain, need } = declared
  const isScoped = (asked: ScopedAsked) => chain.levels.some(({ type }) => asked[type] !== undefined)
  const decider = deciderOf(questions, {
    can: (sources, asked) => can(declared, sources, asked),
    why: (sources, asked) => why(declared, sources, asked),
    what: (sources, asked, list) => what(declared, sources, asked, list),
    who: (sources, asked, list) => who(declared, sources, asked, list),
    where: (sources, asked, list) => where(declared, sources, asked, list),
    // Each scope has what is needed by itself.
    isExpanded: (asked, expand) => expand || need?.isAsked(asked) === true,
    ...(snapshots && {
      access: async (sources: Sources, asked: ScopedAsked, how: HowTaken) => {
        const taken = snapshots(sources, how)
        return taken(await (isScoped(asked) ? heldAt : heldEverywhere)(declared, sources, asked))
      },
    }),
  })
  return Object.freeze({
    // Its questions and answers are those of the declaration.
    decider: decider as unknown as ScopedAccess<Uncapitalised<S>, Uncapitalised<C[keyof C]>, N>['decider'],
    questions,
    authzen: (served: AuthzenServed) => scopedAuthzen(declared, served),
    host: <H extends FlowTable, W extends object, U extends ActingUser>() => scopedHostOf<H, U, W>(design, declared, decider),
    rolesMeant: declared.roles.rolesMeant,
    findings: [],
    outline: outlineOf(declared),
  })
}
