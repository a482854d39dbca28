import { describe, expect, test } from 'vitest'
import { platformScene, platformWork } from '../../../test/platform-flows.ts'

const work = await platformWork()
const scene = await platformScene(work)

let count = 0
/** An account of its own. */
const account = async () => (await work.flows.createAccount({ id: `acc-${++count}`, name: 'Acme' })).id
const at = { line1: '1 High Street', city: 'York', country: 'GB' }

describe('of the addresses of an account', () => {
  const primaries = async (accountId: string) => {
    const { items } = await work.table.addressesOfAccount({ accountId }, { consistent: true })
    return items.flatMap(({ id, isPrimary }) => (isPrimary === true ? [id] : []))
  }

  test('one is primary at most: setting one unsets the other', async () => {
    const accountId = await account()
    await work.flows.addAddress({ accountId, id: 'a', ...at, isPrimary: true })
    await work.flows.addAddress({ accountId, id: 'b', ...at })
    expect(await primaries(accountId)).toEqual(['a'])
    await work.flows.setPrimaryAddress({ accountId, id: 'b' })
    expect(await primaries(accountId)).toEqual(['b'])
    await work.flows.addAddress({ accountId, id: 'c', ...at, isPrimary: true })
    expect(await primaries(accountId)).toEqual(['c'])
    await work.flows.removeAddress({ accountId, id: 'c' })
    expect(await primaries(accountId)).toEqual([])
  })

  test('one is primary at most, whatever happens at the same time', async () => {
    const accountId = await account()
    const ids = ['a', 'b', 'c', 'd']
    for (const id of ids) await work.flows.addAddress({ accountId, id, ...at })
    await Promise.all([
      ...ids.map((id) => work.flows.setPrimaryAddress({ accountId, id })),
      work.flows.addAddress({ accountId, id: 'e', ...at, isPrimary: true }),
    ])
    expect(await primaries(accountId)).toHaveLength(1)
  })

  test('setting the primary one again writes nothing', async () => {
    const accountId = await account()
    await work.flows.addAddress({ accountId, id: 'a', ...at, isPrimary: true })
    work.lines()
    expect(await work.flows.setPrimaryAddress({ accountId, id: 'a' })).toMatchObject({ version: 1 })
    expect(work.lines()).toEqual([])
  })

  test('none belongs to an account that is not there', async () => {
    await expect(work.flows.addAddress({ accountId: 'nowhere', ...at })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.flows.setPrimaryAddress({ accountId: scene.ours, id: 'nowhere' })).rejects.toMatchObject({ code: 'NotFound' })
  })
})

describe('a technical user', () => {
  const contacts = async (accountId: string) => (await work.table.technicalUserOfAccount({ accountId }, { consistent: true })).items
  const eve = { name: 'Eve', email: 'eve@example.org' }

  test('is a name with an address, or mirrors a user of the account, whose id it has', async () => {
    const accountId = await account()
    const { id } = await work.flows.setTechnicalUser({ accountId, ...eve })
    expect(await work.flows.setTechnicalUser({ accountId, ...eve })).toMatchObject({ id, version: 1 })
    const userId = await scene.user(accountId, 'mirrored')
    const mirror = { id: 'mirrored', userId, name: 'mirrored Test', email: 'mirrored@example.org' }
    expect(await work.flows.replaceTechnicalUser({ accountId, userId })).toMatchObject(mirror)
    expect(await contacts(accountId)).toMatchObject([mirror])
    expect(await work.flows.replaceTechnicalUser({ accountId, userId, name: 'Ada' })).toMatchObject({ ...mirror, name: 'Ada' })
    expect(await contacts(accountId)).toHaveLength(1)
  })

  test('is one for each account, whatever happens at the same time', async () => {
    const accountId = await account()
    const set = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) => work.flows.setTechnicalUser({ accountId, name, email: `${name}@example.org` })),
    )
    expect(set.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of set) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'AlreadyExists' })
    await Promise.all(['d', 'e'].map((name) => work.flows.replaceTechnicalUser({ accountId, name, email: `${name}@example.org` })))
    expect(await contacts(accountId)).toHaveLength(1)
  })

  test('is refused where there is one already, or none to replace, and for a user of another account', async () => {
    const accountId = await account()
    await expect(work.flows.replaceTechnicalUser({ accountId, ...eve })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.flows.setTechnicalUser({ accountId, name: 'Eve' })).rejects.toMatchObject({ code: 'InvalidInput' })
    for (const userId of [scene.friend, 'nobody'])
      await expect(work.flows.setTechnicalUser({ accountId, userId })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.as(scene.lead).setTechnicalUser({ accountId: scene.ours, userId: scene.stranger })).rejects.toMatchObject({
      code: 'NotFound',
    })
    await work.flows.setTechnicalUser({ accountId, ...eve })
    await expect(work.flows.setTechnicalUser({ accountId, name: 'x', email: 'x@example.org' })).rejects.toMatchObject({
      code: 'AlreadyExists',
    })
  })

  test('that mirrors a user goes with it', async () => {
    const accountId = await account()
    const userId = await scene.user(accountId, 'short-lived')
    await work.flows.setTechnicalUser({ accountId, userId })
    await work.flows.deleteUser({ id: userId })
    expect(await contacts(accountId)).toEqual([])
  })
})
