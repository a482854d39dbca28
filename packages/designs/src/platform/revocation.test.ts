import { type Revoked, testRevocations } from '../../test/conformance/revocation-conformance.ts'
import { writeLiterally } from '../../test/literal-items.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { adaEdits, adaOfAcme } from '../../test/platform-organisation.ts'
import { decidePlatform } from './decide.ts'
import { platform } from './design.ts'

type PlatformTable = Awaited<ReturnType<typeof ownTableOf<typeof platform>>>

/** Each way to take the access away. */
const revocations: readonly Revoked<PlatformTable>[] = [
  { what: 'the user', definition: false, revoke: (table) => table.User.remove({ id: 'ada' }) },
  { what: "the user's status", definition: false, revoke: (table) => table.User.update({ id: 'ada' }, { status: 'inactive' }) },
  { what: "the user's time", definition: false, revoke: (table) => table.User.update({ id: 'ada' }, { endDate: '2026-02-28' }) },
  { what: "the account's status", definition: false, revoke: (table) => table.Account.update({ id: 'acme' }, { status: 'suspended' }) },
  { what: 'the account', definition: false, revoke: (table) => table.Account.remove({ id: 'acme' }) },
  {
    what: 'the membership of the workstream',
    definition: false,
    revoke: (table) => table.UserWorkstream.remove({ userId: 'ada', workstreamId: 'research' }),
  },
  { what: 'the workstream', definition: false, revoke: (table) => table.Workstream.remove({ accountId: 'acme', id: 'research' }) },
  { what: 'the place in the group', definition: false, revoke: (table) => table.UserGroup.remove({ userId: 'ada', groupId: 'staff' }) },
  // Removing it also removes the edge of the user, which is always read.
  { what: 'the group', definition: false, revoke: (table) => table.Group.remove({ id: 'staff' }) },
  { what: "the group's role", definition: true, revoke: (table) => table.GroupRole.remove({ groupId: 'staff', roleId: 'editor' }) },
  { what: 'the role', definition: true, revoke: (table) => table.Role.remove({ id: 'editor' }) },
  { what: 'the permission', definition: true, revoke: (table) => table.RolePermission.remove({ roleId: 'editor', menuKey: 'dashboard' }) },
  {
    what: 'the flag of the permission',
    definition: true,
    revoke: (table) => table.RolePermission.update({ roleId: 'editor', menuKey: 'dashboard' }, { canEdit: false }),
  },
]

testRevocations(revocations, async (now) => {
  const table = await ownTableOf(platform, { now })
  await writeLiterally(table.runtime, adaOfAcme)
  const decider = decidePlatform(table.runtime)
  const answers = async (consistency: 'strong' | 'bounded') => {
    const { user, menu, action, ...place } = adaEdits
    const [can, what, who, where, access] = await Promise.all([
      decider.can(adaEdits, { consistency }),
      decider.what({ user, ...place }, { consistency }),
      decider.who({ ...place, menu, action }, { consistency }),
      decider.where({ user, menu, action }, { consistency, expand: true }),
      decider.access({ user }, { consistency }),
    ])
    return [
      can.allowed,
      what.items.some(({ canEdit }) => canEdit),
      who.items.length > 0,
      where.items.some(({ workstreamId }) => workstreamId === place.workstream),
      access.can({ menu, action }, place),
    ]
  }
  return { table, answers }
})
