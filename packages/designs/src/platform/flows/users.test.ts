import { isFreeholdError } from '@freehold/table'
import { beforeEach, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../test/engine/sender-after.ts'
import { dyingSender } from '../../../test/dying-sender.ts'
import { type PlatformScene, type PlatformWork, platformScene, platformWork, settingOf } from '../../../test/platform-flows.ts'

const lease_ms = 5000
let now_ms = Date.parse('2026-03-15T12:00:00.000Z')
let scene: PlatformScene
let count = 0
const work = await platformWork({ now: () => new Date(now_ms) })
await work.flows.createEnterprise({ id: 'nova', name: 'Nova' })
beforeEach(async () => {
  now_ms = Date.parse('2026-03-15T12:00:00.000Z')
  scene = await platformScene(work, String(++count))
})

const denied = (reason: string) => ({ code: 'Denied', details: { reason } })
const names = { firstName: 'Ada', lastName: 'Byron' }
const may = async (user: string) => {
  try {
    await work.as(user).updateAccount({ id: scene.ours, name: `by ${user} ${now_ms}` })
    return true
  } catch (error) {
    return isFreeholdError(error) ? error.details.reason : error
  }
}

describe('a user', () => {
  test('has an e-mail address that nobody else has, in no account', async () => {
    const email = `lead-${count}@example.org`
    const taken = { code: 'AlreadyExists', message: 'This e-mail address is taken.' }
    await expect(work.flows.createUser({ accountId: scene.theirs, email, ...names })).rejects.toMatchObject(taken)
    await expect(work.flows.updateUser({ id: scene.friend, email: ` ${email.toUpperCase()} ` })).rejects.toMatchObject(taken)
  })

  test('stays in its account', async () => {
    await expect(work.flows.updateUser({ id: scene.friend, accountId: scene.theirs } as never)).rejects.toMatchObject({
      code: 'InvalidInput',
    })
  })

  test('has an id that operators alone choose', async () => {
    const input = { accountId: scene.ours, id: 'chosen', email: 'chosen@example.org', ...names }
    await expect(work.as(scene.lead).createUser(input)).rejects.toMatchObject(denied('OperatorsOnly'))
  })

  test('does nothing while it is inactive, and again once it is active', async () => {
    expect(await may(scene.lead)).toBe(true)
    await work.flows.deactivateUser({ id: scene.lead })
    expect(await may(scene.lead)).toBe('UserNotActive')
    await work.flows.reactivateUser({ id: scene.lead })
    expect(await may(scene.lead)).toBe(true)
  })

  test('goes on with what it does while its end is moved', async () => {
    work.meanwhile = () => work.flows.setEndDate({ id: scene.lead, endDate: '2999-12-31' })
    expect([await may(scene.lead), work.meanwhile]).toEqual([true, undefined])
  })

  test('acts on the whole of its last day, UTC, and not after it', async () => {
    await work.flows.setEndDate({ id: scene.lead, endDate: '2026-03-15' })
    now_ms = Date.parse('2026-03-15T23:59:59.999Z')
    expect(await may(scene.lead)).toBe(true)
    now_ms++
    expect(await may(scene.lead)).toBe('UserNotActive')
    await work.flows.setEndDate({ id: scene.lead, endDate: null })
    expect(await may(scene.lead)).toBe(true)
  })

  test('does nothing while its account is suspended', async () => {
    await work.flows.suspendAccount({ id: scene.ours })
    expect(await may(scene.lead)).toBe('AccountSuspended')
    await work.flows.activateAccount({ id: scene.ours })
    expect(await may(scene.lead)).toBe(true)
  })

  test('is not reactivated past its end', async () => {
    await work.flows.deactivateUser({ id: scene.friend })
    await work.flows.setEndDate({ id: scene.friend, endDate: '2026-03-14' })
    const refused = { code: 'CheckFailed', details: { reason: 'PastEnd' } }
    await expect(work.flows.reactivateUser({ id: scene.friend })).rejects.toMatchObject(refused)
    await work.flows.setEndDate({ id: scene.friend, endDate: '2026-03-15' })
    expect(await work.flows.reactivateUser({ id: scene.friend })).toMatchObject({ status: 'active' })
  })
})

describe('a caller that lets another act, or could act as another, holds all that the other has', () => {
  beforeEach(async () => {
    await work.flows.giveRole({ groupId: scene.group, roleId: await scene.role('more', settingOf('own', 'delete')) })
    await work.flows.addToGroup({ groupId: scene.group, userId: scene.friend })
    await work.flows.setEndDate({ id: scene.friend, endDate: '2026-03-10' })
  })
  const calls = (): readonly (readonly [string, () => Promise<unknown>])[] => [
    ['a later end', () => work.as(scene.lead).setEndDate({ id: scene.friend, endDate: '2026-03-20' })],
    ['no end', () => work.as(scene.lead).setEndDate({ id: scene.friend, endDate: null })],
    ['another address', () => work.as(scene.lead).updateUser({ id: scene.friend, email: 'mine@example.org' })],
  ]

  test.each([0, 1, 2])('call %i', async (index) => {
    const [, call] = calls()[index] ?? []
    await expect(call?.()).rejects.toMatchObject(denied('NotHeld'))
    await work.flows.setMenuPermission({ roleId: scene.leading, menuKey: 'own', canDelete: true })
    await call?.()
  })

  test('reactivating', async () => {
    await work.flows.deactivateUser({ id: scene.friend })
    await work.flows.setEndDate({ id: scene.friend, endDate: null })
    await expect(work.as(scene.lead).reactivateUser({ id: scene.friend })).rejects.toMatchObject(denied('NotHeld'))
    await work.flows.setMenuPermission({ roleId: scene.leading, menuKey: 'own', canDelete: true })
    work.meanwhile = () => work.flows.setMenuPermission({ roleId: scene.leading, menuKey: 'own', canDelete: false })
    await expect(work.as(scene.lead).reactivateUser({ id: scene.friend })).rejects.toMatchObject(denied('NotHeld'))
  })

  test('nobody lets itself act for longer', async () => {
    await work.flows.setEndDate({ id: scene.lead, endDate: '2026-03-20' })
    for (const endDate of ['2026-03-21', null])
      await expect(work.as(scene.lead).setEndDate({ id: scene.lead, endDate })).rejects.toMatchObject(denied('NotHeldSoLong'))
    await work.as(scene.lead).setEndDate({ id: scene.lead, endDate: '2026-03-19' })
  })

  test('its own address and an earlier end take no more', async () => {
    await work.as(scene.lead).updateUser({ id: scene.lead, email: `new-${count}@example.org` })
    await work.as(scene.lead).setEndDate({ id: scene.friend, endDate: '2026-03-01' })
  })
})

describe('inactive users', () => {
  test('are those whose status says so, and those past their end, of an account or of all', async () => {
    const { ours, theirs, friend, lead, stranger } = scene
    const late = await scene.user(ours, `late-${count}`)
    await work.flows.setEndDate({ id: late, endDate: '2026-03-14' })
    await work.flows.deactivateUser({ id: friend })
    await work.flows.setEndDate({ id: lead, endDate: '2026-03-15' })
    await work.flows.deactivateUser({ id: stranger })
    const listed = async (flows: typeof work.flows, asked: object) => {
      const ids: string[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof flows.inactiveUsers>> = await flows.inactiveUsers({ ...asked, limit: 1, cursor })
        ids.push(...page.items.map(({ id }) => id))
        cursor = page.cursor ?? null
      } while (cursor !== null)
      return ids
    }
    expect((await listed(work.as(lead), {})).sort()).toEqual([friend, late].sort())
    expect(await listed(work.flows, { accountId: theirs })).toEqual([stranger])
    const all = await listed(work.flows, {})
    expect(new Set(all).size).toBe(all.length)
    const own = all.filter((id) => id.endsWith(`-${count}`))
    expect(own).toEqual([late, ...[friend, stranger].sort()])
    await expect(work.as(lead).inactiveUsers({ accountId: theirs })).rejects.toMatchObject({ code: 'NotFound' })
  })
})

describe('deleting a user', () => {
  const licences = ({ name }: PlatformScene) => [1, 2, 3].map((number) => `lic-${number}-${name}`)
  /** Three licences of our account, with a seat for friend each and one for lead. */
  const seated = async ({ table }: PlatformWork, scene: PlatformScene) => {
    const { ours: accountId, friend, lead } = scene
    for (const id of licences(scene)) {
      await table.License.create({ id, accountId, enterpriseId: 'nova', seats: 5, seatsUsed: 2, endDate: '2999-12-31' })
      for (const userId of [friend, lead]) await table.LicenseSeat.create({ licenseId: id, userId, accountId })
    }
  }
  const used = async ({ table }: PlatformWork, scene: PlatformScene) =>
    Promise.all(
      licences(scene).map(async (id) => (await table.License.get({ accountId: scene.ours, id }, { consistent: true }))?.seatsUsed),
    )

  test('gives each licence its seat back, once', async () => {
    await seated(work, scene)
    await work.flows.deleteUser({ id: scene.friend })
    expect(await used(work, scene)).toEqual([1, 1, 1])
    expect(await work.table.User.get({ id: scene.friend })).toBeUndefined()
    expect(
      (await work.table.seatsOfLicense({ licenseId: `lic-1-${count}` }, { consistent: true })).items.map(({ userId }) => userId),
    ).toEqual([scene.lead])
    await expect(work.flows.deleteUser({ id: scene.friend })).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('lets a user delete itself', async () => {
    await work.as(scene.lead).deleteUser({ id: scene.lead })
    expect(await work.table.User.get({ id: scene.lead })).toBeUndefined()
  })

  test('loses to a version that the caller names', async () => {
    await expect(work.flows.deleteUser({ id: scene.friend, version: 7 })).rejects.toMatchObject({ code: 'VersionConflict' })
    expect(await work.table.User.get({ id: scene.friend })).toMatchObject({ status: 'active' })
  })

  test('ends where the caller loses its permission on the way, and says so', async () => {
    await seated(work, scene)
    let transactions = 0
    const held = await platformWork({
      table: work.table.runtime.table,
      now: () => new Date(now_ms),
      sender: senderAfter(async (operation) => {
        if (operation === 'TransactWriteItems' && ++transactions === 3) await work.flows.deactivateUser({ id: scene.lead })
      }),
    })
    await expect(held.as(scene.lead).deleteUser({ id: scene.friend })).rejects.toMatchObject({ code: 'VersionConflict' })
    expect(await work.table.User.get({ id: scene.friend }, { consistent: true })).toMatchObject({ status: 'inactive' })
    await work.flows.deleteUser({ id: scene.friend })
    expect(await used(work, scene)).toEqual([1, 1, 1])
  })

  test('counts each seat once, also if its process ends after any write and another goes on', async () => {
    let isDead = true
    for (let writes = 0; isDead; writes++) {
      const at = await platformScene(work, `crash-${writes}`)
      await seated(work, at)
      const dying = dyingSender(work.table.runtime.sender, writes)
      const doomed = await platformWork({
        table: work.table.runtime.table,
        now: () => new Date(now_ms),
        sender: dying.sender,
        patience_ms: 0,
      })
      await doomed.flows.deleteUser({ id: at.friend }).catch(() => {})
      isDead = dying.isDead()
      now_ms += lease_ms
      await work.table.jobs.resume()
      const user = await work.table.User.get({ id: at.friend }, { consistent: true })
      // The process had not got as far as the job.
      if (user !== undefined) {
        expect(user).toMatchObject({ status: 'active' })
        await work.flows.deleteUser({ id: at.friend })
      }
      expect(await used(work, at)).toEqual([1, 1, 1])
      expect(await work.table.jobs.list()).toEqual([])
    }
  })
})
