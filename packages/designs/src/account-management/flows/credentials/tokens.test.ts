import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { accountWork } from '../../../../test/account-flows.ts'
import { idOf } from '../../../../test/account-items.ts'
import { requiredPermissions } from '../../../../test/required-permissions.ts'
import { wholeTable } from '../../../../test/whole-table.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString()
const work = await accountWork({ now: () => new Date(now++) })
const client = (await work.table.Client.create({ name: 'Ours' })).id
const theirs = (await work.table.Client.create({ name: 'Theirs' })).id
const eve = (await work.table.User.create({ client_id: theirs, email: 'eve@theirs.example', user_type: 'client_admin' })).id

let users = 0
async function newUser(client_id = client): Promise<string> {
  return (await work.table.User.create({ client_id, email: `u${++users}@ours.example`, user_type: 'external_tenant' })).id
}
const make = (user_id: string) => work.flows.createToken({ user_id, token_type: 'api' })
const verify = async (text: string) => {
  const verified = await work.flows.verifyToken({ text })
  return verified.valid ? verified.token.id : verified.reason
}

describe('a token', () => {
  test('is told once; the table, the audit and every answer hold no more than its hash', async () => {
    const user_id = await newUser()
    const { text, token } = await work.flows.createToken({ user_id, token_type: 'refresh', payload: { for: 'ci' }, expires_at: inDays(2) })
    expect(token).toMatchObject({ user_id, client_id: client, token_type: 'refresh', payload: { for: 'ci' }, revoked: false })
    expect(token).not.toHaveProperty('token_hash')
    const stored = (await wholeTable(work.table)).find(({ Type, id }) => Type === 'AuthToken' && id === token.id)
    expect(stored?.token_hash).toBe(createHash('sha256').update(text).digest('hex'))
    const secret = text.slice(token.id.length + 1)
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(await wholeTable(work.table))).not.toContain(secret)
    const entries = (await work.audit(client)).filter(({ entity_id }) => entity_id === token.id)
    expect(entries.map(({ action }) => action)).toEqual(['createToken'])
    expect(JSON.stringify([entries, await work.flows.listTokens({ user_id }), await work.flows.verifyToken({ text })])).not.toContain(
      String(stored?.token_hash),
    )
    expect((await make(user_id)).text).not.toContain(secret)
  })

  test('is good for its own text only', async () => {
    const user_id = await newUser()
    const [mine, other] = [await make(user_id), await make(user_id)]
    expect(await verify(mine.text)).toBe(mine.token.id)
    const last = mine.text.endsWith('A') ? 'B' : 'A'
    for (const text of [
      `${mine.text.slice(0, -1)}${last}`,
      `${mine.text} `,
      mine.text.toUpperCase(),
      `${mine.token.id}${other.text.slice(36)}`,
      `${idOf('token', 404)}${mine.text.slice(36)}`,
      mine.token.id,
      '',
      '.',
    ])
      expect(await verify(text)).toBe('Unknown')
  })

  test('without a hash, as others may have written it, is good for nothing', async () => {
    const user_id = await newUser()
    const { id } = await work.table.AuthToken.create({ user_id, token_type: 'api' })
    expect(await verify(`${id}.${'A'.repeat(43)}`)).toBe('Unknown')
  })

  test('is good until it ends, is revoked, or its user or client is not active', async () => {
    const user_id = await newUser()
    const short = await work.flows.createToken({ user_id, token_type: 'api', expires_at: inDays(1) })
    const { text } = await make(user_id)
    now += 86_400_000
    expect(await verify(short.text)).toBe('Unknown')
    await work.flows.suspendClient({ id: client })
    expect(await verify(text)).toBe('ClientNotActive')
    await expect(make(user_id)).rejects.toMatchObject({ code: 'CheckFailed', details: { reason: 'ClientNotActive' } })
    await work.flows.reactivateClient({ id: client })
    expect(await verify(text)).toBe('Revoked')
    const later = await make(user_id)
    await work.table.User.update({ id: user_id }, { status: 'disabled' })
    expect(await verify(later.text)).toBe('UserNotActive')
    await expect(make(user_id)).rejects.toMatchObject({ code: 'CheckFailed', details: { reason: 'UserNotActive' } })
    await work.flows.enableUser({ id: user_id })
    expect(await verify(later.text)).toBe(later.token.id)
    await work.flows.revokeToken({ id: later.token.id })
    expect(await verify(later.text)).toBe('Revoked')
  })

  test('does not begin when it is over', async () => {
    const refused = work.flows.createToken({ user_id: await newUser(), token_type: 'api', expires_at: inDays(-1) })
    await expect(refused).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('and all others of its user are revoked by one job, and each is recorded once', async () => {
    const user_id = await newUser()
    const made = [await make(user_id), await make(user_id), await make(user_id)]
    await work.flows.revokeToken({ id: String(made[0]?.token.id), user_id })
    await Promise.all([work.flows.revokeTokens({ user_id }), work.flows.revokeTokens({ user_id })])
    for (const { text } of made) expect(await verify(text)).toBe('Revoked')
    const ids = new Set(made.map(({ token }) => token.id))
    const entries = (await work.audit(client)).filter(({ entity_id }) => ids.has(String(entity_id)))
    expect(entries.map(({ action }) => action).sort()).toEqual([
      ...['createToken', 'createToken', 'createToken', 'revokeToken', 'revokeTokens', 'revokeTokens'],
    ])
  })
})

describe('a user', () => {
  test('makes and revokes its own tokens, and nobody’s else: with these it would be another', async () => {
    const [user_id, other] = [await newUser(), await newUser()]
    const self = work.acting(user_id, false)
    const { text, token } = await self.flows.createToken({ user_id, token_type: 'api' })
    expect(await verify(text)).toBe(token.id)
    await expect(work.acting(user_id).flows.createToken({ user_id: other, token_type: 'api' })).rejects.toMatchObject({
      code: 'Denied',
      details: { reason: 'OperatorsOnly' },
    })
    expect(await self.flows.revokeToken({ id: token.id })).toMatchObject({ revoked: true, revoked_by: user_id })
    expect(self.asked).toEqual([])
    expect(requiredPermissions.createToken).toBe('own')
  })

  test('needs a permission for those of another, and finds none of another client', async () => {
    const [user_id, other] = [await newUser(), await newUser()]
    const { text, token } = await make(user_id)
    await expect(work.acting(other, false).flows.revokeToken({ id: token.id })).rejects.toMatchObject({ code: 'Denied' })
    await expect(work.acting(eve).flows.revokeToken({ id: token.id })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.acting(eve).flows.listTokens({ user_id })).rejects.toMatchObject({ code: 'NotFound' })
    expect(await verify(text)).toBe(token.id)
    expect(await work.acting(other).flows.revokeToken({ id: token.id })).toMatchObject({ revoked_by: other })
  })
})
