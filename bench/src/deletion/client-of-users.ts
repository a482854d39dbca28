import { operator } from '@freehold/designs'
import * as accountManagementEntities from '@freehold/designs/account-management'
import { type AccountTable, offeredAccountFlows } from '@freehold/designs/account-management'
import { scanItems } from '@freehold/table/runtime'

const chunk = 1000

/** Creates a client with so many users, each with its e-mail guard and its mirrors; gives its id. */
export async function clientOfUsers(table: AccountTable, name: string, users: number): Promise<string> {
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

/** Items of the table that tell of a client, its audit left out. It reads the whole table. */
export async function itemsOf({ runtime }: AccountTable, client: string): Promise<number> {
  let count = 0
  for await (const page of scanItems(runtime))
    for (const item of page)
      if (item.Type !== accountManagementEntities.AuditLog.name && Object.values(item).some((value) => String(value).includes(client)))
        count++
  return count
}
