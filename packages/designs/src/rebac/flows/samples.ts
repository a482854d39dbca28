import { type FlowSamples, operator, sampleOf as row } from '@freehold/frame/flow'
import type { ConnectedTable } from '@freehold/table'
import {
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
} from '../design.ts'
import { offeredRebacFlows, type RebacFlows } from './flows.ts'

export interface RebacWork {
  /** An operator's. */
  readonly flows: RebacFlows
}

export type RebacScene = Awaited<ReturnType<typeof rebacScene>>

/** Two locations. Lead may manage all at the first, and open p1 there; r1 allows p1, r2 also p2. */
export async function rebacScene({ flows }: RebacWork) {
  const { locationId: here } = await flows.createLocation({ locationCode: 'HERE', name: 'Here' })
  const { locationId: there } = await flows.createLocation({ locationCode: 'THERE', name: 'There' })
  for (const pageName of ['manage-memberships', 'manage-groups', 'manage-group-roles', 'p1', 'p2']) await flows.createPage({ pageName })
  for (const roleName of ['lead', 'r1', 'r2']) await flows.createRole({ roleName })
  const allow = async (roleName: string, ...pages: readonly string[]) => {
    for (const pageName of pages) await flows.setPermission({ roleName, pageName, permission: 'ALLOW' })
  }
  await allow('lead', 'manage-memberships', 'manage-groups', 'manage-group-roles', 'p1')
  await allow('r1', 'p1')
  await allow('r2', 'p1', 'p2')
  const { groupId: leads } = await flows.createGroup({ locationId: here, name: 'leads' })
  await flows.giveRole({ groupId: leads, roleName: 'lead' })
  const { userId: lead } = await flows.createUser({ displayName: 'Lead', email: 'lead@example.org' })
  await flows.joinGroup({ userId: lead, groupId: leads })
  const { userId: friend } = await flows.createUser({ displayName: 'Friend' })
  const { groupId: group } = await flows.createGroup({ locationId: here, name: 'group' })
  const { groupId: foreign } = await flows.createGroup({ locationId: there, name: 'foreign' })
  return { here, there, lead, friend, leads, group, foreign }
}

/** A call of each flow that writes. The lead of the scene may manage all at `here`. */
export function rebacSamples({ flows }: RebacWork, { here, friend, lead }: RebacScene): FlowSamples {
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
  return {
    user: lead,
    samples: [
      row('createUser', User, () => ({ displayName: name('User'), email: `u${++count}@example.org` })),
      row('updateUser', User, async () => ({ userId: await newUser(), displayName: 'Ada L.' })),
      row('setAdmin', User, async () => ({ userId: await newUser(), isAdmin: true })),
      row('deleteUser', User, async () => ({ userId: (await member()).userId })),
      row('eraseUser', User, async () => ({ userId: await newUser() })),
      row('addEmail', EmailIdentity, () => ({ userId: friend, email: `F${++count}@Example.org` })),
      row('removeEmail', EmailIdentity, async () => ({ email: await newEmail() })),
      row('signIn', SignInIdentity, async () => (await account()).signing),
      row('signIn', User, () => ({
        provider: 'google',
        subject: name('subject'),
        email: `n${++count}@example.org`,
        isEmailVerified: true,
      })),
      row('unlinkAccount', SignInIdentity, linked),
      row('joinLocation', UserLocationEdge, async () => ({ userId: await newUser(), locationId: here })),
      row('leaveLocation', UserLocationEdge, async () => ({ userId: (await member()).userId, locationId: here })),
      row('joinGroup', UserGroupEdge, async () => ({ userId: await newUser(), groupId: await newGroup() })),
      row('leaveGroup', UserGroupEdge, member),
      row('createGroup', UserGroup, () => ({ locationId: here, name: name('group'), groupType: 'TEACHER' })),
      row('updateGroup', UserGroup, async () => ({ groupId: await newGroup(), name: 'renamed' })),
      row('deleteGroup', UserGroup, async () => ({ groupId: (await member()).groupId })),
      row('giveRole', GroupRole, async () => ({ groupId: await newGroup(), roleName: 'r1' })),
      row('takeRole', GroupRole, given),
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
      row('renameRole', Role, async () => ({ roleName: (await permitted()).roleName, to: name('role') })),
      row('renamePage', Page, async () => ({ pageName: (await permitted()).pageName, to: name('page') })),
      row('setPermission', RolePagePermission, async () => ({ roleName: await newRole(), pageName: await newPage(), permission: 'ALLOW' })),
      row('setPermission', RolePagePermission, async () => ({ ...(await permitted()), permission: 'DENY' })),
      row('removePermission', RolePagePermission, permitted),
      row('createLocation', Location, () => ({ locationCode: `c${++count}`, name: 'New', address: 'a street' })),
      row('updateLocation', Location, async () => ({ locationId: await newLocation(), locationCode: `C${++count}` })),
      row('deleteLocation', Location, async () => ({ locationId: await newLocation() })),
      row('assignMany', RolePagePermission, async () => ({ assignments: [{ roleName: await newRole(), pageName: await newPage() }] })),
      row('assignMany', UserGroupEdge, async () => ({ assignments: [{ userId: await newUser(), groupId: await newGroup() }] })),
    ],
  }
}

/** The same on an empty table, by an operator. */
export async function samplesOn(table: ConnectedTable): Promise<FlowSamples> {
  const work: RebacWork = { flows: offeredRebacFlows().of(table, { actor: operator }) }
  return rebacSamples(work, await rebacScene(work))
}
