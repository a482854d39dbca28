import { isFreeholdError, meter } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../../test/engine/sender-after.ts'
import { accountWork, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { hashOf, sealed } from '../../../../test/account-secrets.ts'
import { dyingSender } from '../../../../test/dying-sender.ts'
import type { AccountFlows } from '../flows.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const clock = () => new Date(now++)
const work = await accountWork({ now: clock })
const client = (await work.table.Client.create({ name: 'Ours' })).id

let users = 0
const address = () => `u${++users}@ours.example`
const factor = { mfa_type: 'totp', mfa_secret: sealed('factor') }
async function newUser(): Promise<string> {
  const { id } = await work.table.User.create({
    client_id: client,
    email: address(),
    user_type: 'client_admin',
    mfa_enabled: true,
    ...factor,
  })
  return id
}
const signIn = async (user_id: string) => {
  const { id } = await work.flows.createSession({ user_id })
  return { id, text: (await work.flows.createToken({ user_id, token_type: 'api' })).text }
}
type SignedIn = Awaited<ReturnType<typeof signIn>>
const isLet = async ({ id, text }: SignedIn) => [
  (await work.flows.verifySession({ id })).valid,
  (await work.flows.verifyToken({ text })).valid,
]

type Flow = 'setPassword' | 'disableUser' | 'changeUserEmail' | 'unsetMfa' | 'setMfa'
/** Each change, and the attribute by which its transaction is known. */
const changes: readonly (readonly [Flow, string, (flows: AccountFlows, id: string) => Promise<unknown>])[] = [
  ['setPassword', 'password_hash', (flows, id) => flows.setPassword({ id, password_hash: hashOf('new') })],
  ['disableUser', 'disabled', (flows, id) => flows.disableUser({ id })],
  ['changeUserEmail', 'new-', (flows, id) => flows.changeUserEmail({ id, email: `new-${address()}` })],
  ['unsetMfa', '"unsetMfa"', (flows, id) => flows.unsetMfa({ id })],
  ['setMfa', 'another', (flows, id) => flows.setMfa({ id, mfa_type: 'another', mfa_secret: sealed('another') })],
]

describe.each(changes)('%s', (flow, mark, change) => {
  const isChange = (operation: string, input: unknown) => operation === 'TransactWriteItems' && JSON.stringify(input).includes(mark)

  test('signs the user out, also from its tokens, and nobody else', async () => {
    const [id, other] = [await newUser(), await newUser()]
    const [theirs, others] = [await signIn(id), await signIn(other)]
    expect(await isLet(theirs)).toEqual([true, true])
    await change(work.flows, id)
    if (flow === 'disableUser') await work.flows.enableUser({ id })
    expect(await isLet(theirs)).toEqual([false, false])
    expect(await isLet(others)).toEqual([true, true])
    expect(await isLet(await signIn(id))).toEqual([true, true])
  })

  test.each([false, true])('also if the process ends around its write; written: %s', async (isWritten) => {
    const id = await newUser()
    const theirs = await signIn(id)
    const { table } = work.table.runtime
    let isDead = false
    const dying = await accountWork({
      table,
      now: clock,
      patience_ms: 0,
      sender: senderAfter((operation, input) => {
        const isThis = isChange(operation, input)
        if (isDead || (isThis && !isWritten)) throw new Error('The process ends.')
        isDead = isThis
      }),
    })
    await expect(change(dying.flows, id)).rejects.toThrow()
    await work.table.User.update({ id }, { status: 'active' })
    expect(await isLet(theirs)).toEqual([false, false])
  })

  test('also whoever signs in while it is written, though its clock is half a minute ahead', async () => {
    const id = await newUser()
    const { table } = work.table.runtime
    let late: SignedIn | undefined
    const slow = await accountWork({
      table,
      now: clock,
      sender: senderAfter(async (operation, input) => {
        if (late === undefined && isChange(operation, input)) {
          now += 30_000
          late = await signIn(id)
          now -= 30_000
        }
      }),
    })
    await change(slow.flows, id)
    await work.table.User.update({ id }, { status: 'active' })
    expect(late === undefined ? undefined : await isLet(late)).toEqual([false, false])
  })

  test.each(['deleteUser', 'mark'] as const)('is told as done if the user is removed right after its write: %s', async (way) => {
    const id = await newUser()
    await signIn(id)
    const { sender, table } = work.table.runtime
    let isRemoved = false
    const overtaken = await accountWork({
      table,
      now: clock,
      sender: {
        send: async (operation, input, options) => {
          const answer = await sender.send(operation, input, options)
          if (isRemoved || !isChange(operation, input)) return answer
          isRemoved = true
          await work.flows.deleteUser({ id, wait: way === 'deleteUser' })
          return answer
        },
        close: () => {},
      },
    })
    await change(overtaken.flows, id)
    expect(isRemoved).toBe(true)
    await work.table.jobs.resume()
    expect(await work.table.User.get({ id })).toBeUndefined()
  })

  test('revokes nothing if it names a version that is not the latest', async () => {
    const id = await newUser()
    const theirs = await signIn(id)
    const old = { id, version: 1 }
    const calls = {
      setPassword: () => work.flows.setPassword({ ...old, password_hash: hashOf('x') }),
      disableUser: () => work.flows.disableUser(old),
      changeUserEmail: () => work.flows.changeUserEmail({ ...old, email: address() }),
      unsetMfa: () => work.flows.unsetMfa(old),
      setMfa: () => work.flows.setMfa({ ...old, ...factor }),
    }
    await expect(calls[flow]()).rejects.toMatchObject({ code: 'VersionConflict' })
    expect(await isLet(theirs)).toEqual([true, true])
  })
})

describe('an address that is taken', () => {
  const refusal = async (flows: AccountFlows, id: string, email: string, version?: number) => {
    const error: unknown = await flows.changeUserEmail({ id, email, version }).catch((thrown: unknown) => thrown)
    return isFreeholdError(error) ? [error.code, error.message, error.details.uncertain] : error
  }
  const taken = 'This e-mail address is taken.'

  test.each(['of its client', 'of another client', 'internal'])(
    'by a user %s is refused for certain, and signs nobody out',
    async (whose) => {
      const [id, email] = [await newUser(), address()]
      const another = whose === 'internal' ? undefined : (await work.table.Client.create({ name: 'Theirs' })).id
      const client_id = whose === 'of its client' ? client : another
      await work.table.User.create({ client_id, email, user_type: client_id === undefined ? 'internal' : 'client_admin' })
      const theirs = await signIn(id)
      expect(await refusal(work.flows, id, email.toUpperCase())).toEqual(['AlreadyExists', taken, undefined])
      expect(await refusal(work.acting(id).flows, id, email)).toEqual(['AlreadyExists', taken, undefined])
      expect(await isLet(theirs)).toEqual([true, true])
      expect(await refusal(work.flows, id, email, 7)).toEqual(['VersionConflict', expect.any(String), undefined])
    },
  )

  test('by the user itself is none: its sessions are revoked, also those that a process which ended has left', async () => {
    const id = await newUser()
    const { email = '' } = (await work.table.User.get({ id })) ?? {}
    const theirs = await signIn(id)
    expect(await work.flows.changeUserEmail({ id, email })).toMatchObject({ email })
    expect(await isLet(theirs)).toEqual([false, false])
  })

  test('by the same call at the same time is no refusal', async () => {
    const [id, email] = [await newUser(), address()]
    const { table } = work.table.runtime
    let isDone = false
    const second = await accountWork({
      table,
      now: clock,
      sender: senderAfter(async (operation, input) => {
        if (!isDone && operation === 'BatchGetItem' && JSON.stringify(input).includes(email)) {
          isDone = true
          await work.flows.changeUserEmail({ id, email })
        }
      }),
    })
    expect(await second.flows.changeUserEmail({ id, email })).toMatchObject({ email })
    expect(isDone).toBe(true)
  })

  test('after it was seen free is refused by the transaction, and the sessions that were revoked before that make it uncertain', async () => {
    const [id, email] = [await newUser(), address()]
    const theirs = await signIn(id)
    const { table } = work.table.runtime
    let isTaken = false
    const late = await accountWork({
      table,
      now: clock,
      sender: senderAfter(async (operation, input) => {
        if (!isTaken && operation === 'TransactWriteItems' && JSON.stringify(input).includes(email)) {
          isTaken = true
          await work.table.User.create({ client_id: client, email, user_type: 'client_admin' })
        }
      }),
    })
    expect(await refusal(late.flows, id, email)).toEqual(['AlreadyExists', expect.stringContaining(taken), true])
    expect(await isLet(theirs)).toEqual([false, false])
  })

  test('is looked at beside the user: the change takes as many requests as if it did not look', async () => {
    const id = await newUser()
    const { cost } = await meter(() => work.flows.changeUserEmail({ id, email: address() }))
    const { cost: disabling } = await meter(() => work.flows.disableUser({ id }))
    expect(cost.roundTrips).toBe(disabling.roundTrips)
    expect(cost.requests).toBe(disabling.requests)
  })
})

test('the first second factor of a user signs nobody out', async () => {
  const { id } = await work.table.User.create({ client_id: client, email: address(), user_type: 'client_admin' })
  const theirs = await signIn(id)
  await work.flows.setMfa({ id, ...factor })
  expect(await isLet(theirs)).toEqual([true, true])
})

test('a repeated call revokes what a process that ended has left, though it changes nothing', async () => {
  const id = await newUser()
  const theirs = await signIn(id)
  await work.table.User.update({ id }, { status: 'disabled' })
  await work.flows.disableUser({ id })
  await work.flows.enableUser({ id })
  expect(await isLet(theirs)).toEqual([false, false])
})

describe('a user who may disable others and revoke nothing', () => {
  const acting = async (action: string) => {
    const id = await newUser()
    const permissions = [{ module: 'account-management', action, resource: 'user' }]
    const role_id = (await work.flows.createRole({ client_id: client, name: `Role ${++users}`, permissions })).id
    await work.flows.assignRole({ user_id: id, role_id, scope_type: 'client', scope_id: client })
    return { id, flows: checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: id } }) }
  }

  test('signs them out all the same, and the audit names it', async () => {
    const [ada, { id: admin, flows }] = [await newUser(), await acting('disable')]
    const theirs = await signIn(ada)
    await expect(flows.revokeTokens({ user_id: ada })).rejects.toMatchObject({ code: 'Denied' })
    await flows.disableUser({ id: ada })
    const entries = (await work.audit(client)).filter(({ action, entity_id }) => action === 'revokeSessions' && entity_id === theirs.id)
    expect(entries).toMatchObject([{ user_id: admin, status: 'success' }])
    await work.flows.enableUser({ id: ada })
    expect(await isLet(theirs)).toEqual([false, false])
  })

  test('and itself', async () => {
    const { id, flows } = await acting('disable')
    const own = await signIn(id)
    await flows.disableUser({ id })
    await work.flows.enableUser({ id })
    expect(await isLet(own)).toEqual([false, false])
  })

  test('and gets no job of another to go on without a permission', async () => {
    const [ada, { flows, id }] = [await newUser(), await acting('disable')]
    const theirs = await signIn(ada)
    await expect(flows.revokeSessions({ user_id: ada, follows: true } as never)).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(flows.disableUser({ id: idOfNobody })).rejects.toMatchObject({ code: 'NotFound' })
    expect([id, await isLet(theirs)]).toEqual([expect.any(String), [true, true]])
  })
})
const idOfNobody = '00000000-0000-4000-8000-00000000dead'

describe('suspendClient', () => {
  const newClient = async (count = 1) => {
    const id = (await work.table.Client.create({ name: 'Late payers' })).id
    const users: SignedIn[] = []
    for (let user = 0; user < count; user++)
      users.push(await signIn((await work.table.User.create({ client_id: id, email: address(), user_type: 'client_admin' })).id))
    return { id, users }
  }
  const verified = async ({ id, text }: SignedIn) => [await work.flows.verifySession({ id }), await work.flows.verifyToken({ text })]
  const refused = (reason: string) => [
    { valid: false, reason },
    { valid: false, reason },
  ]

  test('revokes the sessions and tokens of all its users, and of nobody else; that stays so once it is reactivated', async () => {
    const [{ id, users }, other] = [await newClient(60), await newClient()]
    expect(await work.flows.suspendClient({ id })).not.toHaveProperty('pending')
    for (const each of users) expect(await verified(each)).toEqual(refused('ClientNotActive'))
    await work.flows.reactivateClient({ id })
    for (const each of users) expect(await verified(each)).toEqual(refused('Revoked'))
    for (const each of other.users) expect(await isLet(each)).toEqual([true, true])
    expect(await work.table.jobs.list()).toEqual([])
    const told = (await work.audit(id)).filter(({ action }) => action === 'suspendClient')
    expect(told.filter(({ entity_type }) => entity_type === 'Client')).toHaveLength(1)
    for (const entity_type of ['LoginSession', 'AuthToken'])
      expect(told.filter((entry) => entry.entity_type === entity_type)).toHaveLength(users.length)
    expect(told.at(-1)).toMatchObject({ client_id: id, status: 'success', metadata: { operator: true } })
  })

  test('refuses them at use from the first moment, while its job is left to others', async () => {
    const { id, users } = await newClient()
    const [their] = users
    if (their === undefined) throw new Error('nobody')
    expect(await work.flows.suspendClient({ id, wait: false })).toMatchObject({ status: 'suspended', pending: [{ kind: 'flow' }] })
    expect(await verified(their)).toEqual(refused('ClientNotActive'))
    await work.table.jobs.resume()
    await work.flows.reactivateClient({ id })
    expect(await verified(their)).toEqual(refused('Revoked'))
  })

  test('of a client of many users answers when it is suspended, and names the job that goes on', async () => {
    const { id, users } = await newClient(60)
    const hurried = await accountWork({ table: work.table.runtime.table, now: clock, wait_ms: 0 })
    const pending = [{ job: expect.any(String), kind: 'flow', entity: 'signingOutClient' }]
    expect(await hurried.flows.suspendClient({ id })).toMatchObject({ status: 'suspended', pending })
    for (const each of users) expect(await isLet(each)).toEqual([false, false])
    now += 5000
    await work.table.jobs.resume()
    await work.flows.reactivateClient({ id })
    for (const each of users) expect(await verified(each)).toEqual(refused('Revoked'))
  })

  test('has its job done wherever its process ends', async () => {
    for (let writes = 1, isDead = true; isDead; writes++) {
      const { id, users } = await newClient(2)
      const dying = dyingSender(work.table.runtime.sender, writes)
      const doomed = await accountWork({ table: work.table.runtime.table, now: clock, patience_ms: 0, sender: dying.sender })
      await doomed.flows.suspendClient({ id }).catch(() => {})
      isDead = dying.isDead()
      now += 5000
      expect(await work.table.jobs.resume()).toMatchObject({ held: [], failed: [] })
      const isSuspended = (await work.table.Client.get({ id }))?.status === 'suspended'
      if (writes > 3) expect(isSuspended).toBe(true)
      await work.flows.reactivateClient({ id })
      if (isSuspended) for (const each of users) expect([writes, await isLet(each)]).toEqual([writes, [false, false]])
    }
  })

  test('suspends nothing and revokes nothing if it names a version that is not the latest', async () => {
    const { id, users } = await newClient()
    await work.flows.updateClient({ id, name: 'Better payers' })
    await expect(work.flows.suspendClient({ id, version: 1 })).rejects.toMatchObject({ code: 'VersionConflict' })
    for (const each of users) expect(await isLet(each)).toEqual([true, true])
    expect(await work.table.jobs.list()).toEqual([])
  })
})

test('a session that is of another user, has ended, or is of a user who is on the way out, is refused at use', async () => {
  const [user_id, other] = [await newUser(), await newUser()]
  const { id } = await work.flows.createSession({ user_id })
  expect(await work.flows.verifySession({ id, user_id })).toMatchObject({ valid: true, session: { id, user_id } })
  expect(await work.flows.verifySession({ id, user_id: other })).toEqual({ valid: false, reason: 'Unknown' })
  expect(await work.flows.verifySession({ id: idOfNobody })).toEqual({ valid: false, reason: 'Unknown' })
  const [ended, revoked] = [await work.flows.createSession({ user_id }), await work.flows.createSession({ user_id })]
  await work.flows.endSession({ id: ended.id })
  await work.flows.revokeSession({ id: revoked.id })
  expect(await work.flows.verifySession({ id: ended.id })).toEqual({ valid: false, reason: 'Ended' })
  expect(await work.flows.verifySession({ id: revoked.id })).toEqual({ valid: false, reason: 'Revoked' })
  await work.table.User.update({ id: user_id }, { status: 'disabled' })
  expect(await work.flows.verifySession({ id })).toEqual({ valid: false, reason: 'UserNotActive' })
  const short = await work.flows.createSession({ user_id: other, expires_at: new Date(now + 60_000).toISOString() })
  now += 120_000
  expect(await work.flows.verifySession({ id: short.id })).toEqual({ valid: false, reason: 'Unknown' })
})
