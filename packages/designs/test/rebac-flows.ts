import type { ConnectOptions } from '@freehold/table'
import { type Caller, operator } from '../../frame/src/flow/actor.ts'
import type { ChangeLine } from '../../frame/src/flow/flow-host.ts'
import type { OfferedFlows } from '../../frame/src/flow/offered-flows.ts'
import { offeredRebacFlows, type RebacFlows, type RebacFlowTable, rebacFlows } from '../src/rebac/flows/flows.ts'
import type { RebacTable } from '../src/rebac/rebac-table.ts'
import { withDeclaredErrors } from './declared-errors.ts'
import { type Interruption, interruptible } from './interruptible.ts'
import { ownTable } from './own-table.ts'

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

export type RebacScene = Awaited<ReturnType<typeof rebacScene>>

/** Two locations. Lead may manage all at the first, and open p1 there; r1 allows p1, r2 also p2. */
export async function rebacScene({ flows }: Pick<RebacWork, 'flows'>) {
  const { locationId: here } = await flows.createLocation({ locationCode: 'HERE', name: 'Here' })
  const { locationId: there } = await flows.createLocation({ locationCode: 'THERE', name: 'There' })
  for (const pageName of ['manage-memberships', 'manage-groups', 'manage-group-roles', 'p1', 'p2']) await flows.createPage({ pageName })
  for (const roleName of ['lead', 'r1', 'r2']) await flows.createRole({ roleName })
  const allow = async (roleName: string, ...pages: readonly string[]) => {
    for (const pageName of pages) await flows.setPermission({ roleName, pageName, permission: 'ALLOW' })
  }
  await allow('lead', 'manage-memberships', 'manage-groups', 'manage-group-roles', 'p1')
  await allow('r1', 'p1')
  await allow('r2', 'p1', 'p2')
  const { groupId: leads } = await flows.createGroup({ locationId: here, name: 'leads' })
  await flows.giveRole({ groupId: leads, roleName: 'lead' })
  const { userId: lead } = await flows.createUser({ displayName: 'Lead', email: 'lead@example.org' })
  await flows.joinGroup({ userId: lead, groupId: leads })
  const { userId: friend } = await flows.createUser({ displayName: 'Friend' })
  const { groupId: group } = await flows.createGroup({ locationId: here, name: 'group' })
  const { groupId: foreign } = await flows.createGroup({ locationId: there, name: 'foreign' })
  return { here, there, lead, friend, leads, group, foreign }
}
