import { meter } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { pagesOf } from '../../test/conformance/decider-conformance.ts'
import {
  groupItems,
  groupMembershipItems,
  groupRoleItems,
  idOf,
  type LiteralItem,
  locationItems,
  membershipItems,
  pageItems,
  permissionItems,
  removeLiterally,
  roleItems,
  setLiterally,
  userItems,
  writeLiterally,
} from '../../test/literal-items.ts'
import { ada, adaInBerlin, berlin, furtherTeachers, teachers } from '../../test/organisation.ts'
import { ownTable } from '../../test/own-table.ts'
import { decideRebac } from './decide.ts'

async function prepared(...items: readonly (readonly LiteralItem[])[]) {
  const table = await ownTable()
  await writeLiterally(table.runtime, [...adaInBerlin, ...items.flat()])
  return { table, decider: decideRebac(table.runtime) }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const userIds = (of: readonly number[]) => of.map((number) => idOf('user', number))

const inBerlin = { location: berlin, page: 'plan' }

describe('who', () => {
  test('pages by distinct users in the order of their ids, and the last page has no cursor', async () => {
    // Everyone is in both groups.
    const tutors = idOf('group', 2)
    const everyone = numbers(1, 7)
    const both = [
      ...groupItems(tutors, berlin),
      ...groupRoleItems(tutors, 'reader'),
      ...everyone.flatMap((number) => groupMembershipItems(idOf('user', number), tutors, berlin)),
    ]
    const { decider } = await prepared(furtherTeachers(numbers(2, 7)), both)
    for (const limit of [1, 2, 3, 6, 7, 8, 1000]) {
      const pages = await pagesOf((cursor) => decider.who(inBerlin, { limit, cursor }))
      expect(pages.flat().map(({ userId }) => userId)).toEqual(userIds(everyone))
      expect(pages.map((page) => page.length)).toEqual(
        numbers(1, Math.ceil(7 / limit)).map((page) => Math.min(limit, 7 - (page - 1) * limit)),
      )
    }
  })

  test('fills its page where users are passed over, and keeps those of other groups', async () => {
    const { table, decider } = await prepared(
      furtherTeachers(numbers(2, 40)),
      // A group of the location without the role, whose members come first.
      groupItems(idOf('group', 2), berlin),
      userItems(idOf('user', 0), 'Zero'),
      membershipItems(idOf('user', 0), berlin),
      groupMembershipItems(idOf('user', 0), idOf('group', 2), berlin),
    )
    for (const number of numbers(2, 30))
      await setLiterally(table.runtime, { PK: `USER#${idOf('user', number)}`, SK: 'META' }, 'deleting', 'x')
    const page = await decider.who(inBerlin, { limit: 10 })
    expect(page.items.map(({ userId }) => userId)).toEqual(userIds([1, ...numbers(31, 39)]))
    expect((await decider.who(inBerlin, { limit: 10, cursor: page.cursor })).items.map(({ userId }) => userId)).toEqual(userIds([40]))
  })

  test('gives a short page with a cursor when passing over costs too much, and is complete over all pages', async () => {
    const everyone = numbers(2, 60)
    const { table, decider } = await prepared(furtherTeachers(everyone))
    for (const number of numbers(1, 50)) await removeLiterally(table.runtime, `USER#${idOf('user', number)}`, 'META')
    const { cost } = await meter(() => decider.who(inBerlin, { limit: 1 }))
    expect(cost.roundTrips).toBeLessThanOrEqual(13)
    const pages = await pagesOf((cursor) => decider.who(inBerlin, { limit: 1, cursor }))
    expect(pages[0]).toEqual([])
    expect(pages.flat().map(({ userId }) => userId)).toEqual(userIds(numbers(51, 60)))
  })

  test('goes on where it was, wherever passing over became too much', async () => {
    // The first of all is alone in a group of its own, so that more candidates than a page holds are read at once.
    const tutors = idOf('group', 2)
    const first = idOf('user', 0)
    const { table, decider } = await prepared(
      furtherTeachers(numbers(2, 60)),
      groupItems(tutors, berlin),
      groupRoleItems(tutors, 'reader'),
      userItems(first, 'Zero'),
      membershipItems(first, berlin),
      groupMembershipItems(first, tutors, berlin),
    )
    for (const number of numbers(1, 59)) await removeLiterally(table.runtime, `USER#${idOf('user', number)}`, 'META')
    const pages = await pagesOf((cursor) => decider.who(inBerlin, { limit: 1, cursor }))
    expect(pages.flat().map(({ userId }) => userId)).toEqual(userIds([0, 60]))
  })

  test('keeps the order over groups of which one ends later than the other', async () => {
    const tutors = idOf('group', 2)
    const { table, decider } = await prepared(
      furtherTeachers(numbers(2, 20)),
      groupItems(tutors, berlin),
      groupRoleItems(tutors, 'reader'),
      numbers(15, 20).flatMap((number) => groupMembershipItems(idOf('user', number), tutors, berlin)),
    )
    for (const number of numbers(1, 10)) await removeLiterally(table.runtime, `USER#${idOf('user', number)}`, 'META')
    const pages = await pagesOf((cursor) => decider.who(inBerlin, { limit: 3, cursor }))
    expect(pages.flat().map(({ userId }) => userId)).toEqual(userIds(numbers(11, 20)))
  })

  test('finds all of more than a thousand users of one group', async () => {
    const { decider } = await prepared(furtherTeachers(numbers(2, 1500)))
    const pages = await pagesOf((cursor) => decider.who(inBerlin, { limit: 1000, cursor }))
    expect(pages.flat().map(({ userId }) => userId)).toEqual(userIds(numbers(1, 1500)))
  })

  test('finds a user whose first edges are damaged and whose last is whole', async () => {
    const groups = numbers(2, 12).map((number) => idOf('group', number))
    const { table, decider } = await prepared(
      groups.flatMap((groupId) => [
        ...groupItems(groupId, berlin),
        ...groupRoleItems(groupId, 'reader'),
        ...groupMembershipItems(ada, groupId, berlin),
      ]),
    )
    for (const groupId of [teachers, ...groups.slice(0, -1)]) await removeLiterally(table.runtime, `USER#${ada}`, `GROUP#${groupId}`)
    const { items } = await decider.who(inBerlin)
    expect(items).toMatchObject([{ userId: ada, grantedBy: { groupId: groups.at(-1), roleName: 'reader' } }])
  })

  test('reports a member that is malformed, and lists the others', async () => {
    const { table, decider } = await prepared(furtherTeachers([2, 3]))
    await setLiterally(table.runtime, { PK: `USER#${idOf('user', 2)}`, SK: 'META' }, 'displayName', 7)
    const { items, malformed } = await decider.who(inBerlin)
    expect(items.map(({ userId }) => userId)).toEqual(userIds([1, 3]))
    expect(malformed).toEqual([{ key: { PK: `USER#${idOf('user', 2)}`, SK: 'META' }, reason: 'The User is malformed.' }])
  })

  test('is a fault, and not empty, where whoever might be on it is malformed', async () => {
    const { table, decider } = await prepared(furtherTeachers([2]))
    const { cursor } = await decider.who(inBerlin, { limit: 1 })
    await setLiterally(table.runtime, { PK: `USER#${idOf('user', 2)}`, SK: 'META' }, 'displayName', 7)
    expect(await decider.who(inBerlin)).not.toHaveProperty('reason')
    // On a page after others somebody was found, so the answer is one, with what is malformed beside it.
    expect(await decider.who(inBerlin, { limit: 1, cursor })).toEqual({ items: [], malformed: [expect.anything()] })
    await setLiterally(table.runtime, { PK: `USER#${ada}`, SK: 'META' }, 'displayName', 7)
    expect(await decider.who(inBerlin)).toMatchObject({ items: [], malformed: [{}, {}], reason: { kind: 'fault', code: 'MalformedItem' } })
  })
})

describe('what', () => {
  test('lists no page that only the directory has, as can denies it', async () => {
    const { table, decider } = await prepared([...pageItems('ghost'), ...permissionItems('reader', 'ghost')])
    const at = { user: ada, location: berlin }
    expect((await decider.what(at)).items.map(({ page }) => page)).toEqual(['ghost', 'plan'])
    await removeLiterally(table.runtime, 'PAGE#ghost', 'META')
    expect((await decider.what(at, { consistency: 'strong' })).items.map(({ page }) => page)).toEqual(['plan'])
    expect(await decider.can({ ...at, page: 'ghost' }, { consistency: 'strong' })).toMatchObject({ allowed: false })
  })

  test('lists more than a thousand pages in the order of their names, and passes over those that are going', async () => {
    const names = numbers(1, 2300).map((number) => `page ${String(number).padStart(4, '0')}`)
    const { table, decider } = await prepared(
      names.flatMap((name) => [...pageItems(name), ...permissionItems('reader', name)]),
      pageItems('zzz'),
    )
    for (const [PK, SK] of [
      ['PAGE#page 0002', 'META'],
      ['DIRECTORY#PAGE', 'PAGE#page 0002'],
    ] as const)
      await setLiterally(table.runtime, { PK, SK }, 'deleting', 'x')
    const pages = await pagesOf((cursor) => decider.what({ user: ada, location: berlin }, { limit: 1000, cursor }))
    expect(pages.map((page) => page.length)).toEqual([1000, 1000, 300])
    expect(pages.flat().map(({ page }) => page)).toEqual([...names.filter((name) => name !== 'page 0002'), 'plan'])
  })

  test('takes a fourth round trip where names are new and roles are very many, and answers the same', async () => {
    const roles = numbers(1, 101).map((number) => `role ${number}`)
    const { decider } = await prepared(roles.flatMap(roleItems))
    const { result, cost } = await meter(() => decider.what({ user: 'ada@example.org', location: 'BER01' }))
    expect(result.items.map(({ page }) => page)).toEqual(['plan'])
    expect(cost.roundTrips).toBe(4)
  })
})

describe('where', () => {
  test('pages by distinct locations in the order of their ids', async () => {
    const places = numbers(2, 9).flatMap((number) => {
      const [locationId, groups] = [idOf('location', number), [idOf('group', number), idOf('group', number + 100)]]
      return [
        ...locationItems(locationId, `L${number}`),
        ...membershipItems(ada, locationId),
        ...groups.flatMap((groupId) => [
          ...groupItems(groupId, locationId),
          ...groupMembershipItems(ada, groupId, locationId),
          // Nothing is open at every third place.
          ...(number % 3 === 0 ? [] : groupRoleItems(groupId, 'reader')),
        ]),
      ]
    })
    const { decider } = await prepared(places)
    const expected = [1, 2, 4, 5, 7, 8].map((number) => idOf('location', number))
    for (const limit of [1, 2, 5, 6, 7]) {
      const pages = await pagesOf((cursor) => decider.where({ user: ada, page: 'plan' }, { limit, cursor }))
      expect(pages.flat().map(({ locationId }) => locationId)).toEqual(expected)
      expect(pages).toHaveLength(Math.ceil(6 / limit))
    }
  })
})

test('a page that very many roles allow is decided by the roles of the user', async () => {
  const roles = numbers(1, 300).map((number) => `role ${number}`)
  const { decider } = await prepared(roles.flatMap((role) => [...roleItems(role), ...permissionItems(role, 'plan')]))
  const { result, cost } = await meter(() => decider.can({ user: ada, location: berlin, page: 'plan' }))
  expect(result).toEqual({ allowed: true })
  // Facts with the location, memberships, page, group, and the one role with its permission: not three hundred of them.
  expect(cost).toMatchObject({ roundTrips: 3, requests: 5 })
})

describe('a cursor', async () => {
  const { table, decider } = await prepared(furtherTeachers([2, 3]), locationItems(idOf('location', 2), 'MUC01'))
  const { cursor = '' } = await decider.who(inBerlin, { limit: 1 })
  const elsewhere = { location: idOf('location', 2), page: 'plan' }

  test('goes on, also with another limit, another spelling and in another process', async () => {
    const other = decideRebac(table.runtime)
    const page = await other.who({ location: berlin.toLowerCase(), page: ' plan' }, { cursor, limit: 5 })
    expect(page.items.map(({ userId }) => userId)).toEqual(userIds([2, 3]))
  })

  const flipped = (at: number) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
  test.each([
    ['empty', ''],
    ['of plain text', ada],
    ['changed at the beginning', flipped(0)],
    ['changed in the middle', flipped(40)],
    ['cut', cursor.slice(0, -4)],
    ['spelled otherwise', `${cursor}=`],
  ])('that is %s is refused', async (_, forged) => {
    await expect(decider.who(inBerlin, { cursor: forged })).rejects.toMatchObject({ code: 'InvalidCursor' })
  })

  test('is refused by another question, of another place, of another tenant and of another table', async () => {
    const refused = { code: 'InvalidCursor' }
    await expect(decider.who(elsewhere, { cursor })).rejects.toMatchObject(refused)
    await expect(decider.what({ user: ada, location: berlin }, { cursor })).rejects.toMatchObject(refused)
    await expect(table.usersOfGroup({ groupId: teachers }, { cursor })).rejects.toMatchObject(refused)
    await expect(decideRebac({ ...table.runtime, tenant: 'other' }).who(inBerlin, { cursor })).rejects.toMatchObject(refused)
    await expect(decideRebac({ ...table.runtime, table: 'other' }).who(inBerlin, { cursor })).rejects.toMatchObject(refused)
    const pattern = await table.usersOfGroup({ groupId: teachers }, { limit: 1 })
    await expect(decider.who(inBerlin, { cursor: pattern.cursor })).rejects.toMatchObject(refused)
  })
})
