import { meter } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { foreignTable, itemsOf } from '../../test/documents/written.ts'
import { canUserAccessPage, decideRebac } from './decide.ts'
import { rebac } from './design.ts'

const items = itemsOf('rebac')
const [user, location, group] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FBB', '01ARZ3NDEKTSV4RRFFQ69G5FCC']
const page = 'dashboard'

type Change = Readonly<Record<string, unknown>>
const written = (changes: Readonly<Record<string, Change | undefined>> = {}) =>
  Object.entries(items).flatMap(([name, item]) => (name in changes && changes[name] === undefined ? [] : [{ ...item, ...changes[name] }]))
const decided = async (changes?: Parameters<typeof written>[0]) => decideRebac((await foreignTable(rebac, written(changes))).runtime)

const denied = (code: string) => ({ allowed: false, reason: { code } })

describe('a table that another program filled is decided over by the flow of the document', () => {
  test.each([
    ['by ids', { user, location }],
    ['by names', { user: 'User@Example.com', location: 'nyc001' }],
  ])('%s', async (_, question) => {
    const decider = await decided()
    expect(await decider.can({ ...question, page })).toEqual({ allowed: true })
    expect(await decider.can({ ...question, page: 'payroll' })).toMatchObject(denied('NoGrant'))
    expect(await decider.can({ ...question, page: 'none' })).toMatchObject(denied('UnknownPage'))
    expect((await decider.why({ ...question, page })).chains).toEqual([
      expect.arrayContaining([expect.objectContaining({ step: 'permission' })]),
    ])
    expect((await decider.why({ ...question, page: 'payroll' })).missing).toMatchObject([{ step: 'permission', state: 'denies' }])
    expect(await decider.what(question)).toEqual({ items: [{ page, grantedBy: { groupId: group, roleName: 'teacher' } }] })
  })

  test('by its name in the document', async () => {
    const decider = await decided()
    expect(await canUserAccessPage(decider, user, location, page)).toBe(true)
    expect(await canUserAccessPage(decider, user, location, 'payroll')).toBe(false)
    expect(await canUserAccessPage(decider, user, group, page)).toBe(false)
  })

  test('with memory in one round trip, and without in three by ids', async () => {
    const decider = await decided()
    const trips = async (how: object) => (await meter(() => decider.can({ user, location, page }, how))).cost.roundTrips
    expect(await trips({})).toBe(3)
    expect(await trips({})).toBe(1)
    expect(await trips({ consistency: 'strong' })).toBe(3)
    await decider.what({ user, location })
    expect((await meter(() => decider.what({ user, location }))).cost.roundTrips).toBe(1)
  })

  test.each<[string, Parameters<typeof written>[0], object]>([
    [
      'optional attributes are not asked',
      { Location: { address: undefined }, Role: { description: undefined }, Page: { description: undefined } },
      { allowed: true },
    ],
    ['a page without its node', { Page: undefined }, denied('UnknownPage')],
    ['a role without its node', { Role: undefined }, denied('NoGrant')],
    ['a group without its node', { UserGroup: undefined }, { allowed: false }],
    ['a user without a membership of the location', { UserLocationEdge: undefined }, denied('NoMembership')],
    ['an edge with its other side alone', { UserGroupEdge: undefined }, { allowed: false }],
    [
      'a group of another location, whatever the edge says',
      { UserGroup: { locationId: '01ARZ3NDEKTSV4RRFFQ69G5FDD' } },
      { allowed: false },
    ],
    ['an attribute that contradicts the keys', { RolePagePermission: { roleName: 'other' } }, denied('MalformedItem')],
    ['a Type that contradicts the keys', { User: { Type: 'Page' } }, denied('MalformedItem')],
    ['a permission that is neither', { RolePagePermission: { permission: 'MAYBE' } }, denied('MalformedItem')],
    ['an unknown attribute of an odd kind', { User: { photo: new Uint8Array([1]) }, GroupRole: { notes: [null, {}] } }, { allowed: true }],
  ])('%s', async (_, changes, answer) => {
    expect(await (await decided(changes)).can({ user, location, page })).toMatchObject(answer)
  })
})
