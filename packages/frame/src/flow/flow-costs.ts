import { type AnyDesign, type ConnectedTable, type Cost, type Entity, isFreeholdError, meter } from '@freehold/table'
import { markdownCode as code, markdownTable } from '@freehold/table/publish'
import type { Caller } from './actor.ts'
import { type FlowDeclaration, isClosedToUsers } from './flow.ts'
import type { OfferedFlows } from './offered-flows.ts'

type Values = Readonly<Record<string, unknown>>

/** One call of a flow. */
export interface FlowSample {
  readonly flow: string
  /** The entity whose items the flow is called to change. */
  readonly entity: Entity
  /** Prepares what the flow needs, and gives its input. */
  input(): Promise<Values> | Values
  /** A call that only operators make, although users may call the flow. */
  readonly by?: 'operator' | undefined
}

/** Calls of the flows of a design, on items that lie in one table. */
export interface FlowSamples {
  /** The id of a user who may call each flow that users may call at all. Left out where nothing decides that. */
  readonly user?: string | undefined
  readonly samples: readonly FlowSample[]
}

/** A call of a flow on an item of its sample. */
export const sampleOf = (flow: string, entity: Entity, input: FlowSample['input'], by?: FlowSample['by']): FlowSample => ({
  ...{ flow, entity, input },
  ...(by === undefined ? {} : { by }),
})

const callers = ['operator', 'user', 'identity-provider'] as const
export type SampleCaller = (typeof callers)[number]

/** What a call of a flow costs. */
export interface FlowCost extends Pick<Cost, 'roundTrips' | 'readUnits' | 'writeUnits'> {
  readonly flow: string
  readonly caller: SampleCaller
  /** Requests that write: one, unless the flow is a durable job or does work around its write. */
  readonly writes: number
}

function callerOf(kind: SampleCaller, user: string): Caller {
  if (kind === 'user') return { actor: { kind, user_id: user } }
  return { actor: kind === 'operator' ? { kind } : { kind, name: 'google' } }
}

function mayCall(kind: SampleCaller, { needs }: FlowDeclaration, { user }: FlowSamples, { by }: FlowSample): boolean {
  if (needs === 'identity-provider') return kind === needs
  if (kind === 'operator') return true
  return kind === 'user' && user !== undefined && !isClosedToUsers(needs) && by === undefined
}

/** Undefined for a sample that needs a feature which the deployer left out. */
async function inputOf(sample: FlowSample): Promise<Values | undefined> {
  try {
    return await sample.input()
  } catch (error) {
    if (isFreeholdError(error, 'UnknownName')) return undefined
    throw error
  }
}

/**
 * Runs each flow on its samples, and counts. A flow with several samples costs what the dearest one does.
 * @param open gives an empty table with its samples, one for each kind of caller, whose calls do not meet those of the others
 */
export async function flowCosts(
  design: AnyDesign,
  offered: Pick<OfferedFlows, 'run' | 'declared'>,
  open: () => Promise<{ readonly table: ConnectedTable; readonly sampled: FlowSamples }>,
): Promise<readonly FlowCost[]> {
  const costs = new Map<string, FlowCost>()
  const declared = new Map(offered.declared(design).map((flow) => [flow.name, flow]))
  const signsIn = [...declared.values()].some(({ needs }) => needs === 'identity-provider')
  for (const caller of callers) {
    if (caller === 'identity-provider' && !signsIn) continue
    const { table, sampled } = await open()
    for (const sample of sampled.samples) {
      const flow = declared.get(sample.flow)
      if (flow === undefined || !mayCall(caller, flow, sampled, sample)) continue
      const input = await inputOf(sample)
      if (input === undefined) continue
      let writes = 0
      const call = () => offered.run(table, sample.flow, input, callerOf(caller, sampled.user ?? ''))
      const { roundTrips, readUnits, writeUnits } = (await meter(call, () => writes++)).cost
      const before = costs.get(`${caller} ${sample.flow}`)
      if (before === undefined || before.roundTrips < roundTrips || before.writeUnits < writeUnits)
        costs.set(`${caller} ${sample.flow}`, { flow: sample.flow, caller, roundTrips, readUnits, writeUnits, writes })
    }
    table.close()
  }
  return [...costs.values()].sort((a, b) => compare(a.flow, b.flow) || callers.indexOf(a.caller) - callers.indexOf(b.caller))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Costs as rows of a table: flow, caller, round trips, read units, write units. */
export const costRows = (costs: readonly FlowCost[]): readonly (readonly string[])[] =>
  costs.map(({ flow, caller, ...cost }) => [
    flow,
    caller.replace('-', ' '),
    ...[cost.roundTrips, cost.readUnits, cost.writeUnits].map(String),
  ])

/** The heads of the columns of `costRows`. */
export const costColumns = ['flow', 'called by', 'round trips', 'read units', 'write units'] as const

/** The section of a design's page on what its flows cost. */
export function costSection(costs: readonly FlowCost[]): readonly string[] {
  if (costs.length === 0) return []
  return [
    '## Costs of flows',
    'A round trip is a step that waits for the one before; requests that are sent side by side count once. The units are those that DynamoDB counts. Each flow was called on a small sample, by an operator and by a user who may call it. A flow that is a durable job, or works around its write, takes more for more items.',
    markdownTable(
      costColumns,
      costRows(costs).map(([flow = '', ...cells]) => [code(flow), ...cells]),
    ),
  ]
}
