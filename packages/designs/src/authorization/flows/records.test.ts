import type { ChangeLine } from '@freehold/frame/flow'
import { without } from '@freehold/table'
import { expect, test } from 'vitest'
import { authorizationRows, toldByAuthorization } from '../../../test/authorization-flow-rows.ts'
import { authorizationScene, authorizationWork } from '../../../test/authorization-flows.ts'
import { testFlows } from '../../../test/conformance/flow-conformance.ts'
import { ownTableOf } from '../../../test/own-table.ts'
import { mentions } from '../../../test/whole-table.ts'
import { authorization } from '../design.ts'
import { offeredAuthorizationFlows } from './flows.ts'

// Each flow leaves a log line and an item: who, what, before and after.

const work = await authorizationWork()
const scene = await authorizationScene(work)
work.lines()

testFlows({
  design: authorization,
  offered: offeredAuthorizationFlows(),
  withoutKey: [],
  open: async () => {
    const own = await authorizationWork()
    const made = await authorizationScene(own)
    return { ...own, user: made.lead, rows: authorizationRows(own, made), told: toldByAuthorization }
  },
})

const among = { consistent: true, limit: 1 }

test('a change is listed by its tenant, or as of none, and by its actor', async () => {
  const told = { actor: scene.lead, flow: 'renameTenant', tenantId: scene.ours }
  await work.as(scene.lead).renameTenant({ tenantId: scene.ours, name: 'listed' })
  expect((await work.table.changesOfActor({ actor: scene.lead }, among)).items).toMatchObject([told])
  expect((await work.table.changesOfTenant({ tenantId: scene.ours }, among)).items).toMatchObject([told])
  await work.flows.createRole({ name: 'listed', scope: 'global' })
  expect((await work.table.changesOfActor({ actor: 'operator test' }, among)).items).toMatchObject([{ flow: 'createRole' }])
  expect((await work.table.changesOfSystem({}, among)).items).toMatchObject([{ flow: 'createRole', entityId: 'global listed' }])
  work.lines()
})

test('a denied call is recorded with its reason and the ids that it named, of its actor and not of the tenant', async () => {
  const { friend, theirs: tenantId } = scene
  await expect(work.as(friend).renameTenant({ tenantId, name: 'secret' })).rejects.toMatchObject({ code: 'Denied' })
  const told = { flow: 'renameTenant', status: 'failure', more: { reason: 'NoGrant' }, related: { tenantId } }
  expect(work.lines()).toMatchObject([{ ...told, actor: { kind: 'user', user_id: friend }, from: { via: 'a key' } }])
  expect((await work.table.changesOfActor({ actor: friend }, among)).items).toMatchObject([told])
  expect((await work.table.changesOfTenant({ tenantId }, among)).items).not.toMatchObject([{ status: 'failure' }])
  expect(await mentions(work.table, 'secret')).toEqual([])
})

test('what takes grants along records whose they were, in which tenant and with which roles', async () => {
  const { ours, lead, friend, admin, viewer, theirs, stranger } = await authorizationScene(work, 'cascades')
  const { roleId } = await work.flows.createRole({ name: 'short-lived', scope: 'tenant' })
  await work.flows.changeGrantRoles({ tenantId: ours, userId: friend, add: [roleId] })
  const recorded = async (tenantId: string, flow: string) => {
    const { items } = await work.table.changesOfTenant({ tenantId }, { consistent: true, limit: 1000 })
    return items.filter((each) => each.flow === flow && each.entity === 'TenantGrant')
  }
  await work.flows.deleteRole({ roleId })
  const job = expect.any(String)
  const actor = 'operator test'
  expect(await recorded(ours, 'deleteRole')).toMatchObject([
    {
      ...{ actor, entityId: `${ours} ${friend}`, related: { roleId }, more: { job, removed_with: 'Role' } },
      changes: { roles: { before: [roleId], after: [] } },
    },
  ])
  await work.flows.deleteUser({ userId: stranger })
  expect(await recorded(theirs, 'deleteUser')).toMatchObject([
    {
      ...{ actor, related: { tenantId: theirs, userId: stranger }, more: { job, removed_with: 'User' } },
      changes: { roles: { before: [admin, viewer] } },
    },
  ])
  await work.flows.deleteTenant({ tenantId: ours })
  const taken = await recorded(ours, 'deleteTenant')
  expect(new Set(taken.map(({ related }) => related?.userId))).toEqual(new Set([lead, friend]))
  expect(taken).toMatchObject([{ more: { removed_with: 'Tenant' } }, { more: { removed_with: 'Tenant' } }])
  expect((await mentions(work.table, ours)).filter((key) => !key.startsWith('CHANGES#'))).toEqual([])
  work.lines()
})

test('without the feature changes are logged, and not kept', async () => {
  const lines: ChangeLine[] = []
  const offered = offeredAuthorizationFlows().loggedBy((line) => lines.push(line))
  const table = await ownTableOf(without(authorization, 'changes'), { jobHandlers: offered.jobHandlers })
  await offered.of(table, { actor: { kind: 'operator' } }).createTenant({ name: 'Acme' })
  expect(lines).toMatchObject([{ flow: 'createTenant', entity: 'Tenant', changes: { name: { after: 'Acme' } } }])
  expect(await mentions(table, 'createTenant')).toEqual([])
})
