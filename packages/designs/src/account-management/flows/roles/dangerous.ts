import type { ChangeEntry } from '@freehold/frame/flow'
import { flag } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { overlaps, permissionIn, permissionWords } from '../../permission/patterns.ts'
import type { Permission, PermissionPattern } from '../../permission/permission.ts'
import type { AccountContext } from '../account-host.ts'

/** The input of every flow that may grant a dangerous permission. */
export const confirming = { confirm_dangerous: flag().optional() }

const namedMax = 10

interface Entry extends Permission {
  readonly id: string
}

/** The entries that the catalogue marks as dangerous. */
export async function dangerousEntries({ table }: Pick<AccountContext, 'table'>): Promise<readonly Entry[]> {
  const dangerous: Entry[] = []
  for await (const entry of table.permissions.all({}, { consistent: true })) {
    const permission = permissionIn(entry)
    if (entry.is_dangerous && permission !== undefined) dangerous.push({ id: entry.id, ...permission })
  }
  return dangerous
}

/** Those of the dangerous entries that one of the patterns grants, also by a wildcard: as words. */
export function dangerousAmong(dangerous: readonly PermissionPattern[], granted: readonly PermissionPattern[]): readonly string[] {
  return dangerous.filter((entry) => granted.some((pattern) => overlaps(pattern, entry))).map(permissionWords)
}

/** The record of a grant of dangerous permissions. Throws `InvalidInput` if it was not confirmed. */
export function confirmedOf(
  flow: string,
  dangerous: readonly string[],
  confirmed: boolean | null | undefined,
): Pick<ChangeEntry, 'severity' | 'more'> {
  if (dangerous.length === 0) return {}
  const named = dangerous.slice(0, namedMax)
  if (confirmed === true) return { severity: 'warning', more: { dangerous: named } }
  const message = `must be true to grant what is dangerous: ${named.join(', ')}`
  throw invalidInput(flow, [{ path: ['confirm_dangerous'], message }], { flow, dangerous: named })
}

/**
 * A grant of dangerous permissions, also by a wildcard, needs a confirmation, and is recorded as a `warning`. Throws `InvalidInput` if it is not
 * confirmed.
 */
export async function confirmedGrant(
  context: AccountContext,
  granted: readonly PermissionPattern[],
  confirmed: boolean | null | undefined,
): Promise<Pick<ChangeEntry, 'severity' | 'more'>> {
  if (granted.length === 0) return {}
  return confirmedOf(context.flow, dangerousAmong(await dangerousEntries(context), granted), confirmed)
}
