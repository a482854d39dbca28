import type { ClientOptions, ConnectOptions } from '@freehold/table'
import { isAwsEndpoint, type Sender, senderOf, tracedSender } from '@freehold/table/runtime'
import type { Endpoint } from '../engine/endpoint.ts'
import type { Shell } from '../shell.ts'

/** An open way to DynamoDB. */
export interface Reached {
  readonly sender: Sender
  /** Waits for writes under way. */
  close(): Promise<void>
}

/** True for DynamoDB at AWS, where only a deployment creates tables. */
export function isAtAws(endpoint: Endpoint): boolean {
  if (endpoint.kind === 'endpoint') return isAwsEndpoint(endpoint.endpoint)
  return endpoint.kind === 'aws'
}

/** Opens the embedded engine in this process, or connections to DynamoDB elsewhere. Throws as `openData` does. */
export async function connectDynamo(endpoint: Endpoint): Promise<Reached> {
  if (endpoint.kind === 'embedded') {
    // Loaded here, since LMDB comes with it.
    const { openData } = await import('../engine/open-data.ts')
    const { sender, close } = await openData(endpoint)
    return { sender: tracedSender(sender), close }
  }
  const sender = senderOf(clientOptions(endpoint))
  return { sender, close: async () => sender.close() }
}

/** How DynamoDB elsewhere is reached. The AWS SDK finds what its settings name, with the region and credentials that go with it. */
function clientOptions(endpoint: Exclude<Endpoint, { readonly kind: 'embedded' }>): ClientOptions {
  if (endpoint.kind === 'endpoint' && endpoint.from === undefined) return { endpoint: endpoint.endpoint }
  return endpoint.region === undefined ? {} : { region: endpoint.region }
}

/** The bounds of each connection to a table: of the durable jobs of any process that it may finish. */
export function connectBounds({ settings: { jobWriteUnits } }: Pick<Shell, 'settings'>) {
  return { ...(jobWriteUnits === undefined ? {} : { jobWriteUnits_per_s: jobWriteUnits }) } satisfies ConnectOptions
}
