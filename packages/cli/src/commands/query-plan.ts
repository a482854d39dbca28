import type { DesignModule } from '@freehold/designs'
import { type CompiledPattern, type ConnectedTable, connect } from '@freehold/table'
import type { Sender } from '@freehold/table/runtime'
import { embeddedEngine } from '../engine/endpoint.ts'
import { readSecret } from '../engine/secret.ts'
import type { JsonObject } from '../input/json-object.ts'
import type { TableOptions } from '../opening/open-table.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

/** What a plan and a query have in common. */
export interface PlanOptions extends TableOptions {
  readonly limit?: number
  readonly cursor?: string
}

/** A request as it would be sent: the operation and DynamoDB's own parameters of it. */
interface Request {
  readonly operation: string
  readonly input: object
}

/** DynamoDB's answer to a read that finds nothing, where that is not `{}`. */
const nothingFound: Readonly<Record<string, object>> = { Query: { Items: [] }, Scan: { Items: [] }, BatchGetItem: { Responses: {} } }

/** Takes the first request down and answers that nothing was found. */
function noting(requests: Request[]): Sender {
  return {
    send: async (operation, input) => {
      requests.push({ operation, input })
      // An answer without items and without a further page ends any read.
      return (nothingFound[operation] ?? {}) as never
    },
    close: () => {},
  }
}

/** Prints the request of a pattern as JSON, made by what would send it. No database is asked. */
export async function printPlan(
  shell: Shell,
  { design }: DesignModule,
  { name }: CompiledPattern,
  parameters: JsonObject,
  options: PlanOptions,
): Promise<Exit> {
  const { json = false, limit, cursor } = options
  const secret =
    cursor === undefined ? {} : { secret: Buffer.from(readSecret(shell.env, embeddedEngine(shell.env, options, shell.cwd).directory)) }
  const requests: Request[] = []
  const sender = noting(requests)
  const named = options.table === undefined ? {} : { table: options.table }
  const table: ConnectedTable = connect(design, { sender, now: shell.now, ...secret, ...named })
  await table.patternNamed(name)(parameters, { limit, cursor })
  const [first] = requests
  const request = { operation: first?.operation, ...first?.input }
  if (json) await printJson(shell, request)
  else await shell.out(`${JSON.stringify(request, null, 2).split('\n').map(safeText).join('\n')}\n`)
  return exit.yes
}
