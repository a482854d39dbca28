import { operator } from '@freehold/frame/flow'
import { without } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../../test/engine/sender-after.ts'
import { accountWork, changesOf, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { hashOf, sealed } from '../../../../test/account-secrets.ts'
import { ownTableOf } from '../../../../test/own-table.ts'
import { accountManagement } from '../../design.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const work = await accountWork({ now: () => new Date(now++) })
const client = (await work.table.Client.create({ name: 'Ours' })).id

let users = 0
const newUser = async () =>
  (await work.table.User.create({ client_id: client, email: `u${++users}@ours.example`, user_type: 'client_admin' })).id
const secrets = ['password_hash', 'mfa_secret'] as const
const withSecrets = (id: string) => work.table.User.get({ id }, { consistent: true, secrets })
const auditOf = async (id: string) => (await work.audit(client)).filter(({ entity_id }) => entity_id === id)

describe('a password', () => {
  test('is kept as its hash, when it was set is told, and neither answers nor the audit have it', async () => {
    const id = await newUser()
    const user = await work.flows.setPassword({ id, password_hash: hashOf('one') })
    expect(user).toMatchObject({ id, password_last_changed_at: expect.any(String) })
    expect(await withSecrets(id)).toMatchObject({ password_hash: hashOf('one') })
    await work.flows.setPassword({ id, password_hash: hashOf('two') })
    expect(await withSecrets(id)).toMatchObject({ password_hash: hashOf('two') })
    const entries = await auditOf(id)
    expect(entries.map(({ action }) => action)).toEqual(['setPassword', 'setPassword'])
    expect(changesOf(entries[0])).toEqual({ password_last_changed_at: { after: user.password_last_changed_at } })
    expect(JSON.stringify([entries, user, await work.table.jobs.list()])).not.toContain('$argon2id')
  })

  test('that is new ends what was signed in with the old one, unless that is to stay', async () => {
    const id = await newUser()
    await work.flows.createSession({ user_id: id })
    const { text } = await work.flows.createToken({ user_id: id, token_type: 'refresh' })
    const states = async () => [
      (await work.flows.listSessions({ user_id: id })).items.map(({ status }) => status),
      (await work.flows.verifyToken({ text })).valid,
    ]
    await work.flows.setPassword({ id, password_hash: hashOf('one'), keep_sessions: true })
    expect(await states()).toEqual([['active'], true])
    await work.flows.setPassword({ id, password_hash: hashOf('two') })
    expect(await states()).toEqual([['revoked'], false])
  })

  test('also where the process ends before it is written, or right after', async () => {
    for (const isWritten of [false, true]) {
      const id = await newUser()
      await work.flows.createSession({ user_id: id })
      let isDead = false
      const dying = await accountWork({
        table: work.table.runtime.table,
        now: () => new Date(now++),
        patience_ms: 0,
        sender: senderAfter((operation, input) => {
          const isPassword = operation === 'TransactWriteItems' && JSON.stringify(input).includes('password_hash')
          if (isDead || (isPassword && !isWritten)) throw new Error('The process ends.')
          isDead = isPassword
        }),
      })
      const ended = dying.flows.setPassword({ id, password_hash: hashOf('new') })
      await expect(ended).rejects.toThrow()
      expect((await withSecrets(id))?.password_hash).toBe(isWritten ? hashOf('new') : undefined)
      expect((await work.flows.listSessions({ user_id: id })).items.map(({ status }) => status)).toEqual(['revoked'])
    }
  })

  test('also for whoever signs in with the old one while it is written', async () => {
    const id = await newUser()
    let hasBegun = false
    const late = await accountWork({
      table: work.table.runtime.table,
      now: () => new Date(now++),
      sender: senderAfter(async (operation, input) => {
        if (operation === 'TransactWriteItems' && !hasBegun && JSON.stringify(input).includes('password_hash')) {
          hasBegun = true
          await work.flows.createSession({ user_id: id })
        }
      }),
    })
    await late.flows.setPassword({ id, password_hash: hashOf('new') })
    expect(hasBegun).toBe(true)
    expect((await work.flows.listSessions({ user_id: id })).items.map(({ status }) => status)).toEqual(['revoked'])
  })

  test('is not empty, loses to another writer of the version that it names, and is not of one who never accepted', async () => {
    const id = await newUser()
    await work.flows.createSession({ user_id: id })
    await expect(work.flows.setPassword({ id, password_hash: ' ' })).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(work.flows.setPassword({ id, password_hash: hashOf('x'), version: 1 })).rejects.toMatchObject({ code: 'VersionConflict' })
    expect((await work.flows.listSessions({ user_id: id })).items.map(({ status }) => status)).toEqual(['active'])
    const invited = await work.flows.inviteUser({ client_id: client, email: `i${++users}@ours.example`, user_type: 'external_tenant' })
    const refused = { code: 'CheckFailed', details: { reason: 'InvitationNotAccepted' } }
    await expect(work.flows.setPassword({ id: invited.id, password_hash: hashOf('x') })).rejects.toMatchObject(refused)
  })
})

test('a second factor is set and taken away, and nobody is shown its secret; taking it away is a warning', async () => {
  const id = await newUser()
  const user = await work.flows.setMfa({ id, mfa_type: 'totp', mfa_secret: sealed('secret') })
  expect(user).toMatchObject({ mfa_enabled: true, mfa_type: 'totp' })
  expect(await withSecrets(id)).toMatchObject({ mfa_secret: sealed('secret') })
  expect(await work.flows.unsetMfa({ id })).toMatchObject({ mfa_enabled: false })
  const left = await withSecrets(id)
  expect([left?.mfa_secret, left?.mfa_type]).toEqual([undefined, undefined])
  const entries = await auditOf(id)
  expect(entries.map(({ action, severity }) => [action, severity])).toEqual([
    ['setMfa', 'info'],
    ['unsetMfa', 'warning'],
  ])
  expect(JSON.stringify([user, entries])).not.toContain(sealed('secret'))
})

test('a user sets its own, and no permission is enough for another’s', async () => {
  const [id, other] = [await newUser(), await newUser()]
  const self = work.acting(id, false)
  await self.flows.setPassword({ id, password_hash: hashOf('own') })
  await self.flows.setMfa({ id, mfa_type: 'totp', mfa_secret: sealed('own') })
  await self.flows.unsetMfa({ id })
  expect(self.asked).toEqual([])
  const refused = { code: 'Denied', details: { reason: 'OperatorsOnly' } }
  const { flows } = work.acting(id)
  await expect(flows.setPassword({ id: other, password_hash: hashOf('x') })).rejects.toMatchObject(refused)
  await expect(flows.setMfa({ id: other, mfa_type: 'totp', mfa_secret: sealed('x') })).rejects.toMatchObject(refused)
  await expect(flows.unsetMfa({ id: other })).rejects.toMatchObject(refused)
  expect(await withSecrets(other)).toMatchObject({ version: 1 })
})

test('without sessions and tokens a password is set all the same', async () => {
  const table = await ownTableOf(without(without(accountManagement, 'sessions'), 'tokens'), {
    jobHandlers: checkedAccountFlows.jobHandlers,
  })
  const { id } = await table.User.create({ email: 'root@example.org', user_type: 'internal' })
  expect(await checkedAccountFlows.of(table, { actor: operator }).setPassword({ id, password_hash: hashOf('x') })).toMatchObject({ id })
})
