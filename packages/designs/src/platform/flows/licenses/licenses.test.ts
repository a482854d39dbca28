import type { ConnectOptions } from '@freehold/table'
import { faultySender, UnderWay } from '@freehold/table/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { engineSender } from '../../../../../../test/engine/endpoint.ts'
import { type PlatformWork, platformWork } from '../../../../test/platform-flows.ts'

let now = new Date('2026-05-10T12:00:00Z')
let work: PlatformWork
const accountId = 'acc'
const seat = (userId: string, licenseId = 'lic') => ({ accountId, licenseId, userId })

async function scene(options: ConnectOptions = {}, seats = 2): Promise<PlatformWork> {
  now = new Date('2026-05-10T12:00:00Z')
  const made = await platformWork({ now: () => now, ...options })
  const { flows } = made
  await flows.createAccount({ id: accountId, name: 'Ours' })
  await flows.createEnterprise({ id: 'ent', name: 'Nova' })
  for (const id of ['ada', 'bob', 'cyd']) await person(made, id)
  await flows.issueLicense({ accountId, id: 'lic', enterpriseId: 'ent', seats, startDate: '2026-05-01', endDate: '2026-05-20' })
  return made
}
const person = (of: PlatformWork, id: string, more: object = {}) =>
  of.flows.createUser({ accountId, id, email: `${id}@example.org`, firstName: id, lastName: 'Test', ...more })
const used = async (id = 'lic') => (await work.table.License.get({ accountId, id }, { consistent: true }))?.seatsUsed
const holders = async (licenseId = 'lic') =>
  (await work.flows.seatHolders({ accountId, licenseId })).items.map(({ userId }) => userId).sort()
const refused = (reason: string, code = 'CheckFailed') => ({ code, details: { reason } })

beforeEach(async () => {
  work = await scene()
})

describe('a seat', () => {
  test('is counted once, however often it is claimed and released', async () => {
    const { flows } = work
    const first = await flows.assignSeat(seat('ada'))
    expect(await flows.assignSeat(seat('ada'))).toEqual(first)
    await flows.assignSeat(seat('bob'))
    expect([await used(), await holders()]).toEqual([2, ['ada', 'bob']])
    await flows.releaseSeat(seat('ada'))
    await flows.releaseSeat(seat('ada'))
    await flows.releaseSeat(seat('cyd'))
    expect([await used(), await holders()]).toEqual([1, ['bob']])
    expect(work.lines().filter(({ flow }) => flow === 'assignSeat')).toHaveLength(2)
  })

  test('is refused by a name', async () => {
    const { flows } = work
    await flows.assignSeat(seat('ada'))
    await flows.assignSeat(seat('bob'))
    await expect(flows.assignSeat(seat('cyd'))).rejects.toMatchObject(refused('SeatLimitExceeded'))
    await flows.deactivateUser({ id: 'cyd' })
    await expect(flows.assignSeat(seat('cyd'))).rejects.toMatchObject(refused('UserNotActive'))
    await expect(flows.assignSeat(seat('nobody'))).rejects.toMatchObject(refused('UserNotFound', 'NotFound'))
    await expect(flows.assignSeat(seat('ada', 'none'))).rejects.toMatchObject({ code: 'NotFound' })
    await flows.issueLicense({ accountId, id: 'later', enterpriseId: 'ent', seats: 1, startDate: '2026-05-11', endDate: '2026-05-30' })
    await expect(flows.assignSeat(seat('ada', 'later'))).rejects.toMatchObject(refused('LicenseNotBegun'))
    now = new Date('2026-05-11T00:00:00Z')
    await flows.assignSeat(seat('ada', 'later'))
    expect([await used(), await used('later')]).toEqual([2, 1])
  })

  test('of a licence or user past its end is refused before any sweep', async () => {
    await person(work, 'eve', { endDate: '2026-05-19' })
    now = new Date('2026-05-19T23:59:59Z')
    await work.flows.assignSeat(seat('eve'))
    now = new Date('2026-05-20T23:59:59Z')
    await work.flows.assignSeat(seat('ada'))
    await work.flows.releaseSeat(seat('eve'))
    await expect(work.flows.assignSeat(seat('eve'))).rejects.toMatchObject(refused('UserNotActive'))
    now = new Date('2026-05-21T00:00:00Z')
    await expect(work.flows.assignSeat(seat('bob'))).rejects.toMatchObject(refused('LicenseExpired'))
  })

  test('of a user of another account is none', async () => {
    await work.flows.createAccount({ id: 'other', name: 'Other' })
    await work.flows.createUser({ accountId: 'other', id: 'zoe', email: 'zoe@example.org', firstName: 'Zoe', lastName: 'Test' })
    await expect(work.flows.assignSeat(seat('zoe'))).rejects.toMatchObject(refused('UserNotFound', 'NotFound'))
    expect([await used(), await holders()]).toEqual([0, []])
  })

  test('goes back when its user is deleted, and is one for a technical user and the user that it mirrors', async () => {
    await work.flows.setTechnicalUser({ accountId, userId: 'ada' })
    await work.flows.assignSeat(seat('ada'))
    expect(await used()).toBe(1)
    await work.flows.deleteUser({ id: 'ada' })
    expect([await used(), await holders()]).toEqual([0, []])
  })

  test('is won by ten of fifty who claim ten at once, with conflicts as at AWS', async () => {
    const underWay = new UnderWay()
    const direct = engineSender()
    work = await scene(
      {
        sender: {
          send: async (operation, input, options) => {
            const entered = underWay.enter(operation, { ...input })
            if ('refused' in entered)
              throw Object.assign(new Error(entered.refused.code), { name: entered.refused.code, ...entered.refused })
            try {
              return await direct.send(operation, input, options)
            } finally {
              entered.leave()
            }
          },
          close: () => direct.close(),
        },
      },
      10,
    )
    const ids = Array.from({ length: 50 }, (_, index) => `user-${index}`)
    for (const id of ids) await person(work, id)
    const outcomes = await Promise.all(
      ids.map((id) =>
        work.flows.assignSeat(seat(id)).then(
          () => 'won',
          ({ details }) => details.reason,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(10)
    expect(outcomes.filter((outcome) => outcome === 'SeatLimitExceeded')).toHaveLength(40)
    expect([await used(), (await holders()).length]).toEqual([10, 10])
    const both = (await holders()).map((userId) => [work.flows.releaseSeat(seat(userId)), work.flows.releaseSeat(seat(userId))])
    await Promise.all(both.flat())
    expect([await used(), await holders()]).toEqual([0, []])
  })
})

test('claims and releases under faults never drift from the holders, and only lost answers leave anybody unsure', async () => {
  const faults = faultySender(engineSender())
  work = await scene({ sender: faults }, 5)
  const ids = Array.from({ length: 12 }, (_, index) => `user-${index}`)
  for (const id of ids) await person(work, id)
  const kinds = ['throttle', 'conflict', 'fail', 'lose-request', 'lose-answer'] as const
  for (let index = 0; index < 60; index++)
    faults.add({ operation: 'TransactWriteItems', after: index * 3, fault: { kind: kinds[index % kinds.length] ?? 'fail' } })
  const outcomes = await Promise.all(
    Array.from({ length: 120 }, (_, index) => {
      const named = seat(`user-${index % ids.length}`)
      const call = index % 5 < 2 ? work.flows.releaseSeat(named) : work.flows.assignSeat(named)
      return call.then(
        () => 'done',
        ({ details, code }) => (details.uncertain === true ? 'uncertain' : (details.reason ?? code)),
      )
    }),
  )
  expect([...new Set(outcomes)].filter((each) => !['done', 'uncertain', 'SeatLimitExceeded', 'Busy'].includes(each))).toEqual([])
  expect(await used()).toBe((await holders()).length)
})

describe('a licence', () => {
  test('has never fewer seats than are taken, and ends no earlier than it starts', async () => {
    const { flows } = work
    const id = { accountId, id: 'lic' }
    await flows.assignSeat(seat('ada'))
    await flows.assignSeat(seat('bob'))
    await expect(flows.changeSeats({ ...id, seats: 1 })).rejects.toMatchObject(refused('SeatsInUse'))
    expect(await flows.changeSeats({ ...id, seats: 3 })).toMatchObject({ seats: 3, seatsUsed: 2 })
    const issue = { accountId, enterpriseId: 'ent', startDate: '2026-06-02', endDate: '2026-06-01', seats: 1 }
    await expect(flows.issueLicense(issue)).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(flows.issueLicense({ ...issue, endDate: '2026-06-02', seats: 0 })).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(flows.issueLicense({ ...issue, endDate: '2026-06-02', enterpriseId: 'none' })).rejects.toMatchObject({
      code: 'MissingEnd',
    })
  })

  test('of a product or service names one that its enterprise has, and keeps it in use', async () => {
    const { flows } = work
    await flows.createProduct({ id: 'prd', name: 'Lens' })
    const issue = { accountId, id: 'of-product', enterpriseId: 'ent', productId: 'prd', endDate: '2026-06-01', seats: 1 }
    await expect(flows.issueLicense(issue)).rejects.toMatchObject({ code: 'MissingEnd' })
    await flows.assignProduct({ enterpriseId: 'ent', productId: 'prd' })
    expect(await flows.issueLicense(issue)).toMatchObject({ productId: 'prd' })
    const pair = { enterpriseId: 'ent', productId: 'prd' }
    await expect(flows.unassignProduct(pair)).rejects.toMatchObject({ code: 'InUse' })
    expect(await work.table.EnterpriseProduct.get(pair, { consistent: true })).toBeDefined()
    await work.table.License.remove({ accountId, id: 'of-product' })
    await flows.unassignProduct(pair)
  })

  test('is renewed to a later day, expired, and reactivated before its end', async () => {
    const { flows } = work
    const id = { accountId, id: 'lic' }
    await expect(flows.renewLicense({ ...id, endDate: '2026-05-20' })).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(flows.renewLicense(id)).rejects.toMatchObject({ code: 'InvalidInput' })
    await flows.issueLicense({ accountId, id: 'later', enterpriseId: 'ent', seats: 1, startDate: '2026-05-11', endDate: '2026-05-30' })
    const shorter = { accountId, id: 'later', endDate: '2026-05-29' }
    await expect(flows.renewLicense(shorter)).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await flows.renewLicense({ ...shorter, endDate: '2026-05-31' })).toMatchObject({ endDate: '2026-05-31' })
    await flows.expireLicense({ accountId, id: 'later' })
    await flows.expireLicense(id)
    expect(await flows.licenseCapacity({ accountId, enterpriseId: 'ent' })).toEqual({ seats: 0, used: 0, free: 0 })
    await flows.reactivateLicense(id)
    await flows.assignSeat(seat('ada'))
    expect(await flows.licenseCapacity({ accountId, enterpriseId: 'ent' })).toEqual({ seats: 2, used: 1, free: 1 })
    now = new Date('2026-05-21T00:00:00Z')
    expect(await flows.licenseCapacity({ accountId, enterpriseId: 'ent' })).toEqual({ seats: 0, used: 0, free: 0 })
    await flows.expireLicense(id)
    await expect(flows.reactivateLicense(id)).rejects.toMatchObject(refused('PastEnd'))
    await expect(flows.renewLicense({ ...id, endDate: '2026-05-20' })).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await flows.renewLicense({ ...id, endDate: '2026-06-20' })).toMatchObject({ status: 'active', seatsUsed: 1 })
  })

  test('is listed with those that end soon, or with the expired ones, as it counts now', async () => {
    const { flows } = work
    await flows.createAccount({ id: 'other', name: 'Other' })
    const issue = { enterpriseId: 'ent', seats: 1, startDate: '2026-01-01' }
    await flows.issueLicense({ ...issue, accountId, id: 'today', endDate: '2026-05-10' })
    await flows.issueLicense({ ...issue, accountId, id: 'past', endDate: '2026-05-09' })
    await flows.issueLicense({ ...issue, accountId: 'other', id: 'others', endDate: '2026-05-15' })
    await flows.issueLicense({ ...issue, accountId, id: 'far', endDate: '2027-01-01' })
    const ids = async (page: Promise<{ readonly items: readonly { readonly id: string }[] }>) => (await page).items.map(({ id }) => id)
    expect(await ids(flows.licensesExpiring({ days: 10 }))).toEqual(['today', 'others', 'lic'])
    expect(await ids(flows.licensesExpiring({ days: 9, accountId }))).toEqual(['today'])
    expect(await ids(flows.licensesExpiring({ days: 10, accountId }))).toEqual(['today', 'lic'])
    await flows.expireLicense({ accountId, id: 'lic' })
    expect(await ids(flows.expiredLicenses({}))).toEqual(['past', 'lic'])
    expect((await ids(flows.expiredLicenses({ accountId }))).sort()).toEqual(['lic', 'past'])
    await flows.sweep({})
    expect((await ids(flows.expiredLicenses({}))).sort()).toEqual(['lic', 'past'])
  })
})
