import type { platform } from '@freehold/designs/platform'
import * as platformEntities from '@freehold/designs/platform'
import { creating, type Step, type Table } from '@freehold/table'
import { account } from './account.ts'
import { loadSample } from './load-sample.ts'

const { Account, Group, GroupRole, Role, RolePermission, User, UserGroup, UserWorkstream, Workstream } = platformEntities

function steps(): readonly Step[] {
  const { id: accountId, name, workstreams, users, groups, roles } = account
  return [
    creating(Account, { id: accountId, name }),
    ...workstreams.map((workstream) => creating(Workstream, { accountId, ...workstream })),
    ...users.flatMap(({ workstreams: of, ...user }) => [
      creating(User, { accountId, ...user }),
      ...of.map((workstreamId) => creating(UserWorkstream, { userId: user.id, workstreamId, accountId })),
    ]),
    ...roles.flatMap(({ id, isUnscoped, menus, ...role }) => [
      creating(Role, { id, ...role, ...(isUnscoped ? {} : { accountId }) }),
      ...Object.entries<readonly string[]>(menus).map(([menuKey, flags]) =>
        creating(RolePermission, { roleId: id, menuKey, ...Object.fromEntries(flags.map((flag) => [flag, true])) }),
      ),
    ]),
    ...groups.flatMap(({ id, users: members, roles: held, ...group }) => [
      creating(Group, { id, accountId, ...group }),
      ...members.map((userId) => creating(UserGroup, { groupId: id, userId })),
      ...held.map((roleId) => creating(GroupRole, { groupId: id, roleId })),
    ]),
  ]
}

/** Loads the sample account into an empty table. @returns true if it was loaded */
export function loadAccount(table: Table<typeof platform>): Promise<boolean> {
  const first = { limit: 1 } as const
  return loadSample(
    table,
    [table.accounts({}, first), table.users({}, first), table.roles({}, first), table.groups({}, first), table.enterprises({}, first)],
    steps,
  )
}
