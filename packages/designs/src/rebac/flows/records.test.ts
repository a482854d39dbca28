import type { ChangeLine } from '@freehold/frame/flow'
import { without } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { openRows, testFlows } from '../../../test/conformance/flow-conformance.ts'
import { ownTableOf } from '../../../test/own-table.ts'
import { rebacRows, toldByChange } from '../../../test/rebac-flow-rows.ts'
import { rebacScene, rebacWork } from '../../../test/rebac-flows.ts'
import { mentions } from '../../../test/whole-table.ts'
import { rebac } from '../design.ts'
import { offeredRebacFlows } from './flows.ts'

// Each flow leaves a log line and an item: who, what, before and after.

const work = await rebacWork()
const scene = await rebacScene(work)
const made = (await work.flows.createGroup({ locationId: scene.here, name: 'made' })).groupId
work.lines()

testFlows({
  design: rebac,
  offered: offeredRebacFlows(),
  withoutKey: [],
  open: () => openRows(rebacWork, rebacScene, rebacRows, toldByChange),
})

test('a change is listed by its location, or as of none, and by its actor', async () => {
  const among = { consistent: true, limit: 1 }
  const lead = { actor: scene.lead, flow: 'updateGroup', locationId: scene.here }
  await work.as(scene.lead).updateGroup({ groupId: made, name: 'renamed' })
  expect((await work.table.changesOfActor({ actor: scene.lead }, among)).items).toMatchObject([lead])
  expect((await work.table.changesOfLocation({ locationId: scene.here }, among)).items).toMatchObject([lead])
  await work.flows.createRole({ roleName: 'listed' })
  expect((await work.table.changesOfActor({ actor: 'operator test' }, among)).items).toMatchObject([{ flow: 'createRole' }])
  expect((await work.table.changesOfSystem({}, among)).items).toMatchObject([{ flow: 'createRole', entityId: 'listed' }])
  work.lines()
})

describe('a denied call', () => {
  test('is logged and kept with its reason and the ids that it named, of the actor and not of the location', async () => {
    await expect(work.as(scene.friend).createGroup({ locationId: scene.here, name: 'secret' })).rejects.toMatchObject({ code: 'Denied' })
    const denied = { flow: 'createGroup', status: 'failure', more: { reason: 'NoMembership' }, related: { locationId: scene.here } }
    expect(work.lines()).toMatchObject([{ ...denied, actor: { kind: 'user', user_id: scene.friend }, from: { via: 'a key' } }])
    expect((await work.table.changesOfActor({ actor: scene.friend }, { consistent: true })).items).toMatchObject([denied])
    const [latest] = (await work.table.changesOfLocation({ locationId: scene.here }, { consistent: true, limit: 1 })).items
    expect(latest).not.toMatchObject({ status: 'failure' })
    expect(await mentions(work.table, 'secret')).toEqual([])
  })
})

test('a deleted role records from which groups it went, and a deleted group whose it was', async () => {
  const { groupId } = await work.flows.createGroup({ locationId: scene.here, name: 'short-lived' })
  await work.flows.createRole({ roleName: 'short-lived' })
  await work.flows.giveRole({ groupId, roleName: 'short-lived' })
  await work.flows.deleteRole({ roleName: 'short-lived' })
  await work.flows.joinGroup({ userId: scene.friend, groupId })
  await work.flows.deleteGroup({ groupId })
  const { items } = await work.table.changesOfActor({ actor: 'operator test' }, { consistent: true, limit: 20 })
  const [member] = items.filter(({ flow, entity }) => flow === 'deleteGroup' && entity === 'UserGroupEdge')
  expect(member).toMatchObject({ locationId: scene.here, entityId: `${scene.friend} ${groupId}`, more: { removed_with: 'UserGroup' } })
  const [grant] = items.filter(({ flow, entity }) => flow === 'deleteRole' && entity === 'GroupRole')
  expect(grant).toMatchObject({ entityId: `${groupId} short-lived`, more: { removed_with: 'Role' } })
  work.lines()
})

test('a change is kept for a year', async () => {
  const [change] = (await work.table.changesOfSystem({}, { limit: 1 })).items
  const days = (Date.parse(change?.expiresAt ?? '') - Date.parse(change?.changedAt ?? '')) / 86_400_000
  expect(days).toBe(365)
})

test('without the feature changes are logged, and not kept', async () => {
  const lines: ChangeLine[] = []
  const offered = offeredRebacFlows().loggedBy((line) => lines.push(line))
  const table = await ownTableOf(without(rebac, 'changes'), { jobHandlers: offered.jobHandlers })
  await offered.of(table, { actor: { kind: 'operator' } }).createRole({ roleName: 'r' })
  expect(lines).toMatchObject([{ flow: 'createRole', entity: 'Role', id: 'r' }])
  expect(await mentions(table, 'createRole')).toEqual([])
})

test('a log that throws does not undo what was written', async () => {
  const offered = offeredRebacFlows().loggedBy(() => {
    throw new Error('the disk is full')
  })
  await offered.of(work.table, { actor: { kind: 'operator' } }).createRole({ roleName: 'logged by nobody' })
  expect(await work.table.Role.get({ roleName: 'logged by nobody' })).toBeDefined()
})
