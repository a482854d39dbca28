import { type AnyDesign, type ConnectedTable, FreeholdError, type JobHandlers } from '@freehold/table'
import type { Caller } from './actor.ts'
import { describeFlow, type FlowDescription } from './describe-flow.ts'
import type { Flow, Flows } from './flow.ts'

/** The untyped face of a design's flows, for the command and for HTTP. */
export interface OfferedFlows {
  /** Those that a design has, with the features that were left to it, in the order of their names. */
  describe(design: AnyDesign): readonly FlowDescription[]
  /** Runs one. Throws `UnknownName` for a name that none has, and whatever the flow throws. */
  run(table: ConnectedTable, name: string, input: unknown, caller: Caller): Promise<unknown>
  /** What does their durable jobs: given to `connect` by whoever runs flows or resumes jobs. */
  readonly jobHandlers: JobHandlers
}

/** What flows run in. `begin` is called once for each call, and throws `Denied` for a caller who is nobody. */
export type Begin<C> = (table: ConnectedTable, caller: Caller, flow: string) => Promise<C>

export function hasFeature({ features }: AnyDesign, { feature }: Flow<never>): boolean {
  return feature === undefined || Object.hasOwn(features, feature)
}

/** Offers a design's flows by name. */
export function offerFlows<C>(flows: Flows<C>, begin: Begin<C>, jobHandlers: JobHandlers = {}): OfferedFlows {
  return Object.freeze({
    jobHandlers,
    describe: (design: AnyDesign) =>
      Object.values(flows)
        .filter((flow) => hasFeature(design, flow))
        .map(describeFlow)
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    run: async (table: ConnectedTable, name: string, input: unknown, caller: Caller) => {
      const flow = Object.hasOwn(flows, name) ? flows[name] : undefined
      if (flow === undefined || !hasFeature(table.design, flow))
        throw new FreeholdError('UnknownName', `The design ${table.design.name} has no flow '${name}'.`, { name })
      // The flow validates its input itself.
      return flow.run(await begin(table, caller, name), input as never)
    },
  })
}
