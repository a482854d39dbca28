import { beforeEach, describe, expect, test } from 'vitest'
import { type AuthorizationScene, authorizationScene, authorizationWork } from '../../../test/authorization-flows.ts'
import { mentions } from '../../../test/whole-table.ts'

let scene: AuthorizationScene
let count = 0
const work = await authorizationWork()
beforeEach(async () => {
  scene = await authorizationScene(work, String(++count))
})

const consistent = { consistent: true }
const grantOf = (tenantId: string, userId: string) => work.table.TenantGrant.get({ tenantId, userId }, consistent)
const denied = (reason: string) => ({ code: 'Denied', details: { reason } })

describe('a grant', () => {
  test('needs its tenant, its user and tenant roles that exist', async () => {
    const { ours: tenantId, staff, viewer, user } = scene
    const userId = await user('new')
    await expect(work.flows.createGrant({ tenantId, userId, roles: [viewer, staff] })).rejects.toMatchObject({ code: 'MissingEnd' })
    await expect(work.flows.createGrant({ tenantId, userId: tenantId })).rejects.toMatchObject({ code: 'MissingEnd' })
    await expect(work.flows.createGrant({ tenantId: userId, userId })).rejects.toMatchObject({ code: 'NotFound' })
    expect(await grantOf(tenantId, userId)).toBeUndefined()
    const made = await work.flows.createGrant({ tenantId, userId, roles: [viewer] })
    await expect(work.flows.createGrant({ tenantId, userId })).rejects.toMatchObject({ code: 'AlreadyExists' })
    expect(await work.flows.grantById({ tenantGrantId: made.tenantGrantId ?? '' })).toEqual(made)
  })

  test('gets and loses roles, also where several change it at once', async () => {
    const { ours: tenantId, friend: userId, viewer, editor, role } = scene
    const roles = await Promise.all([1, 2, 3].map((each) => role(`more ${each} ${count}`)))
    await work.flows.changeGrantRoles({ tenantId, userId, add: [viewer] })
    await Promise.all([
      ...roles.map((each) => work.flows.changeGrantRoles({ tenantId, userId, add: [each, each] })),
      work.flows.changeGrantRoles({ tenantId, userId, add: [editor], take: [viewer] }),
    ])
    expect([...((await grantOf(tenantId, userId))?.roles ?? [])].sort()).toEqual([...roles, editor].sort())
  })

  test('is listed by its tenant, by its user, and by its id', async () => {
    const { ours, theirs, lead, friend } = scene
    await work.flows.createGrant({ tenantId: theirs, userId: friend })
    const inOurs = await work.as(lead).grantsOfTenant({ tenantId: ours })
    expect(inOurs.items.map(({ userId }) => userId).sort()).toEqual([lead, friend].sort())
    const ofFriend = await work.flows.grantsOfUser({ userId: friend, limit: 1 })
    const more = await work.flows.grantsOfUser({ userId: friend, limit: 1, cursor: ofFriend.cursor ?? '' })
    expect([...ofFriend.items, ...more.items].map(({ tenantId }) => tenantId).sort()).toEqual([ours, theirs].sort())
    await expect(work.flows.grantsOfUser({ userId: ours })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.flows.grantById({ tenantGrantId: ours })).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('of a tenant that is being deleted, or of a user, goes with it; the others stay', async () => {
    const { ours, theirs, lead, friend, stranger } = scene
    await work.flows.createGrant({ tenantId: theirs, userId: friend })
    await work.flows.deleteTenant({ tenantId: ours })
    expect([await grantOf(ours, lead), await grantOf(ours, friend)]).toEqual([undefined, undefined])
    await work.flows.deleteUser({ userId: friend })
    expect(await grantOf(theirs, friend)).toBeUndefined()
    expect(await grantOf(theirs, stranger)).toBeDefined()
    const left = [...(await mentions(work.table, ours)), ...(await mentions(work.table, friend))]
    expect(left.filter((key) => !key.startsWith('CHANGES#'))).toEqual([])
  })
})

describe('a calling user', () => {
  test('gives the roles that it may grant, and no others', async () => {
    const { ours: tenantId, lead, friend: userId, viewer, editor, user } = scene
    const by = work.as(lead)
    await by.changeGrantRoles({ tenantId, userId, add: [viewer] })
    await expect(by.changeGrantRoles({ tenantId, userId, add: [viewer, editor] })).rejects.toMatchObject(denied('NoGrant'))
    await expect(by.createGrant({ tenantId, userId: await user('new'), roles: [editor] })).rejects.toMatchObject(denied('NoGrant'))
    await expect(by.changeGrantRoles({ tenantId, userId: lead, add: [editor] })).rejects.toMatchObject(denied('NoGrant'))
    expect((await grantOf(tenantId, userId))?.roles).toEqual([viewer])
  })

  test('takes also what it may not grant, and leaves alone what is there', async () => {
    const { ours: tenantId, lead, friend: userId, viewer, editor } = scene
    await work.flows.changeGrantRoles({ tenantId, userId, add: [editor] })
    await work.as(lead).changeGrantRoles({ tenantId, userId, add: [editor, viewer] })
    await work.as(lead).changeGrantRoles({ tenantId, userId, take: [editor] })
    expect((await grantOf(tenantId, userId))?.roles).toEqual([viewer])
  })

  test.each([
    ['its grant', (at: AuthorizationScene) => work.flows.removeGrant({ tenantId: at.ours, userId: at.lead })],
    ['its role there', (at: AuthorizationScene) => work.flows.changeGrantRoles({ tenantId: at.ours, userId: at.lead, take: [at.admin] })],
    ['its tenant, which is suspended,', (at: AuthorizationScene) => work.flows.suspendTenant({ tenantId: at.ours })],
    ['itself, as it is deleted,', (at: AuthorizationScene) => work.flows.deleteUser({ userId: at.lead })],
  ])('that loses %s before its write is applied, writes nothing (spec rule 23)', async (_, lose) => {
    const { ours: tenantId, lead, friend: userId, viewer } = scene
    work.meanwhile = () => lose(scene)
    await expect(work.as(lead).changeGrantRoles({ tenantId, userId, add: [viewer] })).rejects.toMatchObject({ code: 'Denied' })
    expect((await grantOf(tenantId, userId))?.roles).toEqual([])
  })

  test('that loses the role which it gives, before that is given, gives nothing', async () => {
    const { ours: tenantId, lead, friend: userId, viewer } = scene
    work.meanwhile = () => work.flows.changeGrantRoles({ tenantId, userId: lead, take: [viewer] })
    await expect(work.as(lead).changeGrantRoles({ tenantId, userId, add: [viewer] })).rejects.toMatchObject(denied('NoGrant'))
    expect((await grantOf(tenantId, userId))?.roles).toEqual([])
  })

  test('does nothing in a suspended tenant, and again once it is active', async () => {
    const { ours: tenantId, lead } = scene
    await work.flows.suspendTenant({ tenantId })
    await expect(work.as(lead).renameTenant({ tenantId, name: 'x' })).rejects.toMatchObject(denied('NoGrant'))
    await work.flows.activateTenant({ tenantId })
    await work.as(lead).renameTenant({ tenantId, name: `renamed ${count}` })
  })

  test('is named by its id or its e-mail address', async () => {
    const { lead } = scene
    const named = { kind: 'user', user_id: lead }
    expect(await work.offered.actorNamed(work.table, lead.toLowerCase())).toEqual(named)
    expect(await work.offered.actorNamed(work.table, ` LEAD-${count}@example.org`)).toEqual(named)
    await expect(work.offered.actorNamed(work.table, 'nobody@example.org')).rejects.toMatchObject(denied('UnknownUser'))
  })
})

test('policies are listed by the prefix of their names, and found by id', async () => {
  for (const name of ['ticket', 'ticket-read', 'Ticket', 'tick']) await work.flows.registerPolicy({ policyId: `id-${name}`, name })
  const listed = await work.flows.policiesByPrefix({ prefix: 'ticket' })
  expect(listed.items.map(({ name }) => name)).toEqual(['ticket', 'ticket-read'])
  expect(await work.flows.policyById({ policyId: 'id-Ticket' })).toMatchObject({ name: 'Ticket' })
  await expect(work.flows.policyById({ policyId: 'ID-ticket' })).rejects.toMatchObject({ code: 'NotFound' })
})
