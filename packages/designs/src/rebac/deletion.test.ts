import { describe, expect, test } from 'vitest'
import { ownTable } from '../../test/own-table.ts'
import { mentions, wholeTable } from '../../test/whole-table.ts'
import { joinGroup } from './flows/membership.ts'
import { signIn } from './flows/sign-in.ts'

const consistent = { consistent: true }
let now = Date.parse('2026-03-01T12:00:00.000Z')
const table = await ownTable({ now: () => new Date(now++) })

/** People, groups, roles and pages of two locations, each connected with each; names are this organisation's own. */
async function organisation(name: string, members = 3) {
  const locations: string[] = []
  const groups: string[] = []
  const roles = [`${name}-role-1`, `${name}-role-2`]
  const pages = [`${name}-page-1`, `${name}-page-2`]
  for (const roleName of roles) await table.Role.create({ roleName })
  for (const pageName of pages) await table.Page.create({ pageName })
  for (const roleName of roles)
    for (const pageName of pages) await table.RolePagePermission.create({ roleName, pageName, permission: 'ALLOW' })
  for (const place of [1, 2]) {
    const { locationId } = await table.Location.create({ locationCode: `${name}${place}`, name: `${name} ${place}` })
    locations.push(locationId)
    for (const number of [1, 2]) {
      const { groupId } = await table.UserGroup.create({ locationId, name: `${name} ${place}.${number}` })
      groups.push(groupId)
      for (const roleName of roles) await table.GroupRole.create({ groupId, roleName })
    }
  }
  const users: string[] = []
  for (let member = 0; member < members; member++) {
    const email = `${name}${member}@example.org`
    const { user } = await signIn(table, { provider: 'google', subject: `${name}#${member}`, email, isEmailVerified: true })
    users.push(user.userId)
    await Promise.all(groups.map((groupId) => joinGroup(table, { userId: user.userId, groupId })))
  }
  return { users, locations, groups, roles, pages }
}

type Organisation = Awaited<ReturnType<typeof organisation>>

describe('removing', () => {
  test.each<[string, (of: Organisation) => string, (id: string) => Promise<unknown>]>([
    ['User', ({ users }) => users[0] ?? '', (userId) => table.User.remove({ userId })],
    ['Location', ({ locations }) => locations[0] ?? '', (locationId) => table.Location.remove({ locationId })],
    ['UserGroup', ({ groups }) => groups[0] ?? '', (groupId) => table.UserGroup.remove({ groupId })],
    ['Role', ({ roles }) => roles[0] ?? '', (roleName) => table.Role.remove({ roleName })],
    ['Page', ({ pages }) => pages[0] ?? '', (pageName) => table.Page.remove({ pageName })],
  ])('a %s leaves nothing that mentions it, and everything else as it was', async (kind, pick, remove) => {
    const name = `X${kind.toUpperCase()}`
    const one = await organisation(name)
    const other = await organisation(`OTHER-${kind}`, 1)
    const id = pick(one)
    const atLocation = kind === 'Location' ? one.groups.slice(0, 2) : []
    const gone = [id, ...atLocation]
    expect(await mentions(table, id)).not.toEqual([])
    const before = await wholeTable(table)
    await remove(id)
    for (const each of gone) expect(await mentions(table, each)).toEqual([])
    const survivors = before.filter((item) => !gone.some((each) => JSON.stringify(item).includes(each)))
    expect(await wholeTable(table)).toEqual(expect.arrayContaining(survivors))
    expect(await wholeTable(table)).toHaveLength(survivors.length)
    for (const userId of other.users) expect((await table.groupsOfUser({ userId }, consistent)).items).toHaveLength(4)
    expect(await table.jobs.list()).toEqual([])
  })

  test('a user with its address and account lets both be used again', async () => {
    const { users } = await organisation('AGAIN', 1)
    await table.User.remove({ userId: users[0] ?? '' })
    expect(
      await signIn(table, { provider: 'google', subject: 'AGAIN#0', email: 'again0@example.org', isEmailVerified: true }),
    ).toMatchObject({
      outcome: 'created',
    })
  })

  test('a location with a thousand members and three groups goes whole', async () => {
    const { locationId } = await table.Location.create({ locationCode: 'BIG', name: 'Big' })
    const { items: groups } = { items: await Promise.all(['a', 'b', 'c'].map((name) => table.UserGroup.create({ locationId, name }))) }
    const users = await table.User.createMany(Array.from({ length: 1000 }, (_, index) => ({ displayName: `Member ${index}` })))
    const ids = users.flatMap(({ item }) => item?.userId ?? [])
    await table.UserLocationEdge.createMany(ids.map((userId) => ({ userId, locationId })))
    for (const { groupId } of groups) await table.UserGroupEdge.createMany(ids.map((userId) => ({ userId, groupId })))
    expect((await mentions(table, locationId)).length).toBeGreaterThan(5000)
    await table.Location.remove({ locationId })
    for (const id of [locationId, ...groups.map(({ groupId }) => groupId)]) expect(await mentions(table, id)).toEqual([])
    expect(await mentions(table, 'Member 999')).toHaveLength(2)
  })
})

describe('while it is being deleted', () => {
  const later = async () => {
    now += 60_000
    await table.jobs.resume()
  }

  test.each([
    {
      kind: 'role',
      create: (roleName: string) => table.Role.create({ roleName }),
      remove: (roleName: string) => table.Role.remove({ roleName }, { wait: false }),
      depend: async (roleName: string, { pages }: Organisation) => {
        await table.RolePagePermission.create({ roleName, pageName: pages[1] ?? '', permission: 'ALLOW' })
      },
      pick: ({ roles }: Organisation) => roles[0] ?? '',
    },
    {
      kind: 'page',
      create: (pageName: string) => table.Page.create({ pageName }),
      remove: (pageName: string) => table.Page.remove({ pageName }, { wait: false }),
      depend: async (pageName: string, { roles }: Organisation) => {
        await table.RolePagePermission.create({ roleName: roles[1] ?? '', pageName, permission: 'ALLOW' })
      },
      pick: ({ pages }: Organisation) => pages[0] ?? '',
    },
  ])('a $kind refuses another of its name and everything new on it; the next one of its name begins without anything', async (each) => {
    const org = await organisation(`D${each.kind.toUpperCase()}`, 1)
    const name = each.pick(org)
    await each.remove(name)
    await expect(each.create(name)).rejects.toMatchObject({ code: 'AlreadyExists' })
    await table.RolePagePermission.remove({ roleName: org.roles[1] ?? '', pageName: org.pages[1] ?? '' })
    await expect(each.depend(name, org)).rejects.toMatchObject({ code: expect.stringMatching(/MissingEnd|AlreadyExists/) })
    await expect(each.remove(name)).rejects.toMatchObject({ code: 'BeingDeleted' })
    await later()
    expect(await mentions(table, name)).toEqual([])
    await each.create(name)
    expect((await mentions(table, name)).filter((key) => /ROLE#|PAGE#/.test(key))).toHaveLength(2)
    expect((await mentions(table, name)).every((key) => key.endsWith('META') || key.startsWith('DIRECTORY#'))).toBe(true)
  })

  test('recreating a role of the same name again and again never revives what the old one had', async () => {
    const { groups, pages } = await organisation('REVIVE', 1)
    const roleName = 'REVIVE-again'
    for (let round = 0; round < 10; round++) {
      await table.Role.create({ roleName })
      await table.RolePagePermission.create({ roleName, pageName: pages[0] ?? '', permission: 'ALLOW' })
      await Promise.all(groups.map((groupId) => table.GroupRole.create({ groupId, roleName })))
      const [, recreated] = await Promise.allSettled([table.Role.remove({ roleName }), table.Role.create({ roleName })])
      if (recreated.status === 'fulfilled') await table.Role.remove({ roleName })
      expect(await mentions(table, roleName)).toEqual([])
    }
  })
})
