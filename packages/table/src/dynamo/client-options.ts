import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

export interface ClientOptions {
  /**
   * For example `http://127.0.0.1:8000`. By default the endpoint that AWS's own settings name for DynamoDB (`AWS_ENDPOINT_URL_DYNAMODB`, `AWS_ENDPOINT_URL`,
   * or the profile's `endpoint_url`), and DynamoDB in the region where they name none.
   */
  readonly endpoint?: string
  /** By default the region that the AWS SDK finds. For an endpoint that is not AWS's: `us-east-1`. */
  readonly region?: string
  /** By default the credentials that the AWS SDK finds. For an endpoint that is not AWS's: fixed ones without a meaning. */
  readonly credentials?: NonNullable<DynamoDBClientConfig['credentials']>
  /** The number of connections, 50 by default. Each has one request at a time. */
  readonly maxSockets?: number
}

/** AWS's endpoints, including those of a VPC, need real credentials. The embedded engine and its like accept any. */
export function isAwsEndpoint(endpoint: string): boolean {
  return isAwsHost(new URL(endpoint).hostname)
}

export const isAwsHost = (host: string): boolean => /\.(amazonaws\.com|amazonaws\.com\.cn|api\.aws)$/.test(host)

/** What an endpoint that is not AWS's needs none of, and a signature has all the same. */
export const foreign = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } } as const

/** The options with what they mean at an endpoint that is not AWS's. */
export function completed({ endpoint, ...options }: ClientOptions): Pick<ClientOptions, 'endpoint' | 'region' | 'credentials'> {
  const isForeign = endpoint !== undefined && !isAwsEndpoint(endpoint)
  const region = options.region ?? (isForeign ? foreign.region : undefined)
  const credentials = options.credentials ?? (isForeign ? foreign.credentials : undefined)
  return {
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
  }
}
