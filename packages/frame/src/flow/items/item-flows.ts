import {
  type AnyDesign,
  type Attribute,
  type Attributes,
  type Change,
  type count,
  type Entity,
  type FreeholdError,
  flag,
  type Id,
  type Item,
  isFreeholdError,
  type New,
  type None,
  type Value,
} from '@freehold/table'
import { keyPlaceholders, parallel } from '@freehold/table/runtime'
import { itemOf, nothing } from '../../decision/returns.ts'
import type { Flow, FlowDeclaration, Foreseen } from '../flow.ts'
import { type FlowError, itemErrors } from '../flow-errors.ts'
import { type FlowContext, type HostOf, type ScopeOf, tenantAt, type Within } from '../flow-host.ts'
import { askedVersion } from '../input/asked-version.ts'
import { type Changing, changing, type Given, given, type InputOf, type NameIn, type Naming, naming } from '../input/input-attributes.ts'
import { changedView } from '../records/recorded-changes.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { flow, type WrittenFlow } from '../written-flow.ts'
import { checkGuardsFree, guardsNamed } from './guards-named.ts'
import {
  type Alongside,
  type Awaitable,
  type CreatingItem,
  changeItem,
  createItem,
  ensureItem,
  readToWrite,
  removeItem,
} from './write-item.ts'

type Version = { readonly version: ReturnType<ReturnType<typeof count>['optional']> }

/** The attributes of the table key. */
export type KeyAttribute<E> = keyof Id<E> & string

export interface ItemOptions<C extends FlowContext, E extends Entity, K extends KeyAttribute<E>, W> {
  /** The attributes of the key by which the input names an item; all unless given. The others are the scope's. */
  readonly named?: readonly K[]
  /** The scope at which a caller must be permitted to change or remove an item. Throws `NotFound`. */
  scope(context: C, id: Pick<Id<E>, NoInfer<K>>): Promise<W & Omit<Id<E>, NoInfer<K>>>
}

/** One call of a flow, as its hooks see it. */
export interface ItemCall<C, I extends Attributes, W> {
  readonly context: C
  readonly input: InputOf<I>
  readonly scope: W
}

/** The parts that are particular to one flow. `Checked` and `Seen`: the item as it was read, and as it will be. */
interface Particular<F, X, Call, Checked extends unknown[], Seen extends unknown[]> extends Pick<FlowDeclaration, 'summary' | 'needs'> {
  readonly name: F
  /** More input than the attributes of the item. */
  readonly input?: X
  /** More codes of errors than those that follow from the design. */
  readonly errors?: readonly FlowError[]
  /** Items that each call reads with the item itself. */
  reads?(input: Call extends ItemCall<infer _C, infer I, infer _W> ? InputOf<I> : never): Foreseen
  /** See `WrittenFlow`. */
  ahead?(call: Call): Promise<unknown>
  /** Throws if the item may not be written so. */
  check?(call: Call, ...seen: Checked): Awaitable<void>
  /** Steps that are written with the item, and more for its record. If a check among them fails, another writer was faster: all is tried again. */
  alongside?(call: Call, ...seen: Seen): Awaitable<Alongside>
  /** The error to throw instead of one that says too little. */
  refusal?(error: FreeholdError, call: Call): Awaitable<FreeholdError>
}

/** Values that a new item must have and that are not in the input. */
type Missing<E, G> =
  E extends Entity<string, infer A>
    ? { readonly [N in Exclude<keyof A, G> as A[N] extends Attribute<unknown, 'given'> ? N : never]: Value<A[N]> }
    : never

export type CreateInput<E, G, X> = X & Given<E, G>
type CreateCall<C, E, G, V, X> = ItemCall<C, CreateInput<E, G, X>, V>

export interface CreateFlow<C, E extends Entity, F, G extends NameIn<E>, V, X> extends Particular<F, X, CreateCall<C, E, G, V, X>, [], []> {
  /** Attributes in the input. */
  readonly given: readonly G[]
  /** The scope at which a caller must be permitted. It has the values that a new item must have and that are not in the input. */
  scope(context: C, input: InputOf<CreateInput<E, G, X>>): Promise<V & Missing<E, G>>
  /** More values of the new item. */
  values?(call: CreateCall<C, E, G, V, X>): Partial<New<E>>
}

export type UpdateInput<E, K, M, X> = Naming<E, K> & Version & Changing<E, M> & X
type UpdateCall<C, E, K, M, W, X> = ItemCall<C, UpdateInput<E, K, M, X>, W>

export interface UpdateFlow<C, E extends Entity, F, K, M extends NameIn<E>, W, X>
  extends Particular<F, X, UpdateCall<C, E, K, M, W, X>, [before: Item<E>], [before: Item<E>, after: Item<E>]> {
  /** Attributes in the input. Each may be left out. */
  readonly may?: readonly M[]
  /** More that changes. */
  change?(call: UpdateCall<C, E, K, M, W, X>, before: Item<E>): Awaitable<Change<E>>
  /**
   * Calls `write`, and does work before and after it that its transaction cannot hold. The item was checked as it was read, and another item has none of
   * the unique values that the input names. The work is done even if nothing changes: a repeated call finishes what a process that ended has left.
   */
  around?(call: UpdateCall<C, E, K, M, W, X>, before: Item<E>, write: () => Promise<Item<E>>): Promise<Item<E>>
}

export type RemoveInput<E, K, X> = Naming<E, K> & Version & X
type RemoveCall<C, E, K, W, X> = ItemCall<C, RemoveInput<E, K, X>, W>

export interface RemoveFlow<C, E extends Entity, F, K, W, X>
  extends Particular<F, X, RemoveCall<C, E, K, W, X>, [before: Item<E>], [before: Item<E>]> {
  /** True: items that refer to it go along, also those that keep it otherwise. */
  cascades?(call: RemoveCall<C, E, K, W, X>): boolean
}

/** The input of a flow that may leave a durable job. False: it returns as soon as the job is recorded. */
export const waiting = { wait: flag().optional().describe('Waits until the durable job is done.') }

/** Flows that write the items of one entity, with input, scope, permission, version, record, feature and errors. */
export interface ItemFlows<C extends FlowContext, E extends Entity, K extends KeyAttribute<E>, W> {
  create<const F extends string, const G extends NameIn<E>, const V extends Within<ScopeOf<C>>, X extends Attributes = None>(
    written: CreateFlow<C, E, F, G, V, X>,
  ): Flow<C, CreateInput<E, G, X>, Item<E>> & { readonly name: F }
  /** Creates an item unless it is there: an edge, say, which keeps its first stamps (spec rule 10). Checks and steps are of a new item. */
  ensure<const F extends string, const G extends NameIn<E>, const V extends Within<ScopeOf<C>>, X extends Attributes = None>(
    written: CreateFlow<C, E, F, G, V, X>,
  ): Flow<C, CreateInput<E, G, X>, Item<E>> & { readonly name: F }
  update<const F extends string, const M extends NameIn<E> = never, X extends Attributes = None>(
    written: UpdateFlow<C, E, F, K, M, W, X>,
  ): Flow<C, UpdateInput<E, K, M, X>, Item<E>> & { readonly name: F }
  /** If a removal may leave a durable job, `input` has `waiting`. */
  remove<const F extends string, X extends Attributes = None>(
    written: RemoveFlow<C, E, F, K, W, X>,
  ): Flow<C, RemoveInput<E, K, X>, void> & { readonly name: F }
}

type Values = Readonly<Record<string, unknown>>

// The same for an entity that the compiler does not know.
type AnyCreate = CreateFlow<FlowContext, Entity, string, never, unknown, None>
type AnyUpdate = UpdateFlow<FlowContext, Entity, string, never, never, unknown, None>
type AnyRemove = RemoveFlow<FlowContext, Entity, string, never, unknown, None>
type AnyCall = ItemCall<FlowContext, Version & typeof waiting, unknown>

const without = (names: readonly string[], others: readonly string[]) => names.filter((name) => !others.includes(name))

/** The values of these names that are there. */
function picked(names: readonly string[], from: unknown): Values {
  const values: Values = typeof from === 'object' ? { ...from } : {}
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
}

/** The same without other names. A value is looked at only when it is asked for: one that is lacked says so then. */
const narrowed = (names: readonly string[], from: Values): Values =>
  Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { enumerable: true, get: () => from[name] }])))

/** The feature that an entity belongs to: without it the flows of the entity are not offered. */
export const featureOf = ({ features }: AnyDesign, entity: Entity): string | undefined =>
  Object.keys(features).find((each) => features[each]?.includes(entity))

/** See `flowsFor`. */
export function itemFlows<C extends FlowContext, E extends Entity, W, K extends KeyAttribute<E>>(
  host: HostOf<C>,
  entity: Entity,
  { named, scope }: ItemOptions<C, E, K, W>,
): ItemFlows<C, E, K, W> {
  const { design } = host
  const key = keyPlaceholders(entity)
  const names = named ?? key
  const identity = { ...naming(entity, ...names), version: askedVersion }
  const idOf = ({ input, scope: at }: AnyCall) => ({ ...picked(without(key, names), at), ...picked(names, input) })
  const feature = featureOf(design, entity)
  // A version is no part of the key by which a scope reads the item.
  const scopeNamed = (context: C, input: Values) => scope(context, narrowed(names, input) as Pick<Id<E>, K>)

  /** A flow that writes one item, with the parts that follow from its verb. */
  const writing = (
    { name, summary, needs, errors = [], refusal, reads, ahead }: AnyCreate | AnyUpdate | AnyRemove,
    {
      read,
      ...byVerb
    }: Pick<WrittenFlow<FlowContext, Attributes, unknown, unknown>, 'input' | 'returns' | 'scope' | 'writes' | 'isIdempotent'> & {
      readonly errors: readonly FlowError[]
      /** The item itself and its guards, if they are read before they are written. */
      readonly read: readonly Entity[]
    },
    run: (call: AnyCall) => Promise<unknown>,
  ) =>
    flow<FlowContext, string, Attributes, unknown, unknown>({
      name,
      summary,
      needs,
      effect: 'write',
      ...byVerb,
      reads: (input) => [...read.map((each) => [each, input] as const), ...(reads?.(input as never) ?? [])],
      errors: [...new Set([...byVerb.errors, ...errors])],
      feature,
      // A flow is called with its own input, and at its own scope.
      ...(ahead === undefined ? {} : { ahead: (context, input, at) => ahead({ context, input, scope: at } as never) }),
      run: async (context, input, at) => {
        const call = { context, input, scope: at }
        try {
          return await run(call)
        } catch (error) {
          throw refusal !== undefined && isFreeholdError(error) ? await refusal(error, call) : error
        }
      },
    })

  /** @param errorsOf the errors of the creation, unless they follow from the entity */
  const creatingBy =
    (
      create: (call: AnyCall, made: Values, how: () => Promise<CreatingItem>) => Promise<unknown>,
      read: readonly Entity[],
      errorsOf?: readonly FlowError[],
    ) =>
    (written: AnyCreate) => {
      const { given: fromInput, scope: scopeOf, check, values, alongside } = written
      const required = Object.keys(entity.attributes).filter((each) => entity.attributes[each]?.presence === 'given')
      const errors = errorsOf ?? itemErrors(design, entity, 'create', fromInput)
      const input = { ...written.input, ...given(entity, ...fromInput) }
      return writing(
        written,
        { writes: { create: entity }, errors, input, returns: itemOf(entity), scope: scopeOf, read },
        async (call) => {
          const { scope: at } = call
          const made = { ...picked(without(required, fromInput), at), ...picked(fromInput, call.input), ...values?.(call) }
          const tenant = tenantAt(call.context, at)
          return create(call, made, async () => {
            await check?.(call)
            return { tenant, ...(await alongside?.(call)) }
          })
        },
      )
    }

  const flows = {
    create: creatingBy(
      ({ context }, made, how) => retryOnConflict(context.table.runtime, async () => createItem(context, entity, made, await how())),
      [],
    ),
    // An edge that is there is left as it is.
    ensure: creatingBy(({ context }, made, how) => ensureItem(context, entity, made, how), [entity], ['BeingDeleted', 'MissingEnd']),
    update: (written: AnyUpdate) => {
      const { may = [], change, check, alongside, around } = written
      const errors = itemErrors(design, entity, 'update', may)
      const input = { ...identity, ...changing(entity, ...may), ...written.input }
      // Work around the write is done only if no other item has the unique values that the input names.
      const guards = around === undefined ? [] : design.form.derivedItemsOf(entity).filter(({ form: { part } }) => part.kind === 'guard')
      const idempotent = around === undefined ? {} : ({ isIdempotent: true } as const)
      return writing(
        written,
        { writes: { update: entity }, errors, input, returns: itemOf(entity), scope: scopeNamed, read: [entity, ...guards], ...idempotent },
        async (call) => {
          const changed = async (before: Item<Entity>) => ({ ...picked(may, call.input), ...(await change?.(call, before)) })
          const { context, input: asked } = call
          const checked = { version: asked.version, check: (before: Item<Entity>) => check?.(call, before) }
          const write = () =>
            changeItem(context, entity, idOf(call), changed, {
              ...checked,
              alongside: (before, after) => alongside?.(call, before, after),
            })
          if (around === undefined) return write()
          const [before, named] = await parallel(
            () => readToWrite(context, entity, idOf(call), checked),
            () => guardsNamed(context, entity, asked),
          )
          // A call that cannot succeed does none of the work around its write: it signs nobody out, say.
          checkGuardsFree(entity, changedView(before, await changed(before)), named)
          return around(call, before, write)
        },
      )
    },
    remove: (written: AnyRemove) => {
      const { cascades, check, alongside } = written
      const errors = itemErrors(design, entity, 'remove', [])
      const input = { ...identity, ...written.input }
      return writing(
        written,
        { writes: { remove: entity }, errors, input, returns: nothing, scope: scopeNamed, read: [entity] },
        async (call) =>
          removeItem(call.context, entity, idOf(call), {
            version: call.input.version,
            wait: call.input.wait,
            inUse: cascades?.(call) === true ? 'cascade' : undefined,
            check: (before) => check?.(call, before),
            alongside: (before) => alongside?.(call, before),
          }),
      )
    },
  }
  // Each flow reads its input by the attributes of the entity from which these types are made.
  return flows as unknown as ItemFlows<C, E, K, W>
}
