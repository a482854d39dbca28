import { beforeAll, describe, expect, test } from 'vitest'
import { ownTable } from '../../test/own-table.ts'
import { mentions } from '../../test/whole-table.ts'
import { joinGroup } from './flows/membership.ts'

const consistent = { consistent: true }
const table = await ownTable()

async function location(locationCode: string) {
  return table.Location.create({ locationCode, name: `Name of ${locationCode}` })
}

describe('a rename reaches every copy', () => {
  test('of a user, at its locations and in its groups', async () => {
    const { locationId } = await location('R1')
    const { groupId } = await table.UserGroup.create({ locationId, name: 'group' })
    const { userId } = await table.User.create({ displayName: 'Old Name' })
    await joinGroup(table, { userId, groupId })
    await table.User.update({ userId }, { displayName: 'New Name', userType: 'LEAD' })
    expect((await table.usersOfLocation({ locationId }, consistent)).items).toMatchObject([
      { userDisplayName: 'New Name', userType: 'LEAD' },
    ])
    expect((await table.usersOfGroup({ groupId }, consistent)).items).toMatchObject([{ userDisplayName: 'New Name' }])
    expect(await mentions(table, 'Old Name')).toEqual([])
  })

  test('of a location, its code and a group', async () => {
    const { locationId } = await location('R2')
    const { groupId } = await table.UserGroup.create({ locationId, name: 'Old Group' })
    const { userId } = await table.User.create({ displayName: 'Somebody' })
    await joinGroup(table, { userId, groupId })
    await table.Location.update({ locationId }, { name: 'Renamed', locationCode: 'r2-new' })
    await table.UserGroup.update({ groupId }, { name: 'New Group', groupType: 'TEACHER' })
    expect((await table.locationsOfUser({ userId }, consistent)).items).toMatchObject([{ locationName: 'Renamed', locationCode: 'R2-NEW' }])
    expect((await table.groupsOfUser({ userId }, consistent)).items).toMatchObject([{ groupName: 'New Group', groupType: 'TEACHER' }])
    expect(await mentions(table, 'Old Group')).toEqual([])
    expect(await mentions(table, 'Name of R2')).toEqual([])
  })

  describe('of five hundred', () => {
    let userId: string
    let groups: string[]
    beforeAll(async () => {
      userId = (await table.User.create({ displayName: 'Version 0' })).userId
      const { locationId } = await location('R500')
      await table.UserLocationEdge.create({ userId, locationId })
      const made = await table.UserGroup.createMany(Array.from({ length: 499 }, (_, index) => ({ locationId, name: `g${index}` })))
      groups = made.flatMap(({ item }) => item?.groupId ?? [])
      await table.UserGroupEdge.createMany(groups.map((groupId) => ({ userId, groupId })))
    })
    const namesShown = async () => {
      const edges = await table.GroupUserEdge.getMany(
        groups.map((groupId) => ({ groupId, userId })),
        consistent,
      )
      return [...new Set(edges.map((edge) => edge?.userDisplayName))]
    }

    test('when it returns', async () => {
      await table.User.update({ userId }, { displayName: 'Version 1' })
      expect(groups).toHaveLength(499)
      expect(await namesShown()).toEqual(['Version 1'])
    })

    test('also when two race: all show the name that won', async () => {
      for (let round = 0; round < 3; round++) {
        await Promise.all(['left', 'right'].map((side) => table.User.update({ userId }, { displayName: `${side} ${round}` })))
        const { displayName } = (await table.User.get({ userId }, consistent)) ?? {}
        expect(await namesShown()).toEqual([displayName])
      }
      expect(await table.jobs.list()).toEqual([])
    })

    test('also of an edge that is made meanwhile', async () => {
      for (let round = 0; round < 3; round++) {
        const { locationId } = await location(`NEW${round}`)
        await Promise.all([
          table.User.update({ userId }, { displayName: `Racing ${round}` }),
          table.UserLocationEdge.create({ userId, locationId }),
        ])
        expect(await table.LocationUserEdge.get({ userId, locationId }, consistent)).toMatchObject({ userDisplayName: `Racing ${round}` })
      }
    })
  })
})

describe('the code of a location', () => {
  test('changes with its look-up, and the old one is free', async () => {
    const { locationId } = await location('OLD001')
    await table.Location.update({ locationId }, { locationCode: ' new001 ' })
    expect(await table.locationIdOfCode({ locationCode: 'NEW001' }, consistent)).toMatchObject({ locationId })
    expect(await table.locationIdOfCode({ locationCode: 'OLD001' }, consistent)).toBeUndefined()
    expect((await location('old001')).locationId).not.toBe(locationId)
  })

  test('that another location has is refused, and nothing changes', async () => {
    const { locationId } = await location('MINE01')
    const other = await location('TAKEN1')
    await expect(table.Location.update({ locationId }, { locationCode: 'TAKEN1', name: 'x' })).rejects.toMatchObject({
      code: 'AlreadyExists',
    })
    expect(await table.location({ locationId }, consistent)).toMatchObject({ locationCode: 'MINE01', version: 1 })
    expect(await table.locationIdOfCode({ locationCode: 'TAKEN1' }, consistent)).toMatchObject({ locationId: other.locationId })
  })

  test("is one location's, however many want it at once", async () => {
    const all = await Promise.all(Array.from({ length: 10 }, (_, index) => location(`WANT${index}`)))
    const outcomes = await Promise.allSettled(
      all.map(({ locationId }) => table.Location.update({ locationId }, { locationCode: 'WANTED' })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const winner = await table.locationIdOfCode({ locationCode: 'WANTED' }, consistent)
    for (const { locationId, locationCode } of all) {
      const isWinner = locationId === winner?.locationId
      expect(await table.location({ locationId }, consistent)).toMatchObject({ locationCode: isWinner ? 'WANTED' : locationCode })
      expect((await table.locationIdOfCode({ locationCode }, consistent))?.locationId).toBe(isWinner ? undefined : locationId)
    }
  })
})
