import { type RebacTable, rebac } from '@freehold/designs/rebac'
import { type ConnectedTable, FreeholdError } from '@freehold/table'
import type { Opened } from './open-table.ts'

function isOfRebac(table: ConnectedTable): table is RebacTable {
  // Compared by name, since the design without some features is another object.
  return table.design.name === rebac.name
}

/** An opened table of rebac with its own types. Throws `InvalidInput` for a table of another design. */
export function rebacTable({ table }: Opened): RebacTable {
  if (isOfRebac(table)) return table
  throw new FreeholdError('InvalidInput', `${table.design.name} is not rebac.`, { design: table.design.name })
}
