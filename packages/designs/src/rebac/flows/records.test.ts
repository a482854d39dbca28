import { without } from '@freehold/table'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../test/own-table.ts'
import { type RebacScene, type RebacWork, rebacScene, rebacWork } from '../../../test/rebac-flows.ts'
import { mentions } from '../../../test/whole-table.ts'
import type { ChangeLine } from '../../flow/flow-host.ts'
import { rebac } from '../design.ts'
import { offeredRebacFlows, type RebacFlows } from './flows.ts'

// Each flow leaves a log line and an item: who, what, before and after.

let work: RebacWork
let scene: RebacScene
let added: string
let made: string
beforeAll(async () => {
  work = await rebacWork()
  scene = await rebacScene(work)
  added = (await work.flows.createUser({ displayName: 'Ada' })).userId
  made = (await work.flows.createGroup({ locationId: scene.here, name: 'made' })).groupId
  work.lines()
})
afterAll(() => work.table.close())

type Call = (flows: RebacFlows) => Promise<unknown>
/** A flow as an operator or as lead, the item that it changes, and what its record tells of that. */
type Case = readonly [flow: keyof RebacFlows, by: 'operator' | 'lead', call: Call, told: () => Partial<ChangeLine>]

const here = () => ({ scope: { locationId: scene.here } })
const ofGroup = () => ({ ...here(), entity: 'UserGroup', id: made })
const pair = () => ({ userId: added, groupId: made })
const grant = () => ({ groupId: made, roleName: 'r1' })

const cases: readonly Case[] = [
  [
    'createUser',
    'operator',
    (flows) => flows.createUser({ displayName: 'New', email: 'new@example.org' }),
    () => ({
      entity: 'User',
      changes: expect.objectContaining({ displayName: { after: 'New' }, isAdmin: { after: false } }),
      related: { email: 'new@example.org' },
    }),
  ],
  [
    'updateUser',
    'operator',
    (flows) => flows.updateUser({ userId: added, displayName: 'Ada L.' }),
    () => ({
      entity: 'User',
      id: added,
      changes: { displayName: { before: 'Ada', after: 'Ada L.' } },
    }),
  ],
  [
    'setAdmin',
    'operator',
    (flows) => flows.setAdmin({ userId: added, isAdmin: true }),
    () => ({
      id: added,
      changes: { isAdmin: { before: false, after: true } },
    }),
  ],
  [
    'addEmail',
    'operator',
    (flows) => flows.addEmail({ userId: added, email: 'Ada@Example.org' }),
    () => ({
      entity: 'EmailIdentity',
      id: 'ada@example.org',
      changes: expect.objectContaining({ userId: { after: added } }),
    }),
  ],
  [
    'signIn',
    'operator',
    (flows) => flows.signIn({ provider: 'google', subject: 's#1', email: 'ada@example.org', isEmailVerified: true }),
    () => ({
      entity: 'SignInIdentity',
      id: 'google s#1',
      related: { userId: added, email: 'ada@example.org' },
    }),
  ],
  [
    'unlinkAccount',
    'operator',
    (flows) => flows.unlinkAccount({ provider: 'google', subject: 's#1' }),
    () => ({
      entity: 'SignInIdentity',
      changes: expect.objectContaining({ userId: { before: added } }),
    }),
  ],
  ['removeEmail', 'operator', (flows) => flows.removeEmail({ email: 'ada@example.org' }), () => ({ entity: 'EmailIdentity' })],
  [
    'joinLocation',
    'lead',
    (flows) => flows.joinLocation({ userId: added, locationId: scene.here }),
    () => ({
      ...here(),
      entity: 'UserLocationEdge',
      id: `${added} ${scene.here}`,
      changes: expect.objectContaining({ userId: { after: added } }),
    }),
  ],
  [
    'joinGroup',
    'lead',
    (flows) => flows.joinGroup(pair()),
    () => ({ ...here(), entity: 'UserGroupEdge', changes: { userId: { after: added }, groupId: { after: made } } }),
  ],
  [
    'leaveGroup',
    'lead',
    (flows) => flows.leaveGroup(pair()),
    () => ({ ...here(), entity: 'UserGroupEdge', changes: expect.objectContaining({ groupName: { before: 'made' } }) }),
  ],
  [
    'leaveLocation',
    'lead',
    (flows) => flows.leaveLocation({ userId: added, locationId: scene.here }),
    () => ({ ...here(), entity: 'UserLocationEdge' }),
  ],
  [
    'createGroup',
    'lead',
    (flows) => flows.createGroup({ locationId: scene.here, name: 'new' }),
    () => ({
      ...here(),
      entity: 'UserGroup',
      changes: expect.objectContaining({ name: { after: 'new' } }),
    }),
  ],
  [
    'updateGroup',
    'lead',
    (flows) => flows.updateGroup({ groupId: made, name: 'renamed' }),
    () => ({ ...ofGroup(), changes: { name: { before: 'made', after: 'renamed' } } }),
  ],
  ['giveRole', 'lead', (flows) => flows.giveRole(grant()), () => ({ ...here(), entity: 'GroupRole', id: `${made} r1` })],
  [
    'takeRole',
    'lead',
    (flows) => flows.takeRole(grant()),
    () => ({ ...here(), entity: 'GroupRole', changes: expect.objectContaining({ roleName: { before: 'r1' } }) }),
  ],
  [
    'deleteGroup',
    'lead',
    (flows) => flows.deleteGroup({ groupId: made }),
    () => ({ ...ofGroup(), changes: expect.objectContaining({ name: { before: 'renamed' } }) }),
  ],
  ['createRole', 'operator', (flows) => flows.createRole({ roleName: 'new', description: 'd' }), () => ({ entity: 'Role', id: 'new' })],
  [
    'updateRole',
    'operator',
    (flows) => flows.updateRole({ roleName: 'new', description: 'e' }),
    () => ({ changes: { description: { before: 'd', after: 'e' } } }),
  ],
  ['createPage', 'operator', (flows) => flows.createPage({ pageName: 'new' }), () => ({ entity: 'Page', id: 'new' })],
  [
    'updatePage',
    'operator',
    (flows) => flows.updatePage({ pageName: 'new', description: 'e' }),
    () => ({ changes: { description: { after: 'e' } } }),
  ],
  [
    'setPermission',
    'operator',
    (flows) => flows.setPermission({ roleName: 'new', pageName: 'new', permission: 'ALLOW' }),
    () => ({
      entity: 'RolePagePermission',
      id: 'new new',
      changes: expect.objectContaining({ permission: { after: 'ALLOW' } }),
    }),
  ],
  [
    'setPermission',
    'operator',
    (flows) => flows.setPermission({ roleName: 'new', pageName: 'new', permission: 'DENY' }),
    () => ({
      changes: { permission: { before: 'ALLOW', after: 'DENY' } },
    }),
  ],
  [
    'removePermission',
    'operator',
    (flows) => flows.removePermission({ roleName: 'new', pageName: 'new' }),
    () => ({
      entity: 'RolePagePermission',
      changes: expect.objectContaining({ permission: { before: 'DENY' } }),
    }),
  ],
  ['deletePage', 'operator', (flows) => flows.deletePage({ pageName: 'new' }), () => ({ entity: 'Page', id: 'new' })],
  ['deleteRole', 'operator', (flows) => flows.deleteRole({ roleName: 'new' }), () => ({ entity: 'Role', id: 'new' })],
  [
    'createLocation',
    'operator',
    (flows) => flows.createLocation({ locationCode: 'new', name: 'New' }),
    () => ({
      entity: 'Location',
      changes: expect.objectContaining({ locationCode: { after: 'NEW' } }),
    }),
  ],
  [
    'updateLocation',
    'operator',
    (flows) => flows.updateLocation({ locationId: scene.there, locationCode: 'THAR' }),
    () => ({
      scope: { locationId: scene.there },
      changes: { locationCode: { before: 'THERE', after: 'THAR' } },
    }),
  ],
  [
    'deleteLocation',
    'operator',
    (flows) => flows.deleteLocation({ locationId: scene.there }),
    () => ({ scope: { locationId: scene.there }, entity: 'Location' }),
  ],
  ['deleteUser', 'operator', (flows) => flows.deleteUser({ userId: added }), () => ({ entity: 'User', id: added })],
  [
    'assignMany',
    'operator',
    (flows) => flows.assignMany({ assignments: [{ roleName: 'r1', pageName: 'p2' }] }),
    () => ({ entity: 'RolePagePermission', id: 'r1 p2' }),
  ],
]

test.each(cases)('%s as %s', async (flow, by, call, told) => {
  const actor = by === 'lead' ? { kind: 'user', user_id: scene.lead } : { kind: 'operator', name: 'test' }
  await call(by === 'lead' ? work.as(scene.lead) : work.flows)
  const [line, ...more] = work.lines()
  expect(more).toEqual([])
  expect(line).toMatchObject({ time: expect.any(String), design: 'rebac', flow, actor, status: 'success', ...told() })
  const stored = by === 'lead' ? scene.lead : 'operator test'
  const { time: _, design: __, actor: ___, scope, id, ...content } = line ?? {}
  const kept = { ...content, ...(scope as object | undefined), entityId: id, actor: stored }
  const among = { consistent: true, limit: 10 }
  expect((await work.table.changesOfActor({ actor: stored }, among)).items).toContainEqual(expect.objectContaining(kept))
  const { locationId } = (scope ?? {}) as { readonly locationId?: string }
  const listed =
    locationId === undefined ? await work.table.changesOfSystem({}, among) : await work.table.changesOfLocation({ locationId }, among)
  expect(listed.items).toContainEqual(expect.objectContaining(kept))
})

test('no flow is left out', () => {
  const names = offeredRebacFlows()
    .describe(rebac)
    .map(({ name }) => name)
  // Renames leave two records: rename.test.ts has them.
  expect([...new Set([...cases.map(([flow]) => flow), 'renamePage', 'renameRole'])].sort()).toEqual(names)
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
  table.close()
})

test('a log that throws does not undo what was written', async () => {
  const offered = offeredRebacFlows().loggedBy(() => {
    throw new Error('the disk is full')
  })
  await offered.of(work.table, { actor: { kind: 'operator' } }).createRole({ roleName: 'logged by nobody' })
  expect(await work.table.Role.get({ roleName: 'logged by nobody' })).toBeDefined()
})
