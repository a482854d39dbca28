import { openEngine } from '@freehold/engine'
import { type ConnectOptions, connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { readers } from './example.ts'

/** Where the tables are: in a folder of this machine, or at AWS. */
export async function placeOf(folder: string | undefined): Promise<ConnectOptions> {
  if (folder === undefined) return { dynamo: { region: 'eu-central-1' } }
  return { engine: await openEngine({ path: folder }) }
}

/** The program of the guide. */
export async function startProgram(folder: string | undefined) {
  const table = connect(readers, await placeOf(folder))
  // At AWS a deployment makes tables.
  if (folder !== undefined) await ensureTable(table.runtime)
  return table
}
