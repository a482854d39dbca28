import { beforeEach, describe, expect, test } from 'vitest'
import { ownTable } from '../../../test/own-table.ts'
import { mentions } from '../../../test/whole-table.ts'
import { joinGroup, joinLocation, leaveGroup, leaveLocation } from './membership.ts'

const consistent = { consistent: true }
let now = Date.parse('2026-03-01T12:00:00.000Z')
let userId: string
let locationId: string
let groups: string[]
let elsewhere: string

const table = await ownTable({ now: () => new Date(now++) })
beforeEach(async () => {
  const code = `L${now}`
  userId = (await table.User.create({ displayName: 'Ada' })).userId
  locationId = (await table.Location.create({ locationCode: code, name: 'Berlin' })).locationId
  groups = []
  for (const name of ['one', 'two', 'three']) groups.push((await table.UserGroup.create({ locationId, name })).groupId)
  const { locationId: other } = await table.Location.create({ locationCode: `X${code}`, name: 'Elsewhere' })
  elsewhere = (await table.UserGroup.create({ locationId: other, name: 'one' })).groupId
})

const [groupsOf, locationsOf] = [
  async () => (await table.groupsOfUser({ userId }, consistent)).items.map(({ groupId }) => groupId),
  async () => (await table.locationsOfUser({ userId }, consistent)).items.map((item) => item.locationId),
]
const first = () => groups[0] ?? ''

describe('joining', () => {
  test('a location again keeps the first joinedAt', async () => {
    const joined = await joinLocation(table, { userId, locationId })
    expect(joined).toMatchObject({ locationName: 'Berlin', version: 1 })
    expect(await joinLocation(table, { userId, locationId })).toEqual(joined)
  })

  test('a group joins its location, once, and both ends list it', async () => {
    const joined = await joinGroup(table, { userId, groupId: first() })
    expect(joined).toMatchObject({ groupName: 'one', locationId })
    expect(await joinGroup(table, { userId, groupId: first() })).toEqual(joined)
    const at = await table.UserLocationEdge.get({ userId, locationId })
    await joinGroup(table, { userId, groupId: groups[1] ?? '' })
    expect(await table.UserLocationEdge.get({ userId, locationId })).toEqual(at)
    expect((await table.usersOfGroup({ groupId: first() })).items).toMatchObject([{ userId, userDisplayName: 'Ada' }])
    expect((await table.usersOfLocation({ locationId })).items).toMatchObject([{ userId, userDisplayName: 'Ada', userType: 'MEMBER' }])
  })

  test('the same groups many times at once makes each membership once', async () => {
    const all = await Promise.all(Array.from({ length: 24 }, (_, index) => joinGroup(table, { userId, groupId: groups[index % 3] ?? '' })))
    expect(new Set(all.map(({ joinedAt, groupId }) => groupId + joinedAt)).size).toBe(3)
    expect(await groupsOf()).toEqual([...groups].sort())
    expect(await locationsOf()).toEqual([locationId])
  })

  test.each([
    ['a group', () => joinGroup(table, { userId, groupId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })],
    ['the user of a group', () => joinGroup(table, { userId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', groupId: first() })],
    ['a location', () => joinLocation(table, { userId, locationId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })],
  ])('needs %s that is there, and writes nothing without', async (_, join) => {
    await expect(join()).rejects.toMatchObject({ code: 'MissingEnd' })
    expect(await mentions(table, '01ARZ3NDEKTSV4RRFFQ69G5FAV')).toEqual([])
    expect(await locationsOf()).toEqual([])
  })

  test('a group that is being deleted is refused', async () => {
    await table.UserGroup.remove({ groupId: first() }, { wait: false })
    await expect(joinGroup(table, { userId, groupId: first() })).rejects.toMatchObject({ code: 'MissingEnd' })
    expect(await locationsOf()).toEqual([])
  })
})

describe('leaving', () => {
  beforeEach(async () => {
    for (const groupId of [...groups, elsewhere]) await joinGroup(table, { userId, groupId })
  })

  test('a group stays at its location', async () => {
    await leaveGroup(table, { userId, groupId: first() })
    expect(await locationsOf()).toContain(locationId)
    expect(await groupsOf()).not.toContain(first())
    await expect(leaveGroup(table, { userId, groupId: first() })).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('a location leaves its groups, and no others', async () => {
    await leaveLocation(table, { userId, locationId })
    expect(await groupsOf()).toEqual([elsewhere])
    expect(await locationsOf()).toHaveLength(1)
    expect((await table.usersOfGroup({ groupId: first() }, consistent)).items).toEqual([])
    expect((await table.usersOfLocation({ locationId }, consistent)).items).toEqual([])
    await expect(leaveLocation(table, { userId, locationId })).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('a location refuses to be joined again until it is done; then it brings no group back', async () => {
    await leaveLocation(table, { userId, locationId }, { wait: false })
    expect(await table.UserLocationEdge.get({ userId, locationId }, consistent)).toHaveProperty('deleting')
    await expect(joinLocation(table, { userId, locationId })).rejects.toMatchObject({ code: 'AlreadyExists' })
    await expect(joinGroup(table, { userId, groupId: first() })).rejects.toMatchObject({ code: 'BeingDeleted' })
    now += 60_000
    expect(await table.jobs.resume()).toMatchObject({ held: [] })
    await joinLocation(table, { userId, locationId })
    expect(await groupsOf()).toEqual([elsewhere])
  })

  test('a location while groups are joined leaves no group without its location', async () => {
    for (let round = 0; round < 8; round++) {
      await joinLocation(table, { userId, locationId })
      await Promise.allSettled([
        leaveLocation(table, { userId, locationId }),
        ...groups.map((groupId) => joinGroup(table, { userId, groupId })),
        joinLocation(table, { userId, locationId }),
      ])
      const [inGroups, at] = [await groupsOf(), await locationsOf()]
      if (!at.includes(locationId)) expect(inGroups).toEqual([elsewhere])
      for (const groupId of groups) {
        const { items } = await table.usersOfGroup({ groupId }, consistent)
        expect(items).toHaveLength(inGroups.includes(groupId) ? 1 : 0)
      }
    }
    expect(await table.jobs.list()).toEqual([])
  })
})
