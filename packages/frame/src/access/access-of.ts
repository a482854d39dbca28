import type { AnyDesign, Attribute, Entity, Item, Runtime } from '@freehold/table'
import type { AuthzenMapping } from '../authzen/mapping.ts'
import { deciderOf } from '../decision/decider.ts'
import type { DeciderOptions, SnapshotDeciderFor, Taken } from '../decision/decision.ts'
import type { Questions } from '../decision/question.ts'
import type { ActingUser, FlowTable } from '../flow/flow-host.ts'
import { can, what, why } from './answers.ts'
import { authzenOf } from './authzen.ts'
import { type ConditionsOf, declaredIn, type Uncapitalised } from './declared.ts'
import { type AccessFinding, findingsOf } from './findings.ts'
import { type AccessHost, hostOf } from './host.ts'
import { where, who } from './lists.ts'
import { type AccessOutline, outlineOf } from './outline.ts'
import { questionsOf } from './questions.ts'
import type { Words } from './sentence.ts'
import { type AccessSnapshot, accessSnapshot } from './snapshot/access-snapshot.ts'
import { takeAccess } from './take-access.ts'
import type { everything, Granting } from './way.ts'

type ActionOf<A> = A extends Attribute<infer V extends string> ? V : string
type ActionField<A> = A extends Entity<infer N> ? Uncapitalize<N> : 'action'
type By<F extends string, V = string> = { readonly [N in F]: V }
type Until = { readonly until?: string | undefined }

/**
 * The five questions of an access declaration, typed: its fields are the names of the subject and of the place, uncapitalised, and `action`, or the name of
 * actions that are items.
 */
export interface AccessDecider<S extends string, P extends string, A extends string, F extends string = 'action'>
  extends SnapshotDeciderFor<{
    readonly can: By<S | P> & By<F, A>
    readonly what: [By<S | P>, By<F, A> & Until]
    readonly who: [By<P> & By<F, A>, By<S | P> & Until]
    readonly where: [By<S> & By<F, A>, By<S | P> & Until]
    readonly access: [By<S> & Partial<By<P>>, AccessSnapshot]
  }> {}

/** Who may do what where, by the design's own entities, edges and lookup items. */
export interface AccessDeclaration<E, S extends Entity, P extends Entity, T extends Attribute<string, 'given'> | Entity> {
  readonly subject: S
  readonly place: P
  /** `oneOf` the actions, or an entity whose items are actions, such as a page. */
  readonly action: T
  /** What is done with such an item: `open`. */
  readonly verb?: string
  /** Uniqueness guards, or edges with one end, by whose text a subject or a place is called, too: an e-mail address, a code. */
  readonly names?: readonly Entity[]
  /** The place, if `bounded` may take it and its names from memory. */
  readonly definitions?: readonly P[]
  /** The edge that ties parts of a place to their members. A question may name a part: then the subject must be a member of it. */
  readonly within?: Entity
  /** By subject or place: the attribute that holds its last day or instant. */
  readonly until?: { readonly [N in keyof E]?: keyof Item<E[N]> & string }
  /** The values that items must have to count, by entity: that a user is active. */
  readonly where?: { readonly [N in keyof E]?: ConditionsOf<E[N]> }
  /** What is needed, too: each of these ways must lead there, such as a seat or a membership. One that says no actions is needed for each. */
  readonly needs?: readonly Granting<NoInfer<ActionOf<T>> | typeof everything>[]
  /** The ways by which something is granted. One is enough. */
  readonly grants: Granting<NoInfer<ActionOf<T>> | typeof everything> | readonly Granting<NoInfer<ActionOf<T>> | typeof everything>[]
  /** False: no snapshots are taken. A function makes one of its data, where actions are flags. */
  readonly snapshots?: boolean | ((data: never, now_ms: () => number) => Taken)
  /** How items are told, by entity, and by code why nothing is granted. Items without words are told by the names of their entities. */
  readonly words?: { readonly [N in keyof E | 'NoGrant' | 'NoGroup' | 'NothingGranted']?: Words }
  /** What lists tell: the ids of subject and place unless given. */
  readonly shows?: {
    readonly subject?: Readonly<Record<string, keyof S['attributes'] & string>>
    readonly place?: Readonly<Record<string, keyof P['attributes'] & string>>
    /** Of parts of a place. */
    readonly within?: Readonly<Record<string, string>>
    readonly grantedBy?: Entity
  }
}

/** All that follows from an access declaration. */
export interface Access<S extends string = string, P extends string = string, A extends string = string, F extends string = string> {
  /** The five questions: complete, paged, explained, strong and bounded. */
  decider(runtime: Runtime, options?: DeciderOptions): AccessDecider<S, P, A, F>
  /** How they are declared. */
  readonly questions: Questions
  /** AuthZEN's names: the types of subjects and resources are the fields of questions. */
  authzen(): AuthzenMapping
  /**
   * A part of a flow host. It reads the acting user, asks the question that a permission is, and checks its chain with each write.
   * @param placeOf the id of the place at which a flow is at work
   */
  host<T extends FlowTable, W, U extends ActingUser = ActingUser>(placeOf: (scope: W) => string): AccessHost<T, U, W>
  /** What `prove` finds: lists that cannot be complete, and what would mend them. */
  readonly findings: readonly AccessFinding[]
  /** The declaration as data: who are people, what are places and how they contain each other, what is a role and a grant, and when it ends. */
  readonly outline: AccessOutline
}

/**
 * Declares who may do what where. `can`, `why`, `what`, `who` and `where` follow from it, and so do the question's form at the command and over HTTP, AuthZEN's
 * names, and the permission basis of flows. Throws `InvalidDesign` for a declaration that the design does not bear out.
 */
export function accessOf<E, S extends Entity, P extends Entity, const T extends Attribute<string, 'given'> | Entity>(
  design: AnyDesign & { readonly entities: E },
  declaration: AccessDeclaration<E, S, P, T>,
): Access<Uncapitalised<S>, Uncapitalised<P>, ActionOf<T>, ActionField<T>> {
  const { action, grants } = declaration
  const ways = 'steps' in grants ? [grants] : grants
  // Conditions and words are looked up by name; their types are those of the design's entities.
  const { where: conditions, until, words, snapshots = true, ...rest } = declaration
  const byName = { where: conditions as never, until: until as never, words: words as never }
  const declared = declaredIn(design, { ...rest, ...byName, grants: ways })
  const { subject, place, within, tenancy } = declared
  const done = declared.action?.field ?? 'action'
  // Each was read by the field of its name.
  const read = (asked: Readonly<Record<string, unknown>>) => {
    const at = asked[place.field]
    if (tenancy === undefined) return { subject: asked[subject.field], place: at, action: asked[done] } as never
    const named = at === undefined ? undefined : { by: 'id', text: at }
    const on = { within: within && asked[within.field], action: asked[tenancy.field], flagged: asked[done] }
    return { subject: asked[subject.field], place: named, ...on } as never
  }
  const { access: taking, ...five } = questionsOf(declared, action)
  const questions: Questions = snapshots === false ? five : { ...five, access: taking }
  const decider = deciderOf(questions, {
    can: (sources, asked) => can(declared, sources, read(asked)),
    why: (sources, asked) => why(declared, sources, read(asked)),
    what: (sources, asked, list) => what(declared, sources, read(asked), list),
    who: (sources, asked, list) => who(declared, sources, read(asked), list),
    where: (sources, asked, list) => where(declared, sources, read(asked), list),
    isExpanded: (_, expand) => within !== undefined && expand,
    access: async (sources, asked, how) => {
      const data = await takeAccess(declared, sources, read(asked), how)
      // The function of a declaration takes what that tells.
      const taken = typeof snapshots === 'function' ? snapshots : accessSnapshot
      return taken(data as never, () => sources.runtime.now().getTime())
    },
  })
  return Object.freeze({
    // Its answers are of the fields by which it is asked.
    decider: decider as unknown as Access<Uncapitalised<S>, Uncapitalised<P>, ActionOf<T>, ActionField<T>>['decider'],
    questions,
    authzen: () => authzenOf(declared),
    host: <H extends FlowTable, W, U extends ActingUser>(placeOf: (scope: W) => string) => hostOf<H, U, W>(declared, decider, placeOf),
    findings: findingsOf(declared),
    outline: outlineOf(declared),
  })
}
