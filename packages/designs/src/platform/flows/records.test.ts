import type { ChangeLine } from '@freehold/frame/flow'
import { without } from '@freehold/table'
import { expect, test } from 'vitest'
import { openRows, testFlows } from '../../../test/conformance/flow-conformance.ts'
import { ownTableOf } from '../../../test/own-table.ts'
import { platformRows, toldByPlatform } from '../../../test/platform-flow-rows.ts'
import { platformScene, platformWork } from '../../../test/platform-flows.ts'
import { mentions } from '../../../test/whole-table.ts'
import { platform } from '../design.ts'
import { offeredPlatformFlows } from './flows.ts'

// Each flow leaves a log line and an item: who, what, before and after.

testFlows({
  design: platform,
  offered: offeredPlatformFlows(),
  withoutKey: ['sweep'],
  open: () => openRows(platformWork, platformScene, platformRows, toldByPlatform),
})

const work = await platformWork()
const scene = await platformScene(work)
work.lines()

test('a change is listed by its account, or as of none, and by its actor', async () => {
  const among = { consistent: true, limit: 1 }
  const told = { actor: scene.lead, flow: 'updateGroup', accountId: scene.ours }
  await work.as(scene.lead).updateGroup({ id: scene.group, name: 'renamed' })
  expect((await work.table.changesOfActor({ actor: scene.lead }, among)).items).toMatchObject([told])
  expect((await work.table.changesOfAccount({ accountId: scene.ours }, among)).items).toMatchObject([told])
  await work.flows.createRole({ id: 'everywhere', name: 'Everywhere' })
  expect((await work.table.changesOfSystem({}, among)).items).toMatchObject([{ flow: 'createRole', entityId: 'everywhere' }])
  work.lines()
})

test('a denied call is recorded in the account of its caller, with its reason, and not in the one that it asked for', async () => {
  const { friend, ours, theirs } = scene
  await expect(work.as(friend).createGroup({ accountId: ours, name: 'secret' })).rejects.toMatchObject({ code: 'Denied' })
  const told = { flow: 'createGroup', status: 'failure', more: { reason: 'NoGroup' } }
  expect(work.lines()).toMatchObject([{ ...told, actor: { kind: 'user', user_id: friend }, scope: { accountId: ours } }])
  expect((await work.table.changesOfAccount({ accountId: ours }, { consistent: true, limit: 1 })).items).toMatchObject([told])
  await expect(work.as(friend).suspendAccount({ id: theirs })).rejects.toMatchObject({ code: 'Denied' })
  const { items } = await work.table.changesOfAccount({ accountId: theirs }, { consistent: true })
  expect(items.filter(({ actor }) => actor === friend)).toEqual([])
  expect(await mentions(work.table, 'secret')).toEqual([])
})

test('what was changed in an account stays recorded when it is deleted, with each grant that went', async () => {
  const { ours } = await platformScene(work, 'deleted')
  await work.flows.deleteAccount({ id: ours })
  const { items } = await work.table.changesOfAccount({ accountId: ours }, { consistent: true, limit: 1000 })
  expect(items.filter(({ flow }) => flow === 'createUser')).toHaveLength(2)
  const taken = items.filter(({ flow, entity }) => flow === 'deleteAccount' && entity !== 'Account')
  expect(new Set(taken.map(({ entity }) => entity))).toEqual(
    new Set(['User', 'Role', 'RolePermission', 'Group', 'GroupMember', 'GroupRole']),
  )
  expect(taken[0]).toMatchObject({ actor: 'operator test', more: { removed_with: expect.any(String) } })
  expect((await mentions(work.table, ours)).filter((key) => !key.startsWith('CHANGES#'))).toEqual([])
})

test('without the feature changes are logged, and not kept', async () => {
  const lines: ChangeLine[] = []
  const offered = offeredPlatformFlows().loggedBy((line) => lines.push(line))
  const table = await ownTableOf(without(platform, 'changes'), { jobHandlers: offered.jobHandlers })
  await offered.of(table, { actor: { kind: 'operator' } }).createProduct({ id: 'p', name: 'Lens' })
  expect(lines).toMatchObject([{ flow: 'createProduct', entity: 'Product', id: 'p' }])
  expect(await mentions(table, 'createProduct')).toEqual([])
})
