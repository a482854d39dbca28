import type { DesignModule } from '@freehold/frame'
import { type CompiledPattern, type ConnectedTable, connect } from '@freehold/table'
import type { Sender } from '@freehold/table/runtime'
import { embeddedEngine } from '../engine/endpoint.ts'
import { cursorSecret } from '../engine/secret.ts'
import type { JsonObject } from '../input/json-object.ts'
import type { TableOptions } from '../opening/open-table.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

/** The common options of a plan and a query. */
export interface PlanOptions extends TableOptions {
  readonly limit?: number
  readonly cursor?: string
}

/** A request to DynamoDB: the operation and its parameters. */
interface Request {
  readonly operation: string
  readonly input: object
}

/** DynamoDB's answer to a read without results, if that is not `{}`. */
const nothingFound: Readonly<Record<string, object>> = { Query: { Items: [] }, Scan: { Items: [] }, BatchGetItem: { Responses: {} } }

/** A sender that records requests and answers that nothing was found. */
function noting(requests: Request[]): Sender {
  return {
    send: async (operation, input) => {
      requests.push({ operation, input })
      // An answer without items and without another page ends any read.
      return (nothingFound[operation] ?? {}) as never
    },
    close: () => {},
  }
}

/** Prints the request of a pattern as JSON. It is made by the code that would send it, but nothing is sent. */
export async function printPlan(
  shell: Shell,
  { design }: DesignModule,
  { name }: CompiledPattern,
  parameters: JsonObject,
  options: PlanOptions,
): Promise<Exit> {
  const { json = false, limit, cursor } = options
  const { directory } = embeddedEngine(shell, options)
  const secret = cursor === undefined ? {} : { secret: Buffer.from(cursorSecret(shell.settings, directory).secret) }
  const requests: Request[] = []
  const sender = noting(requests)
  const named = options.table === undefined ? {} : { table: options.table }
  const table: ConnectedTable = connect(design, { sender, now: shell.now, ...secret, ...named })
  await table.patternNamed(name)(parameters, { limit, cursor })
  // Before a list a look tells whether the table is adopted.
  const own = requests.at(-1)
  const request = { operation: own?.operation, ...own?.input }
  if (json) await printJson(shell, request)
  else await shell.out(`${JSON.stringify(request, null, 2).split('\n').map(safeText).join('\n')}\n`)
  return exit.yes
}
