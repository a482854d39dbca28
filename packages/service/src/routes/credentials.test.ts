import { designModules } from '@freehold/designs'
import { accountManagement } from '@freehold/designs/account-management'
import { expect, test } from 'vitest'
import { startServiceOf } from '../../test/serving.ts'

const { flows } = designModules.get('account-management') ?? {}
const service = await startServiceOf(accountManagement, { module: flows === undefined ? {} : { flows } })

const call = (flow: string, body: object) => service.call('POST', `/v1/account-management/flows/${flow}`, body)
const passwordHash = '$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHRzYWx0$Y29ycmVjdGhvcnNlYmF0dGVyeXN0YXBsZQ'
let users = 0
async function newUser() {
  const client_id = String((await call('createClient', { name: 'Acme' })).body.id)
  const { id } = (await call('inviteUser', { client_id, email: `u${++users}@example.org`, user_type: 'client_admin' })).body
  await call('acceptInvitation', { id, password_hash: passwordHash })
  return { id: String(id), client_id }
}
async function signedIn(user_id: string) {
  const session = (await call('createSession', { user_id })).body
  const token = (await call('createToken', { user_id, token_type: 'api' })).body
  return async () => {
    const [of, by] = [await call('verifySession', { id: session.id }), await call('verifyToken', { text: token.text })]
    expect([of.status, by.status]).toEqual([200, 200])
    return [of.body.valid, by.body.valid]
  }
}

test.each([
  ['disabled, and enabled again', (id: string) => call('disableUser', { id })],
  ['given another e-mail address', (id: string) => call('changeUserEmail', { id, email: `new${++users}@example.org` })],
  ['without its second factor', (id: string) => call('unsetMfa', { id })],
])('an attacker’s session and token end when the user is %s', async (_what, change) => {
  const { id } = await newUser()
  const isLet = await signedIn(id)
  expect(await isLet()).toEqual([true, true])
  expect((await change(id)).status).toBe(200)
  expect((await call('enableUser', { id })).status).toBe(200)
  expect(await isLet()).toEqual([false, false])
})

test('a session and a token of a suspended client are refused', async () => {
  const { id, client_id } = await newUser()
  const isLet = await signedIn(id)
  await call('suspendClient', { id: client_id })
  expect(await isLet()).toEqual([false, false])
})

test('passwords and secrets in clear text are refused and not repeated, and no token lives for a hundred years', async () => {
  const { id } = await newUser()
  for (const [flow, body, clear] of [
    ['setPassword', { id, password_hash: 'correct horse' }, 'correct horse'],
    ['setMfa', { id, mfa_type: 'totp', mfa_secret: 'JBSWY3DPEHPK3PXP' }, 'JBSWY3DPEHPK3PXP'],
    ['createToken', { user_id: id, token_type: 'JWT', expires_at: '2126-01-01T00:00:00.000Z' }, '2126'],
  ] as const) {
    const answer = await call(flow, body)
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ message: expect.any(String) }] } })
    expect(JSON.stringify(answer.body)).not.toContain(clear)
  }
})
