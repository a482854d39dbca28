import type { DesignModule } from '@freehold/designs'
import { serviceDesign } from '@freehold/service'
import { FreeholdError } from '@freehold/table'
import { moduleNamed } from '../naming/named.ts'
import { type Obeying, offered } from '../naming/offered.ts'

export interface Choosing {
  /** Names of designs; all unless given. */
  readonly design?: readonly string[]
  /** The table of the one that is chosen, if it is not its own. */
  readonly table?: string
}

function refused(message: string): FreeholdError {
  return new FreeholdError('InvalidInput', message, { issues: [] })
}

/**
 * The designs to be served, each once. No two of them, nor the service's keys, ever share a table.
 * @throws UnknownName for a design that is not there, InvalidInput for a table that more than one would have
 */
export function chosenDesigns(shell: Obeying, { design, table }: Choosing): readonly DesignModule[] {
  const chosen = design === undefined ? [...offered(shell).values()] : [...new Set(design)].map((name) => moduleNamed(shell, name))
  if (table === undefined) return chosen
  if (chosen.length !== 1)
    throw refused(`--table names one table, and ${chosen.length} designs have one each: name the design that it is for with --design.`)
  if (table === serviceDesign.table) throw refused(`The table ${table} keeps the API keys: --table has to name another.`)
  return chosen
}
