import { type Revoked, testRevocations } from '../../test/conformance/revocation-conformance.ts'
import { writeLiterally } from '../../test/literal-items.ts'
import { ada, adaInBerlin, berlin, teachers } from '../../test/organisation.ts'
import { ownTable } from '../../test/own-table.ts'
import { decideRebac } from './decide.ts'

type RebacTable = Awaited<ReturnType<typeof ownTable>>

const question = { user: ada, location: berlin, page: 'plan' }

/** Each way to take the access away. */
const revocations: readonly Revoked<RebacTable>[] = [
  { what: 'the user', definition: false, revoke: (table) => table.User.remove({ userId: ada }) },
  { what: 'the membership', definition: false, revoke: (table) => table.UserLocationEdge.remove({ userId: ada, locationId: berlin }) },
  { what: 'the place in the group', definition: false, revoke: (table) => table.UserGroupEdge.remove({ userId: ada, groupId: teachers }) },
  // Removing these also removes edges of the user, which are always read.
  { what: 'the location', definition: false, revoke: (table) => table.Location.remove({ locationId: berlin }) },
  { what: 'the group', definition: false, revoke: (table) => table.UserGroup.remove({ groupId: teachers }) },
  { what: "the group's role", definition: true, revoke: (table) => table.GroupRole.remove({ groupId: teachers, roleName: 'reader' }) },
  { what: 'the role', definition: true, revoke: (table) => table.Role.remove({ roleName: 'reader' }) },
  {
    what: 'the permission',
    definition: true,
    revoke: (table) => table.RolePagePermission.remove({ roleName: 'reader', pageName: 'plan' }),
  },
  {
    what: 'the ALLOW of the permission',
    definition: true,
    revoke: (table) => table.RolePagePermission.update({ roleName: 'reader', pageName: 'plan' }, { permission: 'DENY' }),
  },
  { what: 'the page', definition: true, revoke: (table) => table.Page.remove({ pageName: 'plan' }) },
]

testRevocations(revocations, async (now) => {
  const table = await ownTable({ now })
  await writeLiterally(table.runtime, adaInBerlin)
  const decider = decideRebac(table.runtime)
  const answers = async (consistency: 'strong' | 'bounded') => {
    const { user, location, page } = question
    const [can, what, who, where] = await Promise.all([
      decider.can(question, { consistency }),
      decider.what({ user, location }, { consistency }),
      decider.who({ location, page }, { consistency }),
      decider.where({ user, page }, { consistency }),
    ])
    return [can.allowed, what.items.length > 0, who.items.length > 0, where.items.length > 0]
  }
  return { table, answers }
})
