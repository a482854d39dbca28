import type { InputOf } from '@freehold/frame/flow'
import { askedVersion } from '@freehold/frame/flow'
import { flag, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { AccountContext, AccountScope } from '../account-host.ts'
import { askedClient, clientNamed, clientScope } from '../scope.ts'

/** A system role is named as such: omitting client_id means the caller's own client, never the system. */
export const ownedRole = {
  client_id: askedClient.describe('The client of the role, not with `system`. Unless given: the caller’s own client.'),
  system: flag().optional().describe('The role is of the system, and of no client.'),
}
export const namedRole = { id: uuid(), ...ownedRole, version: askedVersion }

/** Whose role it is. Throws `InvalidInput` for one that would be a client's and the system's. */
export async function scopeOfRole(
  context: AccountContext,
  { client_id, system }: InputOf<typeof ownedRole>,
): Promise<AccountScope | 'system'> {
  // An operator that names neither may mean a role of the system.
  const hint = '; a role of the system is asked for with system: true'
  if (system !== true) return clientScope(context, clientNamed(context, client_id, hint))
  if (client_id === undefined || client_id === null) return 'system'
  throw invalidInput(context.flow, [{ path: ['client_id'], message: 'is of no system role' }], { flow: context.flow })
}

/** A role's client, by the scope of its owner. */
export const ownerOfScope = (scope: AccountScope | 'system'): string | undefined => (scope === 'system' ? undefined : scope.client_id)

/** The scope of a role's owner: its client, or the system. */
export const scopeOfOwner = (client_id: string | undefined): AccountScope | 'system' => (client_id === undefined ? 'system' : { client_id })
