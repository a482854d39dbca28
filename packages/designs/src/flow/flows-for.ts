import type { Attributes, Entity } from '@freehold/table'
import { durableJob, type WrittenJob } from './durable-job.ts'
import type { FlowContext, HostOf, ScopeOf, Within } from './flow-host.ts'
import { type ItemOptions, itemFlows, type KeyAttribute } from './item-flows.ts'
import { flow, type WrittenFlow } from './written-flow.ts'

/** A design writes its flows and durable jobs with these functions, each of them for the design's host. */
export function flowsFor<C extends FlowContext>(host: HostOf<C>) {
  return Object.freeze({
    flow: <const N extends string, I extends Attributes, const W extends Within<ScopeOf<C>>, R>(
      written: WrittenFlow<C, I, W, R> & { readonly name: N },
    ) => flow(written),
    /** Flows that create, update and remove the items of an entity. */
    itemFlows: <E extends Entity, const W extends Within<ScopeOf<C>>, const K extends KeyAttribute<E> = KeyAttribute<E>>(
      entity: E,
      options: ItemOptions<C, E, K, W>,
    ) => itemFlows(host, entity, options),
    job: <I extends Attributes, T>(written: WrittenJob<C, I, T>) => durableJob(host, written),
  })
}
