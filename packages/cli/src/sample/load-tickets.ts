import type { authorization } from '@freehold/designs/authorization'
import * as entities from '@freehold/designs/authorization'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { type DesignModule, folderOf } from '@freehold/frame'
import { creating, type Page, type Step, type Table } from '@freehold/table'
import { scanItems } from '@freehold/table/runtime'
import { loadSample } from './load-sample.ts'
import { tickets } from './tickets.ts'

const { Role, Tenant, TenantGrant, User } = entities

function steps(): readonly Step[] {
  const { tenant, roles, users } = tickets
  return [
    creating(Tenant, tenant),
    ...Object.values(roles).map((role) => creating(Role, role)),
    ...users.flatMap(({ role, ...user }) => [
      creating(User, user),
      creating(TenantGrant, { tenantId: tenant.tenantId, userId: user.userId, roles: [roles[role].roleId] }),
    ]),
  ]
}

/** The first items of the table. No access pattern lists all tenants or users. */
async function firstItems(table: Table<typeof authorization>): Promise<Page<unknown>> {
  for await (const items of scanItems(table.runtime, [Tenant, User, Role])) if (items.length > 0) return { items }
  return { items: [] }
}

/** Loads the sample tenant into an empty table. @returns true if it was loaded */
export function loadTickets(table: Table<typeof authorization>): Promise<boolean> {
  return loadSample(table, [firstItems(table)], steps)
}

/** True if the sample tenant is there. */
export async function hasTickets(table: Table<typeof authorization>): Promise<boolean> {
  return (await table.Tenant.get({ tenantId: tickets.tenant.tenantId }))?.name === tickets.tenant.name
}

/** The module deciding by the policies that `freehold policies` begins a folder with. */
export async function withStarterPolicies(module: DesignModule): Promise<DesignModule> {
  const opened = await folderOf(module)?.open(new Map(Object.entries(starterFiles)))
  const { decider, authzen } = opened?.module ?? {}
  // Deciding is all that the sample needs of them: flows keep denying users until a folder is named.
  return { ...module, ...(decider && { decider }), ...(authzen && { authzen }) }
}
