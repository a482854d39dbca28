import { storedName } from '../design/names.ts'
import type { TableKey } from '../plan/keys.ts'
import type { Runtime } from './runtime.ts'

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The command by which a person removes an item that the design cannot read, with the names that the table has. */
export function removalCommand({ design, table }: Pick<Runtime, 'design' | 'table'>, { PK, SK }: TableKey): string {
  const { names } = design.form
  const key = { [storedName(names, 'PK')]: { S: PK }, [storedName(names, 'SK')]: { S: SK } }
  return `aws dynamodb delete-item --table-name ${table} --key ${quoted(JSON.stringify(key))}`
}
