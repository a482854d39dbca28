import { creating, removing, type Steps, updating } from '@freehold/table'
import type { ChangeEntry } from '../../../flow/flow-host.ts'
import { basisMin } from '../../../flow/permission-basis.ts'
import { writeRecorded } from '../../../flow/recorded-write.ts'
import { Role, RolePermissionLink } from '../../design.ts'
import { permissionWords } from '../../permission/permission.ts'
import type { AccountContext } from '../account-host.ts'
import type { LinkChange } from './link-states.ts'
import type { CatalogueEntry, LinkedRole } from './linked-permissions.ts'
import type { RoleItem } from './role-ancestry.ts'

/** A role that is made, with the guard of its name and its two mirrors, seven roles above it, its client, and the audit. */
const besideLinks = 4 + 7 + 1 + 1

/** Links that one transaction of 100 actions holds: each is two items and a check, beside these and what the caller rests on, its client again. */
export const linksAtOnceMax = Math.floor((100 - besideLinks - (basisMin - 1)) / 3)

/** A change in pieces of at most as many links as a transaction holds: first all that is added, then what is taken away. */
export function* inTransactions<P>({ add, remove }: LinkChange<P>): Generator<LinkChange<P>, void, void> {
  const removedBefore = (index: number) => Math.max(0, index - add.length)
  for (let start = 0; start < add.length + remove.length; start += linksAtOnceMax) {
    const end = start + linksAtOnceMax
    yield { add: add.slice(start, end), remove: remove.slice(removedBefore(start), removedBefore(end)) }
  }
}

/** The steps that link permissions to a role. */
export function linking({ user }: AccountContext, { id: role_id, client_id }: LinkedRole, entries: readonly CatalogueEntry[]): Steps {
  const granted_by = user?.id
  return Object.fromEntries(
    entries.map(({ permission_id }) => [
      `link ${permission_id}`,
      creating(RolePermissionLink, { role_id, permission_id, client_id, granted_by }),
    ]),
  )
}

/**
 * Changes a linked role's permissions, at most `linksAtOnceMax`, in one transaction that counts as a write of the role: whoever decides by what a
 * role grants names its version.
 * @param change.remove what the role is linked to
 */
export async function writeLinks(
  context: AccountContext,
  role: RoleItem,
  { add, remove }: LinkChange<CatalogueEntry>,
  entry: Partial<ChangeEntry>,
): Promise<void> {
  const { client_id, id, version } = role
  const unlinked = remove.map(
    ({ permission_id }) => [`unlink ${permission_id}`, removing(RolePermissionLink, { role_id: id, permission_id })] as const,
  )
  const steps: Steps = {
    role: updating(Role, { client_id, id }, {}, { version }),
    ...linking(context, role, add),
    ...Object.fromEntries(unlinked),
  }
  const changes = { granted: add.map(permissionWords), withdrawn: remove.map(permissionWords) }
  await writeRecorded(context, steps, { entity: Role, id, tenant: client_id, ...entry, more: { ...changes, ...entry.more } })
}
