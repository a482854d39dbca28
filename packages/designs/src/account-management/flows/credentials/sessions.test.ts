import { operator } from '@freehold/frame/flow'
import { without } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../../test/engine/sender-after.ts'
import { accountWork, changesOf, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { idOf } from '../../../../test/account-items.ts'
import { ownTableOf } from '../../../../test/own-table.ts'
import { accountManagement } from '../../design.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const work = await accountWork({ now: () => new Date(now++) })
const client = (await work.table.Client.create({ name: 'Ours' })).id
const theirs = (await work.table.Client.create({ name: 'Theirs' })).id
const eve = (await work.table.User.create({ client_id: theirs, email: 'eve@theirs.example', user_type: 'client_admin' })).id

let users = 0
async function newUser(): Promise<string> {
  return (await work.table.User.create({ client_id: client, email: `u${++users}@ours.example`, user_type: 'external_tenant' })).id
}
const statuses = async (user_id: string) => (await work.flows.listSessions({ user_id })).items.map(({ status }) => status)

describe('a session', () => {
  test('begins, is listed newest first and ends; each is recorded', async () => {
    const user_id = await newUser()
    const first = await work.flows.createSession({ user_id, ip_address: '192.0.2.1' })
    const second = await work.flows.createSession({ user_id, mfa_verified: true })
    expect(second).toMatchObject({ client_id: client, status: 'active', mfa_verified: true })
    expect((await work.flows.listSessions({ user_id })).items.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(await work.flows.endSession({ id: first.id })).toMatchObject({ status: 'expired', session_end: expect.any(String) })
    expect(await work.flows.revokeSession({ id: first.id })).toMatchObject({ status: 'expired', version: 2 })
    const entries = (await work.audit(client)).filter(({ entity_id }) => entity_id === first.id)
    expect(entries.map(({ action }) => action)).toEqual(['createSession', 'endSession'])
    expect(changesOf(entries[1])).toMatchObject({ status: { before: 'active', after: 'expired' } })
  })

  test('is revoked by its id alone, or as one of a user', async () => {
    const [user_id, other] = [await newUser(), await newUser()]
    const { id } = await work.flows.createSession({ user_id })
    await expect(work.flows.revokeSession({ id, user_id: other })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.flows.revokeSession({ id: idOf('session', 404) })).rejects.toMatchObject({ code: 'NotFound' })
    expect(await work.flows.revokeSession({ id, user_id })).toMatchObject({ status: 'revoked' })
  })

  test('is of a user who is active, and does not begin when it is over', async () => {
    const user_id = await newUser()
    await expect(work.flows.createSession({ user_id, expires_at: '2026-01-01' })).rejects.toMatchObject({ code: 'InvalidInput' })
    await work.flows.disableUser({ id: user_id })
    await expect(work.flows.createSession({ user_id })).rejects.toMatchObject({ code: 'CheckFailed', details: { reason: 'UserNotActive' } })
    await expect(work.flows.createSession({ user_id: idOf('user', 404) })).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('says when its user signed in last, in the same transaction, also where it signs in twice at once', async () => {
    const user_id = await newUser()
    const begun = await Promise.all([1, 2, 3].map(() => work.flows.createSession({ user_id })))
    const starts = begun.map(({ session_start }) => session_start)
    const user = await work.table.User.get({ id: user_id }, { consistent: true })
    expect(user).toMatchObject({ version: 4, last_login_at: starts.sort().at(-1) })
  })

  test('does not begin at a client that is suspended, also where that is so only by the time it is written', async () => {
    const user_id = await newUser()
    const refused = { code: 'CheckFailed', details: { reason: 'ClientNotActive' } }
    await work.flows.suspendClient({ id: client })
    await expect(work.flows.createSession({ user_id })).rejects.toMatchObject(refused)
    await work.flows.reactivateClient({ id: client })
    let isSuspended = false
    const late = await accountWork({
      table: work.table.runtime.table,
      now: () => new Date(now++),
      sender: senderAfter(async (operation) => {
        if (operation === 'TransactWriteItems' && !isSuspended) {
          isSuspended = true
          await work.flows.suspendClient({ id: client })
        }
      }),
    })
    await expect(late.flows.createSession({ user_id })).rejects.toMatchObject(refused)
    expect(isSuspended).toBe(true)
    await work.flows.reactivateClient({ id: client })
    expect(await statuses(user_id)).toEqual([])
    expect(await work.table.User.get({ id: user_id }, { consistent: true })).not.toHaveProperty('last_login_at')
  })

  test('and all others of its user are revoked by one job, by whoever resumes it, as often as it is run', async () => {
    const user_id = await newUser()
    for (let each = 0; each < 3; each++) await work.flows.createSession({ user_id })
    const [ended] = (await work.flows.listSessions({ user_id })).items
    await work.flows.endSession({ id: String(ended?.id) })
    await work.flows.revokeSessions({ user_id, wait: false })
    await work.flows.revokeSessions({ user_id, wait: false })
    expect(await statuses(user_id)).toEqual(['expired', 'active', 'active'])
    await work.table.jobs.resume()
    expect(await statuses(user_id)).toEqual(['expired', 'revoked', 'revoked'])
    const ids = new Set((await work.flows.listSessions({ user_id })).items.map(({ id }) => id))
    const recorded = (await work.audit(client)).filter(({ action, entity_id }) => action === 'revokeSessions' && ids.has(String(entity_id)))
    expect(recorded).toHaveLength(2)
  })
})

describe('a user', () => {
  test('needs nothing for its own sessions, while its client is active', async () => {
    const user_id = await newUser()
    const first = await work.flows.createSession({ user_id })
    await work.flows.createSession({ user_id })
    const self = work.acting(user_id, false)
    expect((await self.flows.listSessions({ user_id })).items).toHaveLength(2)
    await self.flows.endSession({ id: first.id })
    await self.flows.revokeSessions({ user_id })
    expect(self.asked).toEqual([])
    expect(await statuses(user_id)).toEqual(['revoked', 'expired'])
    await expect(self.flows.createSession({ user_id })).rejects.toMatchObject({ code: 'Denied', details: { reason: 'OperatorsOnly' } })
    await work.flows.suspendClient({ id: client })
    await expect(self.flows.listSessions({ user_id })).rejects.toMatchObject({ details: { reason: 'ClientNotActive' } })
    await work.flows.reactivateClient({ id: client })
  })

  test('needs a permission for those of another, and finds none of another client', async () => {
    const [user_id, other] = [await newUser(), await newUser()]
    const { id } = await work.flows.createSession({ user_id })
    await expect(work.acting(other, false).flows.revokeSession({ id })).rejects.toMatchObject({ code: 'Denied' })
    await expect(work.acting(eve).flows.revokeSession({ id })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.acting(eve).flows.revokeSessions({ user_id })).rejects.toMatchObject({ code: 'NotFound' })
    expect(await statuses(user_id)).toEqual(['active'])
    expect(await work.acting(other).flows.revokeSession({ id })).toMatchObject({ status: 'revoked' })
  })
})

test('without the feature sessions there is no such flow', async () => {
  const table = await ownTableOf(without(accountManagement, 'sessions'))
  const refused = checkedAccountFlows.of(table, { actor: operator }).listSessions({ user_id: idOf('user', 1) })
  await expect(refused).rejects.toMatchObject({ code: 'UnknownName' })
})
