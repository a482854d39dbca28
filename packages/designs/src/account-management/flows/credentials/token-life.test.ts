import { operator } from '@freehold/frame/flow'
import { describe, expect, test } from 'vitest'
import { accountWork } from '../../../../test/account-flows.ts'
import { accountManagementWith, open } from '../../index.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const day_ms = 86_400_000
const inDays = (days: number, more_ms = 0) => new Date(now + days * day_ms + more_ms).toISOString()
const work = await accountWork({ now: () => new Date(now) })
const client_id = (await work.table.Client.create({ name: 'Ours' })).id
const user_id = (await work.table.User.create({ client_id, email: 'ada@ours.example', user_type: 'client_admin' })).id

const lives = [
  ['JWT', 1],
  ['refresh', 90],
  ['api', 365],
] as const

describe.each(lives)('a token of type %s', (token_type, days) => {
  test(`lives for ${days} days at most; a later end is refused with a sentence`, async () => {
    const { token } = await work.flows.createToken({ user_id, token_type, expires_at: inDays(days) })
    expect(token.expires_at).toBe(inDays(days))
    const late = work.flows.createToken({ user_id, token_type, expires_at: inDays(days, 1) })
    await expect(late).rejects.toMatchObject({
      code: 'InvalidInput',
      message: `createToken: expires_at is too late: a token of type ${token_type} lives for ${days * 86_400} seconds at most, until ${inDays(days)}.`,
      details: { issues: [{ path: ['expires_at'] }] },
    })
  })

  test('ends by itself when nobody says when', async () => {
    const { token } = await work.flows.createToken({ user_id, token_type })
    expect(token.expires_at).toBe(inDays(Math.min(days, 30)))
  })

  test('is good for no longer, whatever end others have written', async () => {
    const { text, token } = await work.flows.createToken({ user_id, token_type })
    await work.table.AuthToken.update({ user_id, id: token.id }, { expires_at: inDays(5000) })
    const before = now
    now += days * day_ms - 1
    expect(await work.flows.verifyToken({ text })).toMatchObject({ valid: true })
    now += 1
    expect(await work.flows.verifyToken({ text })).toEqual({ valid: false, reason: 'Unknown' })
    now = before
  })
})

test('a deployer sets how long they live, for new tokens and for those that there are', async () => {
  const { table } = work.table.runtime
  const short = open({ table, sender: work.table.runtime.sender, now: () => new Date(now), tokenLifeMax_s: { api: 60 } })
  const flows = short.flows({ actor: operator })
  await expect(flows.createToken({ user_id, token_type: 'api', expires_at: inDays(0, 60_001) })).rejects.toMatchObject({
    code: 'InvalidInput',
  })
  expect((await flows.createToken({ user_id, token_type: 'api' })).token.expires_at).toBe(inDays(0, 60_000))
  expect((await flows.createToken({ user_id, token_type: 'JWT' })).token.expires_at).toBe(inDays(1))
  const { text } = await work.flows.createToken({ user_id, token_type: 'api' })
  now += 60_000
  expect((await work.flows.verifyToken({ text })).valid).toBe(true)
  expect(await flows.verifyToken({ text })).toEqual({ valid: false, reason: 'Unknown' })
})

const century_s = 36_500 * 86_400

test('a token lives for a hundred years at most, as a deployer may set', async () => {
  const { table, sender } = work.table.runtime
  const flows = open({ table, sender, now: () => new Date(now), tokenLifeMax_s: { api: century_s } }).flows({ actor: operator })
  const { text, token } = await flows.createToken({ user_id, token_type: 'api', expires_at: inDays(36_500) })
  expect(token.expires_at).toBe(inDays(36_500))
  expect((await flows.verifyToken({ text })).valid).toBe(true)
  await expect(flows.createToken({ user_id, token_type: 'api', expires_at: inDays(36_500, 1) })).rejects.toMatchObject({
    code: 'InvalidInput',
  })
})

const tooLong = { JWT: century_s + 1, refresh: Number.MAX_SAFE_INTEGER }
test.each([
  { api: 0 },
  { JWT: 1.5 },
  { refresh: Number.POSITIVE_INFINITY },
  { opaque: 60 },
  ...Object.entries(tooLong).map(([type, life_s]) => ({ [type]: life_s })),
])('%o are no lives of tokens', (tokenLifeMax_s) => {
  expect(() => accountManagementWith({ tokenLifeMax_s })).toThrow('tokenLifeMax_s')
})
