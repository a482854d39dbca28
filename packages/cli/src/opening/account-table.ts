import { type AccountTable, accountManagement } from '@freehold/designs/account-management'
import { FreeholdError } from '@freehold/table'
import type { Opened } from './open-table.ts'

/** An opened table of account-management with its own types; of features that were left out nothing may be asked. Throws `InvalidInput`. */
export function accountTable({ table }: Opened): AccountTable {
  // The name says so: without some features the design is another value.
  if (table.design.name === accountManagement.name) return table as unknown as AccountTable
  throw new FreeholdError('InvalidInput', `${table.design.name} is not account-management.`, { design: table.design.name })
}
