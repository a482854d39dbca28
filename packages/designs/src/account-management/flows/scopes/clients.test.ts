import { operator } from '@freehold/frame/flow'
import { without } from '@freehold/table'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkedAccountFlows } from '../../../../test/account-flows.ts'
import { idOf } from '../../../../test/account-items.ts'
import { answering } from '../../../../test/flow-decider.ts'
import { ownTableOf } from '../../../../test/own-table.ts'
import { accountManagement } from '../../design.ts'

const caller = { actor: operator, ip_address: '192.0.2.7', user_agent: 'curl/8', session_id: idOf('session', 1) }
const table = await ownTableOf(accountManagement)
const flows = checkedAccountFlows.of(table, caller)

/** The audit of a client, oldest first. */
async function audit(client_id: string) {
  const page = await table.auditOfClient({ client_id, from: '2000-01-01', to: '2199-12-31' })
  return [...page.items].reverse()
}

describe('an operator', () => {
  test('creates a client, and the audit says who, what and from where', async () => {
    const client = await flows.createClient({ name: 'Acme', billing_email: 'Pay@Acme.example' })
    expect(client).toMatchObject({ Type: 'Client', name: 'Acme', status: 'active', billing_email: 'pay@acme.example', version: 1 })
    const [entry, ...more] = await audit(client.id)
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      action: 'createClient',
      entity_type: 'Client',
      entity_id: client.id,
      client_id: client.id,
      ip_address: '192.0.2.7',
      user_agent: 'curl/8',
      session_id: caller.session_id,
      status: 'success',
      severity: 'info',
      metadata: {
        operator: true,
        changes: { name: { after: 'Acme' }, status: { after: 'active' }, billing_email: { after: 'pay@acme.example' } },
      },
    })
    expect(entry?.user_id).toBeUndefined()
  })

  test('changes a client, and the audit says what each attribute was and is', async () => {
    const { id } = await flows.createClient({ name: 'Old', phone: '+4930123456' })
    expect(await flows.updateClient({ id, name: 'New', phone: null })).toMatchObject({ name: 'New', version: 2 })
    expect(await table.Client.get({ id }, { consistent: true })).not.toHaveProperty('phone')
    expect((await audit(id))[1]).toMatchObject({
      action: 'updateClient',
      metadata: { operator: true, changes: { name: { before: 'Old', after: 'New' }, phone: { before: '+4930123456' } } },
    })
  })

  test('changes nothing where all is as it shall be: nothing is written, and nothing recorded', async () => {
    const { id } = await flows.createClient({ name: 'Same' })
    expect(await flows.updateClient({ id, name: ' Same ' })).toMatchObject({ version: 1 })
    expect(await flows.reactivateClient({ id })).toMatchObject({ version: 1 })
    expect(await audit(id)).toHaveLength(1)
  })

  test.each(['', '   ', 'x'.repeat(390_000), 'x'.repeat(201), 'a\nb'])('calls no client %.10j', async (name) => {
    await expect(flows.createClient({ name })).rejects.toMatchObject({ code: 'InvalidInput', details: { issues: [{ path: ['name'] }] } })
    const { id } = await flows.createClient({ name: 'x'.repeat(200) })
    await expect(flows.updateClient({ id, name })).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(flows.updateClient({ id, primary_contact_name: name })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('suspends and reactivates a client', async () => {
    const { id } = await flows.createClient({ name: 'Acme' })
    expect(await flows.suspendClient({ id })).toMatchObject({ status: 'suspended' })
    expect(await flows.reactivateClient({ id })).toMatchObject({ status: 'active' })
    expect((await audit(id)).map(({ action, metadata }) => [action, metadata?.changes])).toEqual([
      ['createClient', expect.anything()],
      ['suspendClient', { status: { before: 'active', after: 'suspended' } }],
      ['reactivateClient', { status: { before: 'suspended', after: 'active' } }],
    ])
  })

  test('who names a version loses to any other writer', async () => {
    const { id } = await flows.createClient({ name: 'First' })
    await flows.updateClient({ id, name: 'Second', version: 1 })
    await expect(flows.updateClient({ id, name: 'Third', version: 1 })).rejects.toMatchObject({ code: 'VersionConflict' })
    await expect(flows.deleteClient({ id, version: 1 })).rejects.toMatchObject({ code: 'VersionConflict' })
    expect(await audit(id)).toHaveLength(2)
  })

  test('of ten who change at once each one is recorded, and each record begins where the one before ended', async () => {
    const { id } = await flows.createClient({ name: '0' })
    await Promise.all(Array.from({ length: 10 }, (_, index) => flows.updateClient({ id, name: `${index + 1}` })))
    const changes = (await audit(id)).map(({ metadata }) => metadata?.changes as Record<'name', { before?: string; after: string }>)
    expect(changes).toHaveLength(11)
    const next = new Map(changes.map(({ name: { before, after } }) => [before, after]))
    let last: string | undefined
    for (let step = 0; step < 11; step++) last = next.get(last)
    expect(await table.Client.get({ id }, { consistent: true })).toMatchObject({ name: last, version: 11 })
  })

  test.each(['updateClient', 'suspendClient', 'reactivateClient', 'deleteClient', 'exportClient'] as const)(
    '%s of a client that is not there is NotFound, and nothing is recorded',
    async (flow) => {
      const id = idOf('client', 404)
      await expect(flows[flow]({ id })).rejects.toMatchObject({ code: 'NotFound' })
      expect(await audit(id)).toEqual([])
    },
  )

  test('deletes a client with everything in it; its audit stays', async () => {
    const { id } = await flows.createClient({ name: 'Gone' })
    const { id: user_id } = await table.User.create({ client_id: id, email: 'a@gone.example', user_type: 'client_admin' })
    const { id: role_id } = await table.Role.create({ client_id: id, name: 'Admin' })
    await table.UserRoleAssignment.create({ user_id, role_id, role_owner: id, scope_type: 'client', scope_id: id })
    await flows.deleteClient({ id })
    expect(await table.Client.get({ id }, { consistent: true })).toBeUndefined()
    expect(await table.User.get({ id: user_id }, { consistent: true })).toBeUndefined()
    expect(await table.Role.get({ client_id: id, id: role_id }, { consistent: true })).toBeUndefined()
    expect((await audit(id)).map(({ action }) => action)).toEqual(['createClient', 'deleteClient'])
    expect((await audit(id))[1]).toMatchObject({ metadata: { changes: { name: { before: 'Gone' } } } })
  })

  test('need not wait for the deletion: whoever resumes jobs ends it', async () => {
    const { id } = await flows.createClient({ name: 'Later' })
    await flows.deleteClient({ id, wait: false })
    expect(await table.Client.get({ id }, { consistent: true })).toMatchObject({ deleting: expect.any(String) })
    await expect(flows.updateClient({ id, name: 'x' })).rejects.toMatchObject({ code: 'BeingDeleted' })
    await table.jobs.resume()
    expect(await table.Client.get({ id }, { consistent: true })).toBeUndefined()
  })
})

test('the audit is written with the change or the change is not written', async () => {
  const used = idOf('audit', 1)
  const now = new Date('2026-05-01T00:00:00.000Z')
  await table.AuditLog.create({ id: used, client_id: idOf('client', 77), timestamp: now.toISOString(), action: 'taken' })
  // The audit's key is taken: its id is the second that is made.
  const ids = [idOf('client', 77), used]
  const making = { ulid: () => '', uuid: () => ids.shift() ?? idOf('other', 1) }
  const unlucky = await ownTableOf(accountManagement, { table: table.runtime.table, now: () => now, ids: making })
  await expect(checkedAccountFlows.of(unlucky, caller).createClient({ name: 'Never' })).rejects.toMatchObject({ code: 'AlreadyExists' })
  expect(await table.Client.get({ id: idOf('client', 77) }, { consistent: true })).toBeUndefined()
})

test('without the feature audit the flows write none', async () => {
  const quiet = await ownTableOf(without(accountManagement, 'audit'))
  const of = checkedAccountFlows.of(quiet, caller)
  const { id } = await of.createClient({ name: 'Quiet' })
  await of.suspendClient({ id })
  expect((await of.exportClient({ id })).items).toEqual([expect.objectContaining({ Type: 'Client', status: 'suspended' })])
  await of.deleteClient({ id })
  expect(await quiet.Client.get({ id }, { consistent: true })).toBeUndefined()
})

describe('a user', () => {
  let ours: string
  let theirs: string
  let user_id: string
  beforeAll(async () => {
    ours = (await flows.createClient({ name: 'Ours' })).id
    theirs = (await flows.createClient({ name: 'Theirs' })).id
    user_id = (await table.User.create({ client_id: ours, email: 'ada@ours.example', user_type: 'client_admin' })).id
  })
  const acting = (id: string, allowed = true) => {
    const { decider, asked } = answering(() =>
      allowed ? { allowed } : { allowed, reason: { kind: 'policy', code: 'NoGrant', message: 'No role allows it.' } },
    )
    return { flows: checkedAccountFlows.of(table, { actor: { kind: 'user', user_id: id } }, { decider }), asked }
  }

  test('is asked of the decisions, which read everything, for the permission that the table of permissions names', async () => {
    const user = acting(user_id)
    await user.flows.updateClient({ id: ours, address: 'Pier 1' })
    expect(user.asked).toEqual([
      {
        question: { user: user_id, client: ours, permission: { module: 'account-management', action: 'update', resource: 'client' } },
        how: { consistency: 'strong' },
      },
    ])
    expect((await audit(ours)).at(-1)).toMatchObject({ user_id, metadata: { changes: { address: { after: 'Pier 1' } } } })
    expect((await audit(ours)).at(-1)?.metadata).not.toHaveProperty('operator')
  })

  test('whom they do not allow is denied, and nothing is written', async () => {
    const before = await table.Client.get({ id: ours }, { consistent: true })
    const refused = acting(user_id, false).flows.updateClient({ id: ours, name: 'Mine' })
    await expect(refused).rejects.toMatchObject({ code: 'Denied', details: { reason: 'NoGrant' } })
    expect(await table.Client.get({ id: ours }, { consistent: true })).toEqual(before)
  })

  test('does not see the client of another, even where decisions would allow it', async () => {
    const before = await table.Client.get({ id: theirs }, { consistent: true })
    const user = acting(user_id)
    await expect(user.flows.updateClient({ id: theirs, name: 'Mine' })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(user.flows.exportClient({ id: theirs })).rejects.toMatchObject({ code: 'NotFound' })
    expect(await table.Client.get({ id: theirs }, { consistent: true })).toEqual(before)
    expect(user.asked).toEqual([])
  })

  test.each(['createClient', 'suspendClient', 'reactivateClient', 'deleteClient'] as const)('%s is for operators only', async (flow) => {
    const input = flow === 'createClient' ? { name: 'Mine' } : { id: ours }
    const call: (input: never) => Promise<unknown> = acting(user_id).flows[flow]
    // Each input is its own flow's.
    await expect(call(input as never)).rejects.toMatchObject({ code: 'Denied', details: { reason: 'OperatorsOnly' } })
  })

  test('of no client acts within the tenant scope of the client that it is at', async () => {
    const { id } = await table.User.create({ email: 'support@example.org', user_type: 'internal' })
    const user = acting(id)
    await user.flows.updateClient({ id: theirs, address: 'Pier 2' })
    expect((await audit(theirs)).at(-1)).toMatchObject({ user_id: id, client_id: theirs })
    expect(user.asked).toMatchObject([{ question: { user: id, client: theirs } }])
  })

  test('who is unknown, disabled or being deleted is denied', async () => {
    const { id } = await table.User.create({ client_id: ours, email: 'off@ours.example', user_type: 'client_admin', status: 'disabled' })
    for (const [who, reason] of [
      [idOf('user', 404), 'UnknownUser'],
      [id, 'UserNotActive'],
    ] as const) {
      const refused = acting(who).flows.updateClient({ id: ours, name: 'Mine' })
      await expect(refused).rejects.toMatchObject({ code: 'Denied', details: { reason } })
    }
    await table.User.remove({ id }, { wait: false })
    await expect(acting(id).flows.exportClient({ id: ours })).rejects.toMatchObject({ code: 'Denied', details: { reason: 'BeingDeleted' } })
  })
})

test('nothing that a caller’s client says of itself keeps a flow from its work, and it is kept up to a length', async () => {
  for (const user_agent of ['', '\u0000\u0007', `${'x'.repeat(1023)}😀`, '\ud800', 'é'.repeat(3000), '\u{10ffff}']) {
    const { id } = await checkedAccountFlows
      .of(table, { actor: operator, user_agent, ip_address: user_agent })
      .createClient({ name: 'Acme' })
    const [entry] = await audit(id)
    expect(String(entry?.user_agent ?? '').length).toBeLessThanOrEqual(1024)
  }
})

test('a user moves where the deployer left out sessions and tokens', async () => {
  const lean = await ownTableOf(without(accountManagement, 'sessions', 'tokens'), { jobHandlers: checkedAccountFlows.jobHandlers })
  const of = checkedAccountFlows.of(lean, caller)
  const [one, other] = [await of.createClient({ name: 'One' }), await of.createClient({ name: 'Other' })]
  const { id } = await of.inviteUser({ client_id: one.id, email: 'ada@one.example', user_type: 'client_admin' })
  expect(await of.moveUser({ id, client_id: other.id })).toMatchObject({ client_id: other.id })
})
