import { checking } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { ownTable } from '../../../test/own-table.ts'
import { User } from '../design.ts'
import type { RebacTable } from '../rebac-table.ts'
import { type SigningIn, signIn } from './sign-in.ts'

const consistent = { consistent: true }
const table = await ownTable()

const ada = (more: Partial<SigningIn> = {}): SigningIn => ({
  provider: 'google',
  subject: 'g-1',
  email: 'ada@example.org',
  isEmailVerified: true,
  ...more,
})
const refused = (reason: string) => expect.objectContaining({ code: 'Denied', details: { reason } })

async function countUsers(): Promise<number> {
  let count = 0
  for await (const _ of table.users.all({}, consistent)) count++
  return count
}

describe('signing in', () => {
  test('first makes the user, its address, its account and their reverse edges', async () => {
    const { user, outcome } = await signIn(table, ada({ email: ' Ada@Example.org', displayName: 'Ada Lovelace' }))
    expect(outcome).toBe('created')
    expect(user).toMatchObject({ displayName: 'Ada Lovelace', userType: 'MEMBER', isAdmin: false })
    const { userId } = user
    expect(await table.EmailIdentity.get({ email: 'ada@example.org' })).toMatchObject({ userId, provider: 'google' })
    expect(await table.SignInIdentity.get({ provider: 'google', subject: 'g-1' })).toMatchObject({ userId })
    expect((await table.emailsOfUser({ userId })).items).toHaveLength(1)
    expect((await table.signInsOfUser({ userId })).items).toHaveLength(1)
  })

  test('again finds the same user, and changes nothing', async () => {
    const before = await table.EmailIdentity.get({ email: 'ada@example.org' })
    expect(await signIn(table, ada())).toMatchObject({ outcome: 'known', user: { displayName: 'Ada Lovelace', version: 1 } })
    expect(await table.EmailIdentity.get({ email: 'ada@example.org' })).toEqual(before)
  })

  test.each([false, undefined, 'true'])(
    'needs an address that the provider has verified: %s is refused, also for a known account',
    async (isEmailVerified) => {
      const signing = { ...ada(), isEmailVerified } as SigningIn // what JSON may bring
      await expect(signIn(table, signing)).rejects.toEqual(refused('EmailNotVerified'))
      await expect(signIn(table, { ...signing, email: 'new@example.org', subject: 'g-new' })).rejects.toEqual(refused('EmailNotVerified'))
      expect(await table.EmailIdentity.get({ email: 'new@example.org' })).toBeUndefined()
    },
  )

  test('with a new provider and the same verified address is the same user', async () => {
    const { user } = await signIn(table, ada())
    expect(await signIn(table, ada({ provider: 'github', subject: '42' }))).toMatchObject({
      outcome: 'linked',
      user: { userId: user.userId },
    })
    expect(await signIn(table, ada({ provider: 'github', subject: '42' }))).toMatchObject({
      outcome: 'known',
      user: { userId: user.userId },
    })
    expect(await table.EmailIdentity.get({ email: 'ada@example.org' })).toMatchObject({ provider: 'google' })
  })

  test('with another subject of a provider that the user has is refused', async () => {
    await expect(signIn(table, ada({ subject: 'g-2' }))).rejects.toEqual(refused('AnotherSubject'))
    expect(await table.SignInIdentity.get({ provider: 'google', subject: 'g-2' })).toBeUndefined()
  })

  test('with a new address of a known account keeps the user, and notes the address', async () => {
    const { user } = await signIn(table, ada())
    expect(await signIn(table, ada({ email: 'countess@example.org' }))).toMatchObject({ outcome: 'known', user: { userId: user.userId } })
    expect(await table.EmailIdentity.get({ email: 'countess@example.org' })).toMatchObject({ userId: user.userId })
    expect(await signIn(table, ada({ provider: 'microsoft', subject: 'm-1', email: 'countess@example.org' }))).toMatchObject({
      outcome: 'linked',
    })
  })

  test("with an address that has come to be of somebody else stays the account's own user", async () => {
    const bo = await signIn(table, ada({ subject: 'g-bo', email: 'bo@example.org' }))
    const back = await signIn(table, ada({ email: 'bo@example.org' }))
    expect(back.user.userId).not.toBe(bo.user.userId)
    expect(await table.EmailIdentity.get({ email: 'bo@example.org' })).toMatchObject({ userId: bo.user.userId })
  })

  test('claims an imported address, once', async () => {
    const { userId } = await table.User.create({ displayName: 'Imported' })
    await table.EmailIdentity.create({ email: 'im@example.org', userId, provider: 'import' })
    const first = await signIn(table, ada({ subject: 'g-im', email: 'im@example.org' }))
    expect(first).toMatchObject({ outcome: 'claimed', user: { userId, displayName: 'Imported' } })
    expect(await table.EmailIdentity.get({ email: 'im@example.org' })).toMatchObject({ provider: 'google' })
    expect(await table.UserEmailEdge.get({ userId, email: 'im@example.org' })).toMatchObject({ provider: 'google' })
    await expect(signIn(table, ada({ subject: 'g-thief', email: 'im@example.org' }))).rejects.toEqual(refused('AnotherSubject'))
  })

  test('is not what an import does', async () => {
    await expect(signIn(table, ada({ provider: 'import' as 'google', subject: 'i' }))).rejects.toEqual(refused('NotAProvider'))
  })

  test.each([
    ['address', { email: 'nobody' }],
    ['subject', { subject: ' ' }],
    ['provider', { provider: 'myspace' as 'google' }],
  ])('with a malformed %s is an error, not a denial', async (_, more) => {
    await expect(signIn(table, ada(more))).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('is refused to a user who is being deleted; once that is done, another user is made', async () => {
    const { user } = await signIn(table, ada({ subject: 'g-go', email: 'go@example.org' }))
    await table.User.remove({ userId: user.userId }, { wait: false })
    await expect(signIn(table, ada({ subject: 'g-go', email: 'go@example.org' }))).rejects.toEqual(refused('UserBeingDeleted'))
    await expect(signIn(table, ada({ provider: 'github', subject: 'h-go', email: 'go@example.org' }))).rejects.toEqual(
      refused('UserBeingDeleted'),
    )
    await expect(signIn(table, ada({ subject: 'g-go', email: 'other@example.org' }))).rejects.toEqual(refused('UserBeingDeleted'))
    const later = await ownTableLater()
    expect(await later.jobs.resume()).toMatchObject({ done: 1, held: [] })
    const anew = await signIn(table, ada({ subject: 'g-go', email: 'go@example.org' }))
    expect(anew.outcome).toBe('created')
    expect(anew.user.userId).not.toBe(user.userId)
  })
})

/** The same table, a minute later: leases are over. */
async function ownTableLater(): Promise<RebacTable> {
  return ownTable({ table: table.runtime.table, now: () => new Date(Date.now() + 60_000) })
}

describe('at the same time', () => {
  test('twenty first sign-ins of one person make one user', async () => {
    const before = await countUsers()
    const all = await Promise.all(Array.from({ length: 20 }, () => signIn(table, ada({ subject: 'g-20', email: 'twenty@example.org' }))))
    expect(new Set(all.map(({ user }) => user.userId)).size).toBe(1)
    expect(all.filter(({ outcome }) => outcome === 'created')).toHaveLength(1)
    expect(await countUsers()).toBe(before + 1)
  })

  test('first sign-ins of three providers with one address make one user with three accounts', async () => {
    const signings = (['google', 'github', 'microsoft'] as const).flatMap((provider) =>
      Array.from({ length: 5 }, () => ada({ provider, subject: 's-3', email: 'three@example.org' })),
    )
    const all = await Promise.all(signings.map((signing) => signIn(table, signing)))
    const [userId = ''] = new Set(all.map(({ user }) => user.userId))
    expect(new Set(all.map(({ user }) => user.userId)).size).toBe(1)
    expect((await table.signInsOfUser({ userId }, consistent)).items).toHaveLength(3)
  })

  test('of two accounts of one provider with one address, one is taken and the other refused', async () => {
    const subjects = Array.from({ length: 10 }, (_, index) => `rival-${index % 2}`)
    const all = await Promise.allSettled(subjects.map((subject) => signIn(table, ada({ subject, email: 'rival@example.org' }))))
    const winners = new Set(all.flatMap((each, index) => (each.status === 'fulfilled' ? [subjects[index]] : [])))
    expect(winners.size).toBe(1)
    for (const each of all) if (each.status === 'rejected') expect(each.reason).toEqual(refused('AnotherSubject'))
  })

  test('a sign-in and the deletion of its user leave no account of a user who is gone', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `race${round}@example.org`
      const { user } = await signIn(table, ada({ subject: `race-${round}`, email }))
      const [linked] = await Promise.allSettled([
        signIn(table, ada({ provider: 'github', subject: `race-${round}`, email })),
        table.User.remove({ userId: user.userId }),
      ])
      const account = await table.SignInIdentity.get({ provider: 'github', subject: `race-${round}` }, consistent)
      if (linked.status === 'rejected') expect(linked.reason).toEqual(refused('UserBeingDeleted'))
      // Its user is there, and is not being deleted.
      if (account !== undefined) await table.transact({ user: checking(User, { userId: account.userId }) })
    }
  })
})
