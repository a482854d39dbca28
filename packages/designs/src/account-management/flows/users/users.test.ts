import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../../test/engine/sender-after.ts'
import { accountWork, changesOf } from '../../../../test/account-flows.ts'
import { idOf } from '../../../../test/account-items.ts'
import { hashOf } from '../../../../test/account-secrets.ts'
import { isOfWork } from '../../../../test/transaction-of-work.ts'
import { decideAccountManagement } from '../../decide.ts'

const day_ms = 86_400_000
let now = Date.parse('2026-03-01T12:00:00.000Z')
const work = await accountWork({ now: () => new Date(now++) })
const ours = (await work.table.Client.create({ name: 'Ours' })).id
const theirs = (await work.table.Client.create({ name: 'Theirs' })).id
const ada = (await work.table.User.create({ client_id: ours, email: 'ada@ours.example', user_type: 'client_admin' })).id
const eve = (await work.table.User.create({ client_id: theirs, email: 'eve@theirs.example', user_type: 'client_admin' })).id

const consistent = { consistent: true }
const conflict = (reason: string) => ({ code: 'CheckFailed', category: 'conflict', details: { reason } })
let count = 0
const address = () => `user${++count}@ours.example`
const invite = () => work.flows.inviteUser({ client_id: ours, email: address(), user_type: 'external_tenant' })
const reload = (id: string) => work.table.User.get({ id }, consistent)
const auditOf = async (id: string, client_id = ours) => (await work.audit(client_id)).filter(({ entity_id }) => entity_id === id)

describe('an invitation', () => {
  test('makes a user who is disabled until it is accepted, and active from then on', async () => {
    const user = await work.acting(ada).flows.inviteUser({ email: ' New@Ours.example', user_type: 'external_tenant', first_name: 'Nu' })
    const { id } = user
    expect(user).toMatchObject({ client_id: ours, email: 'new@ours.example', status: 'disabled', invited_by: ada })
    expect(Date.parse(String(user.invitation_expires_at)) - Date.parse(String(user.invited_at))).toBe(7 * day_ms)
    const accepted = await work.flows.acceptInvitation({ id, password_hash: hashOf('very secret'), last_name: 'Er' })
    expect(accepted).toMatchObject({ status: 'active', first_name: 'Nu', last_name: 'Er', password_last_changed_at: expect.any(String) })
    expect(accepted).not.toHaveProperty('invitation_expires_at')
    expect(await work.table.User.get({ id }, { ...consistent, secrets: ['password_hash'] })).toMatchObject({
      password_hash: hashOf('very secret'),
    })
    const entries = await auditOf(id)
    expect(entries.map(({ action, user_id }) => [action, user_id])).toEqual([
      ['inviteUser', ada],
      ['acceptInvitation', undefined],
    ])
    expect(JSON.stringify(entries)).not.toContain('very secret')
    expect(changesOf(entries[1])).toMatchObject({ status: { before: 'disabled', after: 'active' }, last_name: { after: 'Er' } })
  })

  test('is accepted once, and not after it has ended; renewed it is open again', async () => {
    const { id } = await invite()
    now += 7 * day_ms
    await expect(work.flows.acceptInvitation({ id })).rejects.toMatchObject(conflict('InvitationExpired'))
    await work.flows.renewInvitation({ id })
    expect(await work.flows.acceptInvitation({ id })).toMatchObject({ status: 'active', invitation_status: 'accepted' })
    await expect(work.flows.acceptInvitation({ id })).rejects.toMatchObject(conflict('NoInvitation'))
    await expect(work.flows.renewInvitation({ id })).rejects.toMatchObject(conflict('NoInvitation'))
  })

  test('that ten accept at once is accepted once', async () => {
    const { id } = await invite()
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => work.flows.acceptInvitation({ id })))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await auditOf(id)).toHaveLength(2)
  })

  test('ends when its user is disabled: neither accepting nor enabling makes the user active, but renewing and accepting does', async () => {
    const { id } = await invite()
    await work.flows.disableUser({ id })
    await expect(work.flows.acceptInvitation({ id })).rejects.toMatchObject(conflict('InvitationExpired'))
    const refused = work.flows.enableUser({ id })
    await expect(refused).rejects.toMatchObject(conflict('InvitationNotAccepted'))
    await expect(refused).rejects.toThrow(/acceptInvitation .* renewInvitation/)
    expect(await reload(id)).toMatchObject({ status: 'disabled', invitation_status: 'withdrawn' })
    await work.flows.renewInvitation({ id })
    expect(await work.flows.acceptInvitation({ id })).toMatchObject({ status: 'active' })
  })

  test('that was over already is withdrawn, too, when its user is disabled', async () => {
    const { id } = await invite()
    now += 7 * day_ms
    const { invitation_expires_at } = await work.flows.disableUser({ id })
    expect(Date.parse(String(invitation_expires_at))).toBeLessThan(now)
    await work.flows.sweep({ client_id: ours, limit: 100_000 })
    expect(await reload(id)).toMatchObject({ invitation_status: 'withdrawn', invitation_expires_at })
  })

  test('that was withdrawn is not accepted by a service whose clock is behind', async () => {
    const { id } = await invite()
    await work.flows.disableUser({ id })
    const behind = await accountWork({ table: work.table.runtime.table, now: () => new Date(now - day_ms) })
    await expect(behind.flows.acceptInvitation({ id })).rejects.toMatchObject(conflict('InvitationExpired'))
  })

  test.each([false, true])('that is over is answered alike before and after the sweep (%s)', async (isSwept) => {
    const { id } = await invite()
    now += 7 * day_ms
    if (isSwept) await work.flows.sweep({ client_id: ours, limit: 100_000 })
    expect(await reload(id)).toMatchObject({ invitation_status: isSwept ? 'expired' : 'open' })
    await expect(work.flows.acceptInvitation({ id })).rejects.toMatchObject(conflict('InvitationExpired'))
    await expect(work.flows.enableUser({ id })).rejects.toMatchObject(conflict('InvitationNotAccepted'))
    expect(await work.flows.renewInvitation({ id })).toMatchObject({ invitation_status: 'open' })
    expect(await work.flows.acceptInvitation({ id })).toMatchObject({ status: 'active' })
  })

  test('is not for an address that another user has, of whatever client', async () => {
    const email = 'EVE@theirs.example'
    const refused = work.flows.inviteUser({ client_id: ours, email, user_type: 'external_tenant' })
    await expect(refused).rejects.toMatchObject({
      code: 'AlreadyExists',
      message: 'This e-mail address is taken. If its user was invited and the invitation has ended, renewInvitation opens it again.',
      details: { entity: 'User', guard: 'UserEmail' },
    })
  })

  test.each(['', '   ', 'x'.repeat(201), 'a\nb', '\u0000'])('is for nobody called %j', async (first_name) => {
    const input = { client_id: ours, email: address(), user_type: 'external_tenant' } as const
    await expect(work.flows.inviteUser({ ...input, first_name })).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(work.flows.updateUser({ id: ada, first_name })).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await work.flows.updateUser({ id: ada, first_name: null })).not.toHaveProperty('first_name')
  })

  test('that was not accepted is why its user may do nothing, which a decision says', async () => {
    const { id } = await invite()
    const permission = { module: 'doors', action: 'open', resource: 'gate' }
    const reason = async () => (await decideAccountManagement(work.table.runtime).can({ user: id, client: ours, permission })).reason
    expect(await reason()).toMatchObject({ code: 'UserDisabled', message: 'The user has not accepted the invitation.' })
    await work.flows.acceptInvitation({ id })
    expect(await reason()).toMatchObject({ code: 'NoAssignment' })
    await work.flows.disableUser({ id })
    expect(await reason()).toMatchObject({ code: 'UserDisabled', message: 'The user is disabled.' })
  })

  test('that is open ends when its user gets another address, to which it did not go; renewed, it is open again', async () => {
    const { id, email = '' } = await invite()
    expect(await work.flows.changeUserEmail({ id, email })).toMatchObject({ invitation_status: 'open' })
    await work.flows.changeUserEmail({ id, email: address() })
    expect(await reload(id)).toMatchObject({ status: 'disabled', invitation_status: 'expired' })
    await expect(work.flows.acceptInvitation({ id })).rejects.toMatchObject(conflict('InvitationExpired'))
    await work.flows.renewInvitation({ id })
    expect(await work.flows.acceptInvitation({ id })).toMatchObject({ status: 'active' })
  })

  test('that was withdrawn stays so when its user gets another address', async () => {
    const { id } = await invite()
    await work.flows.disableUser({ id })
    await work.flows.changeUserEmail({ id, email: address() })
    expect(await reload(id)).toMatchObject({ invitation_status: 'withdrawn' })
    // Also where it was disabled by a process whose clock is ahead.
    const behind = await accountWork({ table: work.table.runtime.table, now: () => new Date(now - day_ms) })
    await behind.flows.changeUserEmail({ id, email: address() })
    expect(await reload(id)).toMatchObject({ invitation_status: 'withdrawn' })
  })

  test('makes an id: only operators choose one, so that nobody comes back as another', async () => {
    const { id } = await invite()
    await work.flows.deleteUser({ id })
    const input = { id, client_id: ours, email: address(), user_type: 'external_tenant' } as const
    const refused = { code: 'Denied', details: { reason: 'OperatorsOnly', attribute: 'id' } }
    await expect(work.acting(ada).flows.inviteUser(input)).rejects.toMatchObject(refused)
    expect(await reload(id)).toBeUndefined()
    expect(await work.flows.inviteUser(input)).toMatchObject({ id })
  })

  test('of an internal user is an operator’s, recorded at the system', async () => {
    const input = { email: address(), user_type: 'internal' } as const
    await expect(work.acting(ada).flows.inviteUser(input)).rejects.toMatchObject({ code: 'Denied', details: { reason: 'OperatorsOnly' } })
    await expect(work.flows.inviteUser({ ...input, client_id: ours })).rejects.toMatchObject({ code: 'InvalidInput' })
    const { id, client_id } = await work.flows.inviteUser(input)
    expect(client_id).toBeUndefined()
    expect((await work.audit()).at(-1)).toMatchObject({ action: 'inviteUser', entity_id: id })
    await expect(work.acting(ada).flows.disableUser({ id })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.flows.updateUser({ id, user_type: 'client_admin' })).rejects.toMatchObject({ code: 'InvalidInput' })
  })
})

describe('a user', () => {
  test('is disabled and enabled', async () => {
    const { id } = await invite()
    await expect(work.flows.enableUser({ id })).rejects.toMatchObject(conflict('InvitationNotAccepted'))
    await work.flows.acceptInvitation({ id })
    expect(await work.flows.disableUser({ id })).toMatchObject({ status: 'disabled' })
    expect(await work.flows.enableUser({ id })).toMatchObject({ status: 'active' })
    expect((await auditOf(id)).slice(2).map(changesOf)).toEqual([
      { status: { before: 'active', after: 'disabled' } },
      { status: { before: 'disabled', after: 'active' } },
    ])
  })

  test('has another e-mail address, which the guard holds to: the old one is free', async () => {
    const { id, email: old = '' } = await invite()
    await work.flows.acceptInvitation({ id })
    const email = address()
    await work.flows.changeUserEmail({ id, email })
    expect(await work.table.UserEmail.get({ email }, consistent)).toMatchObject({ id })
    expect(await work.table.UserEmail.get({ email: old }, consistent)).toBeUndefined()
    const taken = { code: 'AlreadyExists', message: 'This e-mail address is taken.' }
    await expect(work.flows.changeUserEmail({ id, email: 'eve@theirs.example' })).rejects.toMatchObject(taken)
    expect(changesOf((await auditOf(id))[2])).toEqual({ email: { before: old, after: email } })
  })

  test('of a client does not become internal', async () => {
    const { id } = await invite()
    expect(await work.flows.updateUser({ id, user_type: 'client_admin', title: 'Dr' })).toMatchObject({ user_type: 'client_admin' })
    await expect(work.flows.updateUser({ id, user_type: 'internal' })).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(work.flows.inviteUser({ email: address(), user_type: 'client_admin' })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('is deleted with what it has', async () => {
    const { id } = await invite()
    await work.table.LoginSession.create({ user_id: id })
    await work.flows.deleteUser({ id })
    expect(await reload(id)).toBeUndefined()
    expect((await work.table.sessionsOfUser({ user_id: id }, consistent)).items).toEqual([])
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['inviteUser', 'deleteUser'])
  })

  test('is not deleted while it owns a project, which would point at nobody', async () => {
    const { id } = await invite()
    const { id: project } = await work.flows.createProject({ client_id: ours, name: 'Owned', owner_user_id: id })
    await expect(work.flows.deleteUser({ id })).rejects.toMatchObject({ code: 'InUse', details: { user: 'Project' } })
    await work.flows.updateProject({ id: project, owner_user_id: null })
    await work.flows.deleteUser({ id })
    expect(await reload(id)).toBeUndefined()
  })

  test('is not touched by one who may not, nor by another client’s', async () => {
    const user = await invite()
    const { id } = user
    for (const flow of ['updateUser', 'disableUser', 'enableUser', 'deleteUser', 'renewInvitation'] as const) {
      await expect(work.acting(ada, false).flows[flow]({ id })).rejects.toMatchObject({ code: 'Denied' })
      await expect(work.acting(eve).flows[flow]({ id })).rejects.toMatchObject({ code: 'NotFound' })
    }
    await expect(work.acting(eve).flows.changeUserEmail({ id, email: 'x@y.example' })).rejects.toMatchObject({ code: 'NotFound' })
    const input = { client_id: ours, email: address(), user_type: 'external_tenant' } as const
    await expect(work.acting(eve).flows.inviteUser(input)).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.acting(ada).flows.moveUser({ id, client_id: theirs })).rejects.toMatchObject({ code: 'Denied' })
    await expect(work.acting(ada).flows.acceptInvitation({ id })).rejects.toMatchObject({ code: 'Denied' })
    expect(await reload(id)).toEqual(user)
  })
})

describe('a move to another client', () => {
  test('takes the user with its settings, and both clients’ audits tell it', async () => {
    const { id } = await invite()
    await work.table.Setting.create({ scope_type: 'user', scope_id: id, key: 'theme', value: 'dark' })
    expect(await work.flows.moveUser({ id, client_id: theirs })).toMatchObject({ client_id: theirs })
    expect(await work.table.Setting.get({ scope_type: 'user', scope_id: id, key: 'theme' }, consistent)).toMatchObject({
      client_id: theirs,
    })
    expect((await work.table.clientUsers({ client_id: ours }, consistent)).items.map((each) => each.id)).not.toContain(id)
    expect(changesOf((await auditOf(id)).at(-1))).toEqual({ client_id: { before: ours, after: theirs } })
    expect(changesOf((await auditOf(id, theirs)).at(-1))).toEqual({ client_id: { before: ours, after: theirs } })
    expect(await work.table.jobs.list()).toEqual([])
  })

  test.each([
    ['assignment', 'revokeAllRoles'],
    ['session', 'revokeSessions'],
    ['token', 'revokeTokens'],
    ['project', 'updateProject'],
  ])('is refused while the user has a %s, and says what to do: %s', async (what, remedy) => {
    const { id: user_id } = await invite()
    const { id: role_id } = await work.table.Role.create({ client_id: ours, name: `for ${what}` })
    const place = { role_id, role_owner: ours, scope_type: 'client', scope_id: ours } as const
    if (what === 'assignment') await work.table.UserRoleAssignment.create({ user_id, ...place })
    else if (what === 'session') await work.table.LoginSession.create({ user_id })
    else if (what === 'project') await work.table.Project.create({ client_id: ours, name: 'Owned', owner_user_id: user_id })
    else await work.table.AuthToken.create({ user_id, token_type: 'api' })
    const refused = work.flows.moveUser({ id: user_id, client_id: theirs })
    await expect(refused).rejects.toMatchObject({ code: 'InUse', message: expect.stringContaining(remedy) })
    expect(await reload(user_id)).toMatchObject({ client_id: ours })
    expect(await auditOf(user_id)).toHaveLength(1)
  })

  test('takes what has ended out of the way, and its audit stays', async () => {
    const { id } = await invite()
    await work.flows.acceptInvitation({ id })
    const ended = [await work.flows.createSession({ user_id: id }), await work.flows.createSession({ user_id: id })]
    const { token } = await work.flows.createToken({ user_id: id, token_type: 'api' })
    await work.flows.endSession({ id: String(ended[0]?.id) })
    await work.flows.revokeSessions({ user_id: id })
    await work.flows.revokeTokens({ user_id: id })
    expect(await work.flows.moveUser({ id, client_id: theirs })).toMatchObject({ client_id: theirs })
    expect((await work.flows.listSessions({ user_id: id })).items).toEqual([])
    expect((await work.flows.listTokens({ user_id: id })).items).toEqual([])
    expect(await work.table.TokenById.get({ id: token.id }, consistent)).toBeUndefined()
    const moved = (await work.audit(ours)).filter(({ action }) => action === 'moveUser').map(({ entity_id }) => entity_id)
    for (const gone of [...ended.map((each) => each.id), token.id]) expect(moved).toContain(gone)
  })

  test('is taken back where a session began meanwhile', async () => {
    const { id: user_id } = await invite()
    let hasBegun = false
    // The session is there after the last look before the write, which is the transaction that writes two audit entries.
    const late = await accountWork({
      table: work.table.runtime.table,
      now: () => new Date(now++),
      sender: senderAfter(async (operation, input) => {
        const isMove = isOfWork(operation, input) && JSON.stringify(input).includes('moveUser')
        if (isMove && !hasBegun) {
          hasBegun = true
          await work.table.LoginSession.create({ user_id })
        }
      }),
    })
    await expect(late.flows.moveUser({ id: user_id, client_id: theirs })).rejects.toMatchObject({ code: 'InUse' })
    expect(hasBegun).toBe(true)
    expect(await reload(user_id)).toMatchObject({ client_id: ours })
    expect((await auditOf(user_id, theirs)).map(({ status }) => status)).toEqual(['success', 'failure'])
  })

  test('goes to a client that is there; an internal user has none to leave', async () => {
    const { id } = await invite()
    await expect(work.flows.moveUser({ id, client_id: idOf('client', 404) })).rejects.toMatchObject({ code: 'NotFound' })
    const { id: internal } = await work.table.User.create({ email: address(), user_type: 'internal' })
    await expect(work.flows.moveUser({ id: internal, client_id: theirs })).rejects.toMatchObject({ code: 'InvalidInput' })
  })
})
