import { type AccountTable, accountManagement } from '@freehold/designs/account-management'
import { FreeholdError } from '@freehold/table'
import type { Opened } from './open-table.ts'

/** An opened table of account-management with its own types. Features that were left out must not be used. Throws `InvalidInput`. */
export function accountTable({ table }: Opened): AccountTable {
  // Compared by name, since the design without some features is another object.
  if (table.design.name === accountManagement.name) return table as unknown as AccountTable
  throw new FreeholdError('InvalidInput', `${table.design.name} is not account-management.`, { design: table.design.name })
}
