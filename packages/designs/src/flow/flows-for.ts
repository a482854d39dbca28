import type { Attributes, Entity } from '@freehold/table'
import { type DurableJob, durableJob, type WrittenJob } from './durable-job.ts'
import type { Flow } from './flow.ts'
import type { FlowContext, HostOf, ScopeOf, Within } from './flow-host.ts'
import { type ItemFlows, itemFlows } from './item-flows.ts'
import { flow, type WrittenFlow } from './written-flow.ts'
import type { ItemOptions, KeyAttribute } from './written-item-flow.ts'

/** What a design writes its flows and durable jobs with. */
export interface FlowsFor<C extends FlowContext> {
  flow<const N extends string, I extends Attributes, const W extends Within<ScopeOf<C>>, R>(
    written: WrittenFlow<C, I, W, R> & { readonly name: N },
  ): Flow<C, I, R> & { readonly name: N }
  /** Flows that create, update and remove the items of an entity. */
  itemFlows<E extends Entity, const W extends Within<ScopeOf<C>>, const K extends KeyAttribute<E> = KeyAttribute<E>>(
    entity: E,
    options: ItemOptions<C, E, K, W>,
  ): ItemFlows<C, E, K, W>
  job<I extends Attributes, T>(written: WrittenJob<C, I, T>): DurableJob<C, I>
}

/** The flows and durable jobs of a design's host. */
export function flowsFor<C extends FlowContext>(host: HostOf<C>): FlowsFor<C> {
  return Object.freeze({
    flow,
    itemFlows: (entity, options) => itemFlows(host, entity, options),
    job: (written) => durableJob(host, written),
  } satisfies FlowsFor<C>)
}
