import { type Part, part, rowError } from '@freehold/frame/exchange'
import { type ChangeEntry, deciderFor, recordSteps } from '@freehold/frame/flow'
import { isFreeholdError } from '@freehold/table'
import { type AccountContext, type AccountTable, accountHost } from '../flows/account-host.ts'
import { confirmedOf, dangerousAmong } from '../flows/roles/dangerous.ts'
import type { PermissionPattern } from '../permission/permission.ts'

/** How a matrix is imported for one client: by an operator, on the whole table. */
export interface MatrixImport {
  readonly context: AccountContext
  readonly client_id: string
  /** True if dangerous permissions may be granted. */
  readonly confirm_dangerous: boolean
}

/** The name of an import in the audit. */
const flow = 'importMatrix'

export function matrixImport(table: AccountTable, client_id: string, confirm_dangerous: boolean): MatrixImport {
  const context: AccountContext = {
    host: accountHost,
    table,
    unscoped: table,
    caller: { actor: { kind: 'operator', name: 'import' } },
    decider: () => deciderFor(accountHost, table.runtime),
    flow,
  }
  return { context, client_id, confirm_dangerous }
}

/** The audit entry of a grant. Throws the error of a row that grants a dangerous permission without a confirmation. */
export function confirmedRow(
  { confirm_dangerous }: MatrixImport,
  dangerous: readonly PermissionPattern[],
  granted: readonly PermissionPattern[],
): Pick<ChangeEntry, 'severity' | 'more'> {
  const named = dangerousAmong(dangerous, granted)
  try {
    return confirmedOf(flow, named, confirm_dangerous)
  } catch (error) {
    if (!isFreeholdError(error, 'InvalidInput')) throw error
    throw rowError(`grants what is dangerous (${named.join(', ')}), which needs confirm_dangerous`)
  }
}

/** An item that a row makes, with the entry that tells of it in the same transaction. Where several rows need the item, both are made once. */
export function audited({ context }: MatrixImport, made: Part, entry: ChangeEntry): Part[] {
  const { record: audit } = recordSteps(context, entry)
  return audit === undefined ? [made] : [made, part(context.table.design, `AuditLog of ${made.name}`, audit, {})]
}
