import { findEngine } from '../engine/binary.ts'
import { endOnSignal } from '../engine/end-on-signal.ts'
import { embeddedEngine } from '../engine/endpoint.ts'
import { openEngine } from '../engine/open.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, type Shell } from '../shell.ts'

export interface LocalOptions {
  readonly port?: number
  readonly data?: string
  readonly memory?: boolean
}

function welcome(endpoint: string, where: string): string {
  return `DynamoDB is at ${endpoint}, ${where}. Ctrl-C ends it.

Point any DynamoDB client at it:
  export DYNAMODB_ENDPOINT=${endpoint}
  npx freehold query rebac users

  AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local aws dynamodb list-tables --endpoint-url ${endpoint} --region us-east-1

  import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
  const client = new DynamoDBClient({
    endpoint: '${endpoint}',
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
`
}

/** Runs the embedded engine alone until it is stopped. */
export async function local(shell: Shell, _operands: readonly string[], options: LocalOptions): Promise<Exit> {
  const place = embeddedEngine(shell, options)
  const log = (sentence: string) => shell.err(`${safeText(sentence)}\n`)
  const engine = await openEngine({
    binary: findEngine(shell.env),
    ...place,
    role: 'owner',
    name: 'freehold local',
    log,
  })
  const release = endOnSignal(async () => {
    await engine.stop('now')
    process.exit(exit.yes)
  })
  await shell.out(welcome(engine.endpoint, place.memory ? 'in memory' : `with its data in ${place.directory}`))
  const end = await engine.exited
  release()
  if (end.reason === 'failed') throw end.error
  return exit.yes
}
