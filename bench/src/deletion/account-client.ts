import {
  type AccountTable,
  AuditLog,
  accountManagement,
  decideAccountManagement,
  offeredAccountFlows,
} from '@freehold/designs/account-management'
import { operator } from '@freehold/frame/flow'
import { type ConnectedTable, connect } from '@freehold/table'
import { clientOfSize, fillCatalogue, permissions } from '../growth/client-of-size.js'
import type { Tenancy } from './tenancy.js'

const chunk = 1000
const otherTenant = { users: 50, projects: 1, buildingsOfProject: 1 }

// Every table here is of this design.
const accounts = (table: ConnectedTable) => table as unknown as AccountTable

/** Creates a client with so many users, each with its e-mail guard and its mirrors; gives its id. */
async function clientOfUsers(table: AccountTable, name: string, users: number): Promise<string> {
  const { id: client_id } = await offeredAccountFlows.of(table, { actor: operator }).createClient({ name })
  for (let from = 0; from < users; from += chunk) {
    const inputs = Array.from({ length: Math.min(chunk, users - from) }, (_, index) => ({
      client_id,
      email: `person${String(from + index).padStart(6, '0')}@${name}.example.org`,
      user_type: 'external_tenant' as const,
    }))
    for (const { error } of await table.User.createMany(inputs)) if (error !== undefined) throw error
  }
  return client_id
}

/** Clients of account-management. */
export const clients: Tenancy = {
  design: accountManagement,
  tenant: 'client',
  jobHandlers: offeredAccountFlows.jobHandlers,
  records: [AuditLog.name],
  fill: async (table, users) => {
    await fillCatalogue(accounts(table))
    const other = await clientOfSize(accounts(table), 'asking', otherTenant)
    const questions = other.users.plain.map((user) => ({ user, client: other.client, permission: permissions.everyone }))
    return { going: () => clientOfUsers(accounts(table), 'going', users), questions }
  },
  connect: (options) => connect(accountManagement, options) as unknown as ConnectedTable,
  decider: ({ runtime }) => decideAccountManagement(runtime),
  remove: (table, id) => offeredAccountFlows.of(table, { actor: operator }).deleteClient({ id, wait: true }),
}
