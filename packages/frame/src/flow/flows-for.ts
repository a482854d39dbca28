import type { Attributes, Entity, Item, Page } from '@freehold/table'
import { pageOf } from '../decision/returns.ts'
import { durableJob, type WrittenJob } from './durable-job.ts'
import { readErrors } from './flow-errors.ts'
import type { FlowContext, HostOf, ScopeOf, Within } from './flow-host.ts'
import type { InputOf } from './input/input-attributes.ts'
import { featureOf, type ItemOptions, itemFlows, type KeyAttribute } from './items/item-flows.ts'
import { pageAsked, paging } from './paging.ts'
import { flow, type WrittenFlow } from './written-flow.ts'

/** A list of items as a design writes it. */
export interface ListFlow<C extends FlowContext, E extends Entity, I extends Attributes, W extends Within<ScopeOf<C>>>
  extends Pick<WrittenFlow<C, I & typeof paging, W, unknown>, 'summary' | 'needs' | 'errors' | 'feature' | 'scope'> {
  readonly input: I
  /** @param how the page that is asked for, read consistently */
  read(context: C, input: InputOf<I & typeof paging>, how: ReturnType<typeof pageAsked>, scope: W): Promise<Page<Item<E>>>
}

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
    /** A flow that lists items of an entity, a page at a time. */
    listFlow: <const N extends string, E extends Entity, const W extends Within<ScopeOf<C>>, I extends Attributes>(
      entity: E,
      { read, ...written }: ListFlow<C, E, I, W> & { readonly name: N },
    ) =>
      flow<C, N, I & typeof paging, W, Page<Item<E>>>({
        errors: [...readErrors, 'InvalidCursor'],
        ...written,
        input: { ...written.input, ...paging },
        effect: 'read',
        feature: featureOf(host.design, entity),
        returns: pageOf(entity),
        run: (context, input, at) => read(context, input, pageAsked(input), at),
      }),
    job: <I extends Attributes, T>(written: WrittenJob<C, I, T>) => durableJob(host, written),
  })
}
