import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { silenceNodeVersionWarning } from '../environment.ts'
import { HttpHandler } from './http-handler.ts'

export interface ClientOptions {
  /** `http://127.0.0.1:8000`, say; DynamoDB in the region if absent. */
  readonly endpoint?: string
  /** As the AWS SDK finds it if absent; for an endpoint that is not AWS's own: `us-east-1`. */
  readonly region?: string
  /** As the AWS SDK finds them if absent; for an endpoint that is not AWS's own: fixed ones, which mean nothing. */
  readonly credentials?: NonNullable<DynamoDBClientConfig['credentials']>
  /** Connections, each with one request at a time; 50 if absent. */
  readonly maxSockets?: number
}

/**
 * The AWS SDK's client, for what it knows: where to, credentials, signing. Its commands and their middleware are not used
 * (`SignedSender`), so they need no tuning; connections go through undici, kept alive (`HttpHandler`).
 */
export function createClient(options: ClientOptions = {}): DynamoDBClient {
  silenceNodeVersionWarning()
  const { endpoint, maxSockets = 50 } = options
  const foreign = endpoint !== undefined && !isAwsEndpoint(endpoint)
  const region = options.region ?? (foreign ? 'us-east-1' : undefined)
  const credentials = options.credentials ?? (foreign ? { accessKeyId: 'local', secretAccessKey: 'local' } : undefined)
  return new DynamoDBClient({
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    requestHandler: new HttpHandler({ maxSockets }),
  })
}

/** AWS's own endpoints, a VPC's among them, want real credentials; the embedded engine and its like take any. */
export function isAwsEndpoint(endpoint: string): boolean {
  return /\.(amazonaws\.com|amazonaws\.com\.cn|api\.aws)$/.test(new URL(endpoint).hostname)
}
