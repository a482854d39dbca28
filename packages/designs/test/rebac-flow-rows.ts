import type { Entity } from '@freehold/table'
import {
  Change,
  EmailIdentity,
  GroupRole,
  Location,
  Page,
  Role,
  RolePagePermission,
  SignInIdentity,
  User,
  UserGroup,
  UserGroupEdge,
  UserLocationEdge,
} from '../src/rebac/design.ts'
import type { FlowRow } from './conformance/flow-scene.ts'
import { toldBy } from './conformance/told-by-change.ts'
import type { RebacScene, RebacWork } from './rebac-flows.ts'

/** One row for each flow of rebac that writes, and more. The lead of the scene may manage all at `here`. */
export function rebacRows({ flows }: RebacWork, { here, friend }: RebacScene): readonly FlowRow[] {
  let count = 0
  const name = (word: string) => `${word} ${++count}`
  const newUser = async () => (await flows.createUser({ displayName: name('User') })).userId
  const newGroup = async () => (await flows.createGroup({ locationId: here, name: name('group') })).groupId
  const newRole = async () => (await flows.createRole({ roleName: name('role'), description: 'before' })).roleName
  const newPage = async () => (await flows.createPage({ pageName: name('page') })).pageName
  const newEmail = async () => (await flows.addEmail({ userId: friend, email: `f${++count}@example.org` })).email
  const newLocation = async () => (await flows.createLocation({ locationCode: `L${++count}`, name: 'New' })).locationId
  const member = async () => {
    const pair = { userId: await newUser(), groupId: await newGroup() }
    await flows.joinGroup(pair)
    return pair
  }
  const given = async () => {
    const pair = { groupId: await newGroup(), roleName: 'r1' }
    await flows.giveRole(pair)
    return pair
  }
  const permitted = async () => {
    const pair = { roleName: await newRole(), pageName: await newPage() }
    await flows.setPermission({ ...pair, permission: 'ALLOW' })
    return pair
  }
  const account = async () => {
    const { userId, email } = await flows.addEmail({ userId: await newUser(), email: `s${++count}@example.org` })
    const signing = { provider: 'google', subject: `s#${count}`, email, isEmailVerified: true } as const
    return { userId, signing }
  }
  const linked = async () => {
    const { signing } = await account()
    await flows.signIn(signing)
    return { provider: signing.provider, subject: signing.subject }
  }
  const atHere = { told: () => ({ scope: here }) }
  const row = (flow: string, entity: Entity, input: FlowRow['input'], more: Partial<FlowRow> = {}): FlowRow => ({
    flow,
    entity,
    input,
    ...more,
  })
  return [
    row('createUser', User, () => ({ displayName: name('User'), email: `u${++count}@example.org` })),
    row('updateUser', User, async () => ({ userId: await newUser(), displayName: 'Ada L.' })),
    row('setAdmin', User, async () => ({ userId: await newUser(), isAdmin: true })),
    row('deleteUser', User, async () => ({ userId: (await member()).userId })),
    row('addEmail', EmailIdentity, () => ({ userId: friend, email: `F${++count}@Example.org` })),
    row('removeEmail', EmailIdentity, async () => ({ email: await newEmail() })),
    row('signIn', SignInIdentity, async () => (await account()).signing),
    row('signIn', User, () => ({ provider: 'google', subject: name('subject'), email: `n${++count}@example.org`, isEmailVerified: true })),
    row('unlinkAccount', SignInIdentity, linked),
    row('joinLocation', UserLocationEdge, async () => ({ userId: await newUser(), locationId: here }), atHere),
    row('leaveLocation', UserLocationEdge, async () => ({ userId: (await member()).userId, locationId: here }), atHere),
    row('joinGroup', UserGroupEdge, async () => ({ userId: await newUser(), groupId: await newGroup() }), atHere),
    row('leaveGroup', UserGroupEdge, member, atHere),
    row('createGroup', UserGroup, () => ({ locationId: here, name: name('group'), groupType: 'TEACHER' }), atHere),
    row('updateGroup', UserGroup, async () => ({ groupId: await newGroup(), name: 'renamed' }), atHere),
    row('deleteGroup', UserGroup, async () => ({ groupId: (await member()).groupId }), atHere),
    row('giveRole', GroupRole, async () => ({ groupId: await newGroup(), roleName: 'r1' }), atHere),
    row('takeRole', GroupRole, given, atHere),
    row('createRole', Role, () => ({ roleName: name('role'), description: 'd' })),
    row('updateRole', Role, async () => ({ roleName: await newRole(), description: 'after' })),
    row('deleteRole', Role, async () => {
      const { roleName } = await permitted()
      await flows.giveRole({ groupId: await newGroup(), roleName })
      return { roleName }
    }),
    row('createPage', Page, () => ({ pageName: name('page') })),
    row('updatePage', Page, async () => ({ pageName: await newPage(), description: 'after' })),
    row('deletePage', Page, async () => ({ pageName: (await permitted()).pageName })),
    // The edges of a name that changes are told by both names: rename.test.ts has those that are lost.
    row('renameRole', Role, async () => ({ roleName: (await permitted()).roleName, to: name('role') }), {
      renames: ({ roleName, to }) => ({ roleName: { before: roleName, after: to } }),
      unsaid: [RolePagePermission],
    }),
    row('renamePage', Page, async () => ({ pageName: (await permitted()).pageName, to: name('page') }), {
      renames: ({ pageName, to }) => ({ pageName: { before: pageName, after: to } }),
      unsaid: [RolePagePermission],
    }),
    row('setPermission', RolePagePermission, async () => ({ roleName: await newRole(), pageName: await newPage(), permission: 'ALLOW' })),
    row('setPermission', RolePagePermission, async () => ({ ...(await permitted()), permission: 'DENY' })),
    row('removePermission', RolePagePermission, permitted),
    row('createLocation', Location, () => ({ locationCode: `c${++count}`, name: 'New', address: 'a street' })),
    row('updateLocation', Location, async () => ({ locationId: await newLocation(), locationCode: `C${++count}` })),
    row('deleteLocation', Location, async () => ({ locationId: await newLocation() })),
    row('assignMany', RolePagePermission, async () => ({ assignments: [{ roleName: await newRole(), pageName: await newPage() }] })),
    row('assignMany', UserGroupEdge, async () => ({ assignments: [{ userId: await newUser(), groupId: await newGroup() }] })),
  ]
}

/** A record of a change, in the words of all designs. */
export const toldByChange = toldBy(Change, 'locationId')
