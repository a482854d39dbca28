import { accessOf, through } from '@freehold/frame/access'
import { oneOf } from '@freehold/table'
import { Account, Group, GroupRole, platform, RolePermission, User, UserEmail, UserGroup, UserWorkstream } from './design.ts'
import { accessSnapshot } from './snapshot/access-snapshot.ts'
import { actions, flagOf } from './snapshot/menu-flags.ts'

/**
 * A user does something in a menu of its account, or of a workstream there of which it is a member, by a role of one of its groups. The flags of all its roles
 * are joined. A role of no account is one for every account.
 */
export const access = accessOf(platform, {
  subject: User,
  place: Account,
  within: UserWorkstream,
  action: oneOf(...actions).describe('What is to be done in the menu.'),
  names: [UserEmail],
  where: { User: { status: 'active' }, Account: { status: 'active' } },
  until: { User: 'endDate' },
  grants: through(Group).byFlags(GroupRole, RolePermission, 'menu', 'menuKey', flagOf).through(UserGroup),
  snapshots: accessSnapshot,
  words: {
    User: {
      is: 'user',
      found: 'The user is active[ until {endDate}].',
      inactive: 'The user [is {status}|has no status].',
      expired: "The user's last day was {endDate}.",
      denies: 'The user is of another account.',
      codes: { inactive: 'UserInactive', expired: 'UserInactive', denies: 'ForeignUser' },
    },
    UserEmail: { is: 'user', missing: 'No user has the e-mail address {email}.' },
    Account: {
      is: 'account',
      found: 'The account is active.',
      inactive: 'The account is {status}.',
      codes: { inactive: 'AccountSuspended' },
    },
    Workstream: { is: 'workstream', found: 'The workstream is of the account.' },
    UserWorkstream: {
      is: 'membership',
      found: 'The user is a member of the workstream.',
      denies: 'The user is not a member of the workstream.',
      codes: { denies: 'NoMembership' },
    },
    UserGroup: { is: 'group membership', found: 'The user is in the group.', missing: 'The user is in no group.' },
    Group: { is: 'group', found: 'The group is of the account.', denies: 'The group is of another account.' },
    GroupRole: { is: 'group role', found: 'The group has the role.', missing: 'The group has no role.' },
    Role: { is: 'role', found: 'The role is of the account, or of none.', denies: 'The role is of another account.' },
    RolePermission: {
      is: 'permission',
      found: 'The role may {action} in the menu {menu}.',
      denies: 'The role may not {action} in the menu {menu}.',
    },
    NoGroup: { is: 'group', missing: 'The user is in no group of the account.' },
    NoGrant: { is: 'grant', missing: "No role of the user's groups may {action} in the menu {menu}." },
    NothingGranted: { is: 'grant', missing: 'No role that the user has grants anything.' },
  },
  shows: {
    subject: { userId: 'id', email: 'email', firstName: 'firstName', lastName: 'lastName' },
    place: { accountId: 'id', name: 'name' },
    within: { accountId: 'accountId', workstreamId: 'id', name: 'name' },
    grantedBy: GroupRole,
  },
})
