import { designModules } from '@freehold/designs'
import type { DesignModule } from '@freehold/frame'
import { type ApiKeys, createService, openKeys, serveOnNode } from '@freehold/service'
import { type AnyDesign, type ConnectedTable, connect } from '@freehold/table'
import { ensureTable, senderOf } from '@freehold/table/runtime'
import { masked } from '../../../test/docs/masked.ts'
import { endpoint } from '../../../test/engine/endpoint.ts'
import { freehold, freshTable, type Ran, type Surroundings } from './recorded-shell.ts'

/** The parts of a shell that a test of HTTP sets. Of its environment these two, which may be absent. */
export interface HttpSurroundings extends Omit<Surroundings, 'env'> {
  readonly env?: { readonly [name in 'FREEHOLD_URL' | 'FREEHOLD_API_KEY']?: string | undefined }
}

/** Runs a command on a table and, on another table with the same items, over HTTP. */
export interface BothWays {
  /** What both have printed, without ids and instants. */
  run(argv: readonly string[], surroundings?: HttpSurroundings): Promise<{ readonly onTable: Ran; readonly overHttp: Ran }>
  /** Runs it over HTTP alone. */
  overHttp(argv: readonly string[], surroundings?: HttpSurroundings): Promise<Ran>
  readonly address: string
  readonly key: string
  readonly keys: ApiKeys
  close(): Promise<void>
}

/** An audit tells who has called, and whence: the command, or an API key and a connection. */
const withoutOrigin = (text: string) =>
  text.replace(/"ip_address":"[^"]*","user_agent":"[^"]*",/g, '').replace(/"operator":"(freehold [a-z]+|ULID)"/g, '"operator":"WHO"')

const secret = 'a secret of both ways'

async function filled(module: DesignModule, table: string, fill: (table: ConnectedTable) => Promise<unknown>): Promise<ConnectedTable> {
  const sender = senderOf({ endpoint })
  const jobHandlers = module.flows?.jobHandlers ?? {}
  // Any design is one.
  const connected: ConnectedTable = connect(module.design as AnyDesign, { table, sender, secret: Buffer.from(secret), jobHandlers })
  await ensureTable(connected.runtime)
  await fill(connected)
  return connected
}

/** @param fill writes the items of a table, the same each time but for ids */
export async function bothWays(
  module: DesignModule,
  fill: (table: ConnectedTable) => Promise<unknown>,
  designs = designModules,
): Promise<BothWays> {
  const [local, remote, keysTable] = [freshTable(), freshTable(), freshTable()]
  const [here, there] = [await filled(module, local, fill), await filled(module, remote, fill)]
  const keys = await openKeys({ dynamo: { endpoint }, table: keysTable })
  const { text: key } = await keys.newKey('tests')
  const outbox = { list: async () => [] }
  const service = createService({ tables: new Map([[module.design.name, { module, table: there }]]), keys, log: () => {}, outbox })
  const serving = await serveOnNode(service, { port: 0, grace_ms: 0 })
  const env = { FREEHOLD_URL: serving.address, FREEHOLD_API_KEY: key }
  const plain = ({ exit, out, err }: Ran): Ran => ({ exit, out: withoutOrigin(masked(out)), err: masked(err) })
  /** The cursor that the command before has printed, each way its own. */
  const cursors = { onTable: '', overHttp: '' }
  const ran = async (way: keyof typeof cursors, argv: readonly string[], surroundings: Surroundings): Promise<Ran> => {
    const given = argv.map((word) => (word === 'CURSOR' ? cursors[way] : word))
    const result = await freehold(given, { designs, ...surroundings })
    cursors[way] = /"cursor":"([^"]+)"/.exec(result.out)?.[1] ?? ''
    return plain(result)
  }
  const overHttp = (argv: readonly string[], { env: own = {}, ...more }: HttpSurroundings = {}) => {
    const given = Object.entries({ ...env, ...own }).filter(([, value]) => value !== undefined)
    return ran('overHttp', argv, { ...more, env: Object.fromEntries(given) })
  }
  return {
    run: async (argv, { env: own = {}, ...more } = {}) => ({
      onTable: await ran('onTable', [...argv, '--table', local], {
        ...more,
        env: { DYNAMODB_ENDPOINT: endpoint, FREEHOLD_SECRET: secret },
      }),
      overHttp: await overHttp(argv, { ...more, env: own }),
    }),
    overHttp,
    address: serving.address,
    key,
    keys,
    close: async () => {
      await serving.close()
      for (const table of [here, there]) table.close()
      keys.close()
    },
  }
}
