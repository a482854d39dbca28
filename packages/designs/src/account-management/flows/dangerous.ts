import { flag, type Item, invalidInput } from '@freehold/table'
import { permissionWords } from '../deciding/permission.ts'
import type { Permission } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import type { AuditEntry } from './audited.ts'
import { overlaps, type PermissionPattern } from './permission-pattern.ts'

/** The input of every flow that may grant what is dangerous. */
export const confirming = { confirm_dangerous: flag().optional() }

const namedMax = 10

async function dangerousAmong(
  { table }: AccountContext,
  granted: readonly PermissionPattern[],
): Promise<readonly Item<typeof Permission>[]> {
  if (granted.length === 0) return []
  const dangerous: Item<typeof Permission>[] = []
  for await (const entry of table.permissions.all({}, { consistent: true }))
    if (entry.is_dangerous && granted.some((pattern) => overlaps(pattern, entry))) dangerous.push(entry)
  return dangerous
}

/**
 * What is granted, held against the catalogue, also where a wildcard matches: what is dangerous needs a confirmation, and is audited as a
 * `warning`. Throws `InvalidInput` where it is not confirmed.
 */
export async function confirmedGrant(
  context: AccountContext,
  granted: readonly PermissionPattern[],
  confirmed: boolean | null | undefined,
): Promise<Pick<AuditEntry, 'severity' | 'more'>> {
  const dangerous = (await dangerousAmong(context, granted)).map(permissionWords)
  if (dangerous.length === 0) return {}
  const named = dangerous.slice(0, namedMax)
  if (confirmed !== true) {
    const message = `must be true to grant what is dangerous: ${named.join(', ')}`
    throw invalidInput(context.flow, [{ path: ['confirm_dangerous'], message }], { flow: context.flow, dangerous: named })
  }
  return { severity: 'warning', more: { dangerous: named } }
}
