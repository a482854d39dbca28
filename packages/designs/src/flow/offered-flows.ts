import { type AnyDesign, type ConnectedTable, FreeholdError, type JobHandlers } from '@freehold/table'
import type { Actor, Caller } from './actor.ts'
import { describeFlow, type FlowDescription } from './describe-flow.ts'
import type { Flow, Flows } from './flow.ts'

/** The untyped face of a design's flows, for the command and for HTTP. */
export interface OfferedFlows {
  /** Those that a design has, with the features that were left to it, in the order of their names. */
  describe(design: AnyDesign): readonly FlowDescription[]
  /** Runs one. Throws `UnknownName` for a name that none has, and whatever the flow throws. */
  run(table: ConnectedTable, name: string, input: unknown, caller: Caller): Promise<unknown>
  /** The user that a person names, as the design finds one: by id or e-mail, say. Throws `InvalidInput`, and `Denied` for nobody. */
  actorNamed(table: ConnectedTable, name: string): Promise<Actor>
  /** What does their durable jobs: given to `connect` by whoever runs flows or resumes jobs. */
  readonly jobHandlers: JobHandlers
}

/** See `OfferedFlows.actorNamed`. */
export type ActorNamed = OfferedFlows['actorNamed']

/** What flows run in. `begin` is called once for each call, and throws `Denied` for a caller who is nobody. */
export type Begin<C> = (table: ConnectedTable, caller: Caller, flow: string) => Promise<C>

function hasFeature({ features }: AnyDesign, { feature }: Pick<Flow<never>, 'feature'>): boolean {
  return feature === undefined || Object.hasOwn(features, feature)
}

/** Throws `UnknownName` for a flow of a feature that the deployer left out. */
export function checkOffered(design: AnyDesign, flow: Pick<Flow<never>, 'name' | 'feature'>): void {
  if (!hasFeature(design, flow)) throw unknownFlow(design, flow.name)
}

function unknownFlow({ name: design }: AnyDesign, name: string): FreeholdError {
  return new FreeholdError('UnknownName', `The design ${design} has no flow '${name}'.`, { name })
}

/** Offers a design's flows by name. */
export function offerFlows<C>(flows: Flows<C>, begin: Begin<C>, actorNamed: ActorNamed, jobHandlers: JobHandlers = {}): OfferedFlows {
  return Object.freeze({
    jobHandlers,
    actorNamed,
    describe: (design: AnyDesign) =>
      Object.values(flows)
        .filter((flow) => hasFeature(design, flow))
        .map(describeFlow)
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    run: async (table: ConnectedTable, name: string, input: unknown, caller: Caller) => {
      const flow = Object.hasOwn(flows, name) ? flows[name] : undefined
      if (flow === undefined) throw unknownFlow(table.design, name)
      checkOffered(table.design, flow)
      // The flow validates its input itself.
      return flow.run(await begin(table, caller, name), input as never)
    },
  })
}
