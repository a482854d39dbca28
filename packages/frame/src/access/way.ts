import type { Attributes, Entity, Item, Value } from '@freehold/table'

/** Stands for every action. */
export const everything = '*'

type Names<E, V> =
  E extends Entity<string, infer A>
    ? { [N in keyof A & string]: A[N] extends Attributes[string] ? (Value<A[N]> extends V ? N : never) : never }[keyof A & string]
    : never
type ValueAt<E, N> =
  E extends Entity<string, infer A> ? (N extends keyof A ? (A[N] extends Attributes[string] ? Value<A[N]> : never) : never) : never
type TextAt<E, N> = ValueAt<E, N> & string
/** By value of an attribute: the actions that it allows. */
type ActionsBy<E, N> = { readonly [V in TextAt<E, N>]: readonly string[] | typeof everything }
type ActionsIn<T> = T[keyof T] extends infer L ? (L extends readonly (infer A)[] ? A : L) : never

/** Actions as flags of permissions. What a permission is for is no item: a menu, say. */
export interface Flagged {
  /** The field by which questions name that, and the attribute that does. */
  readonly field: string
  readonly attribute: string
  /** By action, the attribute that is true where it is allowed. */
  readonly flags: Readonly<Record<string, string>>
}

/**
 * How the items of a step say which actions they allow: by a value of their own, by the list of a role to which they refer, all alike, or by ties from the
 * node of the step to roles, and from these to actions, which are items then, or to permissions with a flag for each action.
 */
export type Allowing =
  | {
      readonly kind: 'ties'
      readonly ties: readonly [roles: Entity, actions: Entity]
      readonly where: Readonly<Record<string, string>>
      readonly flagged?: Flagged
    }
  | { readonly kind: 'value'; readonly attribute: string; readonly actions: Readonly<Record<string, readonly string[]>> }
  | { readonly kind: 'role'; readonly attribute: string; readonly role: Entity; readonly list: string; readonly more?: RolesAbove }
  | { readonly kind: 'all'; readonly actions: readonly string[] }

/** More about the roles of a way at scopes. */
export interface RolesAbove {
  /** The attribute of an item that says whose its role is: the id of an outermost scope, or the system's. */
  readonly owner?: string
  /** The attribute of a role that names the one above it, of which it has all permissions, too. */
  readonly above?: string
  /** The edge from roles to the entries of a catalogue, and the values of a role with which it counts in place of the role's own list. */
  readonly links?: Entity
  readonly where?: Readonly<Record<string, string | number | boolean>>
  /** The flag of an entry that is dangerous, for a console. */
  readonly dangerous?: string
}

export interface WayStep {
  /** An attribute that refers on from where the way stands, or the item that ties this to the next. */
  readonly by: string | Entity
  /** The attributes that hold the day or the instant from which the item counts, and until which it does. */
  readonly from?: string
  readonly until?: string
  readonly allowing?: Allowing
  /** The attributes that name the scope at which the item grants, by its kind and its id. */
  readonly at?: readonly [type: string, id: string]
}

/** A way as a declaration takes it. */
export interface Granting<A extends string = string> {
  readonly steps: readonly WayStep[]
  /** The actions that it names, for the compiler alone. */
  readonly actions?: A
}

/**
 * A way by which something is granted, from the place to the subject. Each method speaks of the last step. Bounds of a kind `day` include the day;
 * an item of a kind `instant` counts from `from`, until just before `until`.
 */
export interface Way<E extends Entity = Entity, A extends string = never> extends Granting<A> {
  from(attribute: Names<E, string | undefined>): Way<E, A>
  until(attribute: Names<E, string | undefined>): Way<E, A>
  /** The actions by the value of an attribute: a role, say. `'*'` allows every action. */
  by<N extends Names<E, string>, const T extends ActionsBy<E, N>>(attribute: N, actions: T): Way<E, A | (ActionsIn<T> & string)>
  /** The actions that a role lists, which the attribute names by its id. A program's users may write such roles. */
  byRole<R extends Entity>(attribute: Names<E, string>, role: R, list: Names<R, readonly string[]>): Way<E, A>
  /**
   * The permissions of a role at a scope: patterns, in which `*` stands for any value of a part. Roles have those of the role above them, too.
   * @param list the attribute of a role that lists its own
   */
  byRole<R extends Entity>(
    attribute: Names<E, string>,
    role: R,
    list: Names<R, readonly object[]>,
    more: RolesAbove & {
      readonly owner?: Names<E, string>
      readonly above?: Names<R, string | undefined>
      readonly where?: Partial<Item<R>>
    },
  ): Way<E, A>
  /** The item grants at a scope, and at everything beneath it, which these attributes name by its kind and its id. For `scopedAccessOf` alone. */
  at(type: Names<E, string>, id: Names<E, string>): Way<E, A>
  /**
   * The actions to which roles are tied that are tied to the group of the step: where actions are items, which users write.
   * @param where the values with which an item of `actions` allows; with others it denies no other role's
   */
  byTies<T extends Entity>(roles: Entity, actions: T, where?: Partial<Readonly<Record<Names<T, string>, string>>>): Way<E, A>
  /**
   * The actions by flags of the permissions of roles that are tied to the group of the step. The place is a tenant, and what says another tenant grants nothing.
   * @param field the field by which questions name what a permission is for, such as a menu, which is no item
   * @param attribute the attribute of a permission that names it
   * @param flags by action, the attribute that is true where it is allowed
   */
  byFlags<T extends Entity, const F extends Readonly<Record<string, Names<T, boolean>>>>(
    roles: Entity,
    permissions: T,
    field: string,
    attribute: Names<T, string>,
    flags: F,
  ): Way<E, A | (keyof F & string)>
  /** All items of the step allow the same. */
  allowing<const L extends string>(...actions: readonly L[]): Way<E, A | L>
  through<const S extends Steps>(...steps: S): Way<LastOf<S>, A>
}

type Steps = readonly [...(string | Entity)[], Entity]
type LastOf<S extends Steps> = S extends readonly [...unknown[], infer E extends Entity] ? E : never

function wayOf<E extends Entity, A extends string>(steps: readonly WayStep[]): Way<E, A> {
  const withLast = (more: Partial<WayStep>): never => wayOf([...steps.slice(0, -1), { by: '', ...steps.at(-1), ...more }]) as never
  const listed = (actions: readonly string[] | string) => (typeof actions === 'string' ? [actions] : actions)
  const way: Way = {
    steps,
    from: (from) => withLast({ from }),
    until: (until) => withLast({ until }),
    by: (attribute: string, actions: Readonly<Record<string, readonly string[] | string>>) => {
      const all = Object.entries(actions).map(([value, of]) => [value, listed(of)] as const)
      return withLast({ allowing: { kind: 'value', attribute, actions: Object.fromEntries(all) } })
    },
    byRole: (attribute: string, role: Entity, list: string, more?: RolesAbove) =>
      withLast({ allowing: { kind: 'role', attribute, role, list, ...(more && { more }) } }),
    at: (type: string, id: string) => withLast({ at: [type, id] }),
    byTies: (roles: Entity, actions: Entity, where: Readonly<Record<string, string>> = {}) =>
      withLast({ allowing: { kind: 'ties', ties: [roles, actions], where } }),
    byFlags: (roles: Entity, permissions: Entity, field: string, attribute: string, flags: Flagged['flags']) =>
      withLast({ allowing: { kind: 'ties', ties: [roles, permissions], where: {}, flagged: { field, attribute, flags } } }),
    allowing: (...actions: readonly string[]) => withLast({ allowing: { kind: 'all', actions } }),
    through: (...more) => wayOf([...steps, ...more.map((by) => ({ by }))]) as never,
  }
  // Its types are those of the items and actions that were named; at run time all ways are alike.
  return Object.freeze(way) as unknown as Way<E, A>
}

/**
 * Begins a way at the place. A step is an attribute that refers on, such as the team of a project, or an entity whose items tie two nodes together,
 * such as the membership of a team. References come first, then one tie that leads to the subject, or two with a group between them. Groups that
 * themselves refer to the place, such as those of a location, stand for the first of the two.
 */
export const through = <const S extends Steps>(...steps: S): Way<LastOf<S>> => wayOf(steps.map((by) => ({ by })))
