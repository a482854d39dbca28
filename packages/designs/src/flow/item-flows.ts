import { type Attributes, count, type Entity, type FreeholdError, flag, type Item, isFreeholdError, type None } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { type Alongside, changeItem, removeItem } from './change-item.ts'
import { createItem } from './create-item.ts'
import type { Flow, FlowDeclaration } from './flow.ts'
import type { FlowError } from './flow-errors.ts'
import type { FlowContext, FlowHost, HostOf, ScopeOf, Within } from './flow-host.ts'
import { changing, given, type NameIn, naming } from './input-attributes.ts'
import { itemErrors } from './item-errors.ts'
import { retryOnConflict } from './retry-on-conflict.ts'
import { itemOf, nothing, type Returns } from './returns.ts'
import { flow } from './written-flow.ts'
import type {
  Awaitable,
  CreateFlow,
  CreateInput,
  ItemOptions,
  KeyAttribute,
  RemoveFlow,
  RemoveInput,
  UpdateFlow,
  UpdateInput,
} from './written-item-flow.ts'

/** The input of a flow that may leave a durable job. False: it returns as soon as the job is recorded. */
export const waiting = { wait: flag().optional() }

/** Flows that write the items of one entity, with input, scope, permission, version, record, feature and errors. */
export interface ItemFlows<C extends FlowContext, E extends Entity, K extends KeyAttribute<E>, W> {
  create<const F extends string, const G extends NameIn<E>, const V extends Within<ScopeOf<C>>, X extends Attributes = None>(
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

interface AnyCall {
  readonly context: FlowContext
  readonly input: Values & { readonly version?: number | null; readonly wait?: boolean | null }
  readonly scope: Within<unknown>
}
type AnyScope = (context: FlowContext, input: Values) => Promise<unknown>

/** A flow of any entity's items: the compiler has checked its hooks where it is written. */
interface AnyFlow extends Pick<FlowDeclaration, 'name' | 'summary' | 'needs' | 'errors'> {
  readonly input?: Attributes
  check?(call: AnyCall, before?: Item<Entity>): Awaitable<void>
  alongside?(call: AnyCall, before?: Item<Entity>, after?: Item<Entity>): Awaitable<Alongside>
  refusal?(error: FreeholdError, call: AnyCall): Awaitable<FreeholdError>
}
interface AnyCreate extends AnyFlow {
  readonly given: readonly string[]
  readonly scope: AnyScope
  values?(call: AnyCall): Values
}
interface AnyUpdate extends AnyFlow {
  readonly may?: readonly string[]
  change?(call: AnyCall, before: Item<Entity>): Awaitable<Values>
}
interface AnyRemove extends AnyFlow {
  cascades?(call: AnyCall): boolean
}

/** The parts of a flow that follow from its verb. */
interface ByVerb extends Required<Pick<FlowDeclaration, 'writes'>> {
  readonly errors: readonly FlowError[]
  readonly input: Attributes
  readonly returns: Returns
  readonly scope: AnyScope
  run(call: AnyCall): Promise<unknown>
}

function itemFlow({ design }: FlowHost, entity: Entity, written: AnyFlow, { errors, run, ...byVerb }: ByVerb): Flow<FlowContext> {
  const { name, summary, needs, errors: more = [], refusal } = written
  return flow({
    name,
    summary,
    needs,
    effect: 'write',
    ...byVerb,
    errors: [...new Set([...errors, ...more])],
    feature: Object.keys(design.features).find((feature) => design.features[feature]?.includes(entity)),
    run: async (context, input, scope) => {
      const call = { context, input, scope }
      try {
        return await run(call)
      } catch (error) {
        throw refusal !== undefined && isFreeholdError(error) ? await refusal(error, call) : error
      }
    },
  })
}

const without = (names: readonly string[], others: readonly string[]) => names.filter((name) => !others.includes(name))

/** The values of these names that are there. */
function picked(names: readonly string[], from: unknown): Values {
  const values: Values = typeof from === 'object' ? { ...from } : {}
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
}

/** The same for an entity that the compiler does not know. */
function anyItemFlows(host: FlowHost, entity: Entity, { named, scope }: { readonly named?: readonly string[]; readonly scope: AnyScope }) {
  const { design } = host
  const key = keyPlaceholders(entity)
  const names = named ?? key
  const identity = { ...naming(entity, ...names), version: count().optional() }
  const idOf = ({ input, scope: at }: AnyCall) => ({ ...picked(without(key, names), at), ...picked(names, input) })
  return {
    create: (written: AnyCreate) =>
      itemFlow(host, entity, written, {
        writes: { create: entity },
        errors: itemErrors(design, entity, 'create', written.given),
        input: { ...written.input, ...given(entity, ...written.given) },
        returns: itemOf(entity),
        scope: written.scope,
        run: (call) => {
          const { context, input, scope: at } = call
          const required = Object.keys(entity.attributes).filter((each) => entity.attributes[each]?.presence === 'given')
          const values = { ...picked(without(required, written.given), at), ...picked(written.given, input), ...written.values?.(call) }
          const tenant = typeof at === 'object' ? host.tenants?.of(at) : undefined
          return retryOnConflict(context.table.runtime, async () => {
            await written.check?.(call)
            return createItem(context, entity, values, { tenant, ...(await written.alongside?.(call)) })
          })
        },
      }),
    update: (written: AnyUpdate) => {
      const { may = [], change } = written
      return itemFlow(host, entity, written, {
        writes: { update: entity },
        errors: itemErrors(design, entity, 'update', may),
        input: { ...identity, ...changing(entity, ...may), ...written.input },
        returns: itemOf(entity),
        scope,
        run: (call) => {
          const changed = async (before: Item<Entity>) => ({ ...picked(may, call.input), ...(await change?.(call, before)) })
          return changeItem(call.context, entity, idOf(call), changed, {
            version: call.input.version,
            check: (before) => written.check?.(call, before),
            alongside: async (before, after) => (await written.alongside?.(call, before, after)) ?? {},
          })
        },
      })
    },
    remove: (written: AnyRemove) =>
      itemFlow(host, entity, written, {
        writes: { remove: entity },
        errors: itemErrors(design, entity, 'remove', []),
        input: { ...identity, ...written.input },
        returns: nothing,
        scope,
        run: async (call) =>
          removeItem(call.context, entity, idOf(call), {
            version: call.input.version,
            wait: call.input.wait,
            inUse: written.cascades?.(call) === true ? 'cascade' : undefined,
            check: (before) => written.check?.(call, before),
            alongside: async (before) => (await written.alongside?.(call, before)) ?? {},
          }),
      }),
  }
}

/** See `FlowsFor.itemFlows`. */
export function itemFlows<C extends FlowContext, E extends Entity, W, K extends KeyAttribute<E>>(
  host: HostOf<C>,
  entity: E,
  options: ItemOptions<C, E, K, W>,
): ItemFlows<C, E, K, W> {
  // Each flow reads its input by the attributes of the entity from which these types are made.
  return anyItemFlows(host, entity, options as never) as unknown as ItemFlows<C, E, K, W>
}
