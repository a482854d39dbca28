import { FreeholdError } from '@freehold/table'
import { hasCode } from '../engine/atomic-file.ts'
import { type EndpointOptions, embeddedEngine } from '../engine/endpoint.ts'
import { openData } from '../engine/open-data.ts'
import { endOnSignal } from '../serving/end-on-signal.ts'
import { type Exit, exit, type Shell } from '../shell.ts'

export interface LocalOptions extends EndpointOptions {
  readonly port?: number
}

type Listening = Awaited<ReturnType<Awaited<ReturnType<typeof openData>>['listen']>>

function welcome({ endpoint, credentials: { accessKeyId, secretAccessKey } }: Listening, where: string): string {
  return `DynamoDB is at ${endpoint}, ${where}. Ctrl-C ends it.

It answers requests that are signed with this pair. These lines are for any client of AWS, and for freehold:
  export AWS_ENDPOINT_URL_DYNAMODB=${endpoint}
  export AWS_REGION=us-east-1
  export AWS_ACCESS_KEY_ID=${accessKeyId}
  export AWS_SECRET_ACCESS_KEY=${secretAccessKey}

Then, for example:
  aws dynamodb list-tables
  npx freehold query rebac users
`
}

/** Gives other programs the embedded engine over HTTP, until it is stopped. */
export async function local(shell: Shell, _operands: readonly string[], { port = 0, ...options }: LocalOptions): Promise<Exit> {
  const place = embeddedEngine(shell, options)
  const engine = await openData(place)
  const listening = await engine.listen({ port }).catch((error: unknown) => {
    if (!hasCode(error, 'EADDRINUSE')) throw error
    throw new FreeholdError('Unavailable', `Port ${port} of 127.0.0.1 is in use: name another with --port.`, {})
  })
  endOnSignal(async () => {
    await listening.close()
    await engine.close()
    process.exit(exit.yes)
  })
  await shell.out(welcome(listening, place.memory ? 'in memory' : `with its data in ${place.directory}`))
  return new Promise<never>(() => {})
}
