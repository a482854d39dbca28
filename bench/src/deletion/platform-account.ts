import { decidePlatform, type PlatformTable, platform, platformModule } from '@freehold/designs/platform'
import { operator } from '@freehold/frame/flow'
import { type ConnectedTable, connect } from '@freehold/table'
import type { Tenancy } from './tenancy.js'

const { flows } = platformModule
const menu = 'dashboard'
const chunk = 100

// Every table here is of this design.
const own = (table: ConnectedTable) => table as unknown as PlatformTable

/** Creates an account whose users may view a menu by their groups, one for each; gives its id. */
async function accountOfUsers(connected: ConnectedTable, name: string, users: number): Promise<string> {
  const table = own(connected)
  const work = flows.of(connected, { actor: operator })
  const { id: accountId } = await work.createAccount({ id: `account-${name}`, name })
  const { id: roleId } = await work.createRole({ accountId, name: 'Viewers' })
  await work.setMenuPermission({ roleId, menuKey: menu, canView: true })
  for (let from = 0; from < users; from += chunk) {
    const numbers = Array.from({ length: Math.min(chunk, users - from) }, (_, index) => from + index)
    const ids = (what: string) => numbers.map((number) => ({ id: `${name}-${what}-${number}`, accountId }))
    const people = ids('user').map(({ id }) => ({ id, accountId, email: `${id}@example.org`, firstName: 'Ada', lastName: 'King' }))
    const made = [
      ...(await table.User.createMany(people)),
      ...(await table.Group.createMany(ids('group').map((each) => ({ ...each, name: each.id })))),
      ...(await table.GroupMember.createMany(numbers.map((n) => ({ groupId: `${name}-group-${n}`, userId: `${name}-user-${n}` })))),
      ...(await table.GroupRole.createMany(numbers.map((n) => ({ groupId: `${name}-group-${n}`, roleId })))),
    ]
    for (const { error } of made) if (error !== undefined) throw error
  }
  return accountId
}

/** Accounts of platform. */
export const accounts: Tenancy = {
  design: platform,
  tenant: 'account',
  jobHandlers: flows.jobHandlers,
  records: ['Change', 'ActorChange', 'NotificationAudit'],
  fill: async (table, users) => {
    const account = await accountOfUsers(table, 'asking', 50)
    const questions = Array.from({ length: 50 }, (_, index) => ({ user: `asking-user-${index}`, account, menu, action: 'view' }))
    return { questions, going: () => accountOfUsers(table, 'going', users) }
  },
  connect: (options) => connect(platform, options) as unknown as ConnectedTable,
  decider: ({ runtime }) => decidePlatform(runtime),
  remove: (table, id) => flows.of(table, { actor: operator }).deleteAccount({ id, wait: true }),
}
