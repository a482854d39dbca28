import type { ConnectOptions } from '@freehold/table'
import { type Caller, operator } from '../../frame/src/flow/actor.ts'
import type { ChangeLine } from '../../frame/src/flow/flow-host.ts'
import type { OfferedFlows } from '../../frame/src/flow/offered-flows.ts'
import { offeredRebacFlows, type RebacFlows, type RebacFlowTable, rebacFlows } from '../src/rebac/flows/flows.ts'
import type { RebacTable } from '../src/rebac/rebac-table.ts'
import { withDeclaredErrors } from './declared-errors.ts'
import { type Interruption, interruptible } from './interruptible.ts'
import { ownTable } from './own-table.ts'

export { type RebacScene, rebacScene } from '../src/rebac/flows/samples.ts'

/** A table on which rebac's flows are at work, and what they logged. An error that its flow does not declare fails the test that meets it. */
export interface RebacWork extends Interruption {
  readonly table: RebacTable
  /** An operator's. */
  readonly flows: RebacFlows
  as(user_id: string): RebacFlows
  by(caller: Caller): RebacFlows
  readonly offered: OfferedFlows<RebacFlowTable>
  /** The lines that were logged since the last call. */
  lines(): readonly ChangeLine[]
}

export async function rebacWork(options: ConnectOptions = {}): Promise<RebacWork> {
  const logged: ChangeLine[] = []
  const offered = withDeclaredErrors(
    rebacFlows,
    offeredRebacFlows().loggedBy((line) => logged.push(line)),
  )
  const interruption: Interruption = { meanwhile: undefined }
  const table = await ownTable({
    jobHandlers: offered.jobHandlers,
    ...interruptible(options, interruption),
  })
  const by = (caller: Caller) => offered.of(table, caller)
  return Object.assign<Interruption, Omit<RebacWork, keyof Interruption>>(interruption, {
    table,
    flows: by({ actor: { ...operator, name: 'test' } }),
    as: (user_id) => by({ actor: { kind: 'user', user_id }, via: 'a key' }),
    by,
    offered,
    lines: () => logged.splice(0),
  })
}
