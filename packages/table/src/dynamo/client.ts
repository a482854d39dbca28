import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { silenceNodeVersionWarning } from '../environment.ts'
import { HttpHandler } from './http-handler.ts'

export interface ClientOptions {
  /** For example `http://127.0.0.1:8000`. By default DynamoDB in the region. */
  readonly endpoint?: string
  /** By default the region that the AWS SDK finds. For an endpoint that is not AWS's: `us-east-1`. */
  readonly region?: string
  /** By default the credentials that the AWS SDK finds. For an endpoint that is not AWS's: fixed ones without a meaning. */
  readonly credentials?: NonNullable<DynamoDBClientConfig['credentials']>
  /** The number of connections, 50 by default. Each has one request at a time. */
  readonly maxSockets?: number
}

/**
 * The AWS SDK's client, which provides the endpoint, the credentials and the signatures. Its commands and their middleware are not used
 * (`SignedSender`), so they need no tuning. Connections are undici's and are kept alive (`HttpHandler`).
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

/** AWS's endpoints, including those of a VPC, need real credentials. The embedded engine and its like accept any. */
export function isAwsEndpoint(endpoint: string): boolean {
  return /\.(amazonaws\.com|amazonaws\.com\.cn|api\.aws)$/.test(new URL(endpoint).hostname)
}
