import type { platform } from '@freehold/designs/platform'
import type { Table } from '@freehold/table'
import { numbers, spread } from './asked.js'
import { created } from './client-of-size.js'

type PlatformTable = Table<typeof platform>

export interface AccountOfSize {
  readonly account: string
  /** Of five users, and of everyone. */
  readonly workstreams: Readonly<Record<'few' | 'all', string>>
  /** By what they have besides the role that everyone has: nothing, or that of an administrator and a place in the workstream of few. */
  readonly users: Readonly<Record<'plain' | 'admin', readonly string[]>>
}

const adminCount = 2
const fewCount = 5
const chunk = 1000
const otherMenus = ['audit', 'billing', 'licenses', 'reports', 'tools', 'users'] as const
/** Groups and roles that nobody asks about. */
const otherGroups = 10

/**
 * Creates an account through the runtime, with every guard, mirror and check that it would have anyway. Everyone is in one group and in one workstream,
 * two are in the group of administrators, and five in a workstream of few. Groups and roles are the same at any size: they do not come with people.
 */
export async function accountOfSize(table: PlatformTable, account: string, userCount: number): Promise<AccountOfSize> {
  await table.Account.create({ id: account, name: account })
  const group = async (name: string, menus: readonly string[], flags: object) => {
    const id = `${account}-${name}`
    await table.Group.create({ id, accountId: account, name })
    await table.Role.create({ id, accountId: account, name })
    await table.GroupRole.create({ groupId: id, roleId: id })
    for (const menuKey of menus) await table.RolePermission.create({ roleId: id, menuKey, canView: true, ...flags })
    return id
  }
  const workstream = async (name: string) => (await table.Workstream.create({ id: `${account}-${name}`, accountId: account, name })).id
  const everyone = await group('everyone', ['portal', 'events'], {})
  const admins = await group('admins', otherMenus, { canCreate: true, canEdit: true, canDelete: true })
  for (const at of numbers(otherGroups)) await group(`other${at}`, otherMenus, {})
  const workstreams = { few: await workstream('few'), all: await workstream('all') }
  const users = { plain: [] as string[], admin: [] as string[] }
  for (let from = 0; from < userCount; from += chunk) {
    const made = numbers(Math.min(chunk, userCount - from)).map((at) => {
      // As long at any size, so that items are as large.
      const id = `${account}-person${String(from + at).padStart(6, '0')}`
      return { id, accountId: account, email: `${id}@example.org`, firstName: 'Ada', lastName: 'Byron' }
    })
    created(await table.User.createMany(made))
    const ids = made.map(({ id }) => id)
    users.admin.push(...(from === 0 ? ids.slice(0, adminCount) : []))
    users.plain.push(...(from === 0 ? ids.slice(fewCount) : ids))
    const ofAdmins = from === 0 ? ids.slice(0, adminCount).map((userId) => ({ groupId: admins, userId })) : []
    created(await table.UserGroup.createMany([...ids.map((userId) => ({ groupId: everyone, userId })), ...ofAdmins]))
    const few = from === 0 ? ids.slice(0, fewCount).map((userId) => ({ userId, workstreamId: workstreams.few, accountId: account })) : []
    const all = ids.map((userId) => ({ userId, workstreamId: workstreams.all, accountId: account }))
    created(await table.UserWorkstream.createMany([...all, ...few]))
  }
  return { account, workstreams, users: { plain: spread(users.plain), admin: spread(users.admin) } }
}
