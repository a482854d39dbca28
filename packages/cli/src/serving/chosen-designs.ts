import type { DesignModule } from '@freehold/frame'
import { serviceDesign } from '@freehold/service'
import { invalid } from '../input/invalid.ts'
import { moduleNamed } from '../naming/named.ts'
import { type Obeying, offered } from '../naming/offered.ts'

export interface Choosing {
  /** Names of designs. By default all. */
  readonly design?: readonly string[] | undefined
  /** The table of the one chosen design, if it is not the design's own. */
  readonly table?: string | undefined
}

/**
 * The designs to serve, each once. No two of them share a table, nor does the table of API keys.
 * @throws UnknownName for an unknown design, InvalidInput if several designs would share a table
 */
export function chosenDesigns(shell: Obeying, { design, table }: Choosing): readonly DesignModule[] {
  if (design?.length === 0) throw invalid('The setting `designs` names no design: leave it out to serve all.')
  const chosen = design === undefined ? [...offered(shell).values()] : [...new Set(design)].map((name) => moduleNamed(shell, name))
  if (table === undefined) return chosen
  if (chosen.length !== 1)
    throw invalid(`--table names one table, but ${chosen.length} designs need one each: name its design with --design.`)
  if (table === serviceDesign.table) throw invalid(`The table ${table} has the API keys: name another with --table.`)
  return chosen
}
