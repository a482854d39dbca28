import { flag, type Item } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { ChangeEntry } from '../../../flow/flow-host.ts'
import type { Permission } from '../../design.ts'
import { permissionWords } from '../../permission/permission.ts'
import type { AccountContext } from '../account-host.ts'
import { overlaps, type PermissionPattern } from './permission-pattern.ts'

/** The input of every flow that may grant what is dangerous. */
export const confirming = { confirm_dangerous: flag().optional() }

const namedMax = 10

type Entry = Item<typeof Permission>

/** What the catalogue marks as dangerous. */
export async function dangerousEntries({ table }: Pick<AccountContext, 'table'>): Promise<readonly Entry[]> {
  const dangerous: Entry[] = []
  for await (const entry of table.permissions.all({}, { consistent: true })) if (entry.is_dangerous) dangerous.push(entry)
  return dangerous
}

/** Of these, what is granted by one of the patterns, also where a wildcard matches: as words. */
export function dangerousAmong(dangerous: readonly PermissionPattern[], granted: readonly PermissionPattern[]): readonly string[] {
  return dangerous.filter((entry) => granted.some((pattern) => overlaps(pattern, entry))).map(permissionWords)
}

/** What the audit tells of a grant of these. Throws `InvalidInput` where there are some and they were not confirmed. */
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
 * What is granted, held against the catalogue, also where a wildcard matches: what is dangerous needs a confirmation, and is audited as a
 * `warning`. Throws `InvalidInput` where it is not confirmed.
 */
export async function confirmedGrant(
  context: AccountContext,
  granted: readonly PermissionPattern[],
  confirmed: boolean | null | undefined,
): Promise<Pick<ChangeEntry, 'severity' | 'more'>> {
  if (granted.length === 0) return {}
  return confirmedOf(context.flow, dangerousAmong(await dangerousEntries(context), granted), confirmed)
}
