import { askedVersion, type Foreseen, type InputOf } from '@freehold/frame/flow'
import { flag, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { Role } from '../../design.ts'
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

/** The role that an input names, and the one above it that is asked for. */
export function readsOfRole({
  client_id,
  system,
  id,
  parent_role_id,
}: InputOf<typeof namedRole> & { readonly parent_role_id?: string | null | undefined }): Foreseen {
  const owner = client_id ?? undefined
  // Without a client the key is that of a system role.
  if ((owner === undefined) !== (system === true)) return []
  return [id, parent_role_id].flatMap((each) => (typeof each === 'string' ? [[Role, { client_id: owner, id: each }] as const] : []))
}

/** A role's client, by the scope of its owner. */
export const ownerOfScope = (scope: AccountScope | 'system'): string | undefined => (scope === 'system' ? undefined : scope.client_id)

/** The scope of a role's owner: its client, or the system. */
export const scopeOfOwner = (client_id: string | undefined): AccountScope | 'system' => (client_id === undefined ? 'system' : { client_id })
