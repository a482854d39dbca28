import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type ClientOptions, completed, foreign, isAwsHost } from './client-options.ts'
import { HttpHandler, type HttpRequest } from './http-handler.ts'
import type { Credentials } from './signer.ts'

export type Endpoint = Pick<HttpRequest, 'protocol' | 'hostname' | 'port' | 'path'>

/** An endpoint, and the region that its requests are signed for. */
export interface Place extends Endpoint {
  readonly signingRegion: string
}

/** How requests reach DynamoDB. */
export interface Connection {
  readonly handler: Pick<HttpHandler, 'handle'>
  /** How far DynamoDB's clock is ahead of this machine's, as far as that is known, in milliseconds. */
  readonly ahead_ms: number
  /** Those that never change, which nothing has to wait for. */
  readonly fixedCredentials?: Credentials | undefined
  /** Those of this moment. They are remembered, and new ones are fetched before they expire. */
  credentials(): Promise<Credentials>
  place(): Promise<Place>
  /** False where a deployer has turned that off. */
  correctsClock(): Promise<boolean>
  close(): void
}

/** By a client of the AWS SDK, which finds credentials, region and endpoint. */
export function connectionOf(client: DynamoDBClient): Connection {
  const { config } = client
  let found: Promise<Place> | undefined
  const place = () => {
    found ??= placeOf(config).catch((error: unknown) => {
      // Region and profile may be provided later.
      found = undefined
      throw error
    })
    return found
  }
  let fallback: Credentials | undefined
  /** At an endpoint that AWS's settings name, credentials may be missing: that of another program wants none. */
  const withoutCredentials = async (error: unknown) => {
    if (isAwsHost((await place()).hostname)) throw error
    fallback = foreign.credentials
    return fallback
  }
  return {
    // The SDK's type of a handler takes the SDK's class of a request. A handler reads the members that ours has.
    handler: config.requestHandler as Connection['handler'],
    ahead_ms: config.systemClockOffset,
    credentials: async () => fallback ?? config.credentials().catch(withoutCredentials),
    place,
    correctsClock: async () => !(await config.disableClockSkewCorrection()),
    close: () => client.destroy(),
  }
}

/**
 * By what the options tell. If they lack something that the AWS SDK would find, the SDK is loaded with the first request: it takes 60 ms of a start, and
 * neither a local engine nor a function with its credentials in the environment needs it.
 */
export function connectionBy(options: ClientOptions): Connection {
  const { endpoint, region, credentials } = completed(options)
  const handler = new HttpHandler(options.maxSockets ?? 50)
  let found: Promise<Connection> | undefined
  const finding = () => {
    found ??= import('./client.ts').then(({ createClient }) => connectionOf(createClient(options, handler)))
    return found
  }
  const place = endpoint === undefined || region === undefined ? undefined : { ...endpointOf(endpoint), signingRegion: region }
  const fixedCredentials = typeof credentials === 'function' ? undefined : credentials
  return {
    handler,
    ahead_ms: 0,
    fixedCredentials,
    credentials: async () => fixedCredentials ?? (await finding()).credentials(),
    place: async () => place ?? (await finding()).place(),
    correctsClock: async () => (await finding()).correctsClock(),
    close: () => handler.destroy(),
  }
}

function endpointOf(endpoint: string): Endpoint {
  const { protocol, hostname, port, pathname: path } = new URL(endpoint)
  return { protocol, hostname, path, ...(port === '' ? {} : { port: Number(port) }) }
}

type Config = DynamoDBClient['config']

async function placeOf(config: Config): Promise<Place> {
  // The variables and the profile, in the order of AWS's page on service-specific endpoints. The SDK asks so before each command.
  const configured = config.endpoint === undefined ? await config.serviceConfiguredEndpoint?.() : undefined
  if (configured !== undefined) {
    const endpoint = endpointOf(configured)
    const signingRegion = await config.region().catch((error: unknown) => {
      if (isAwsHost(endpoint.hostname)) throw error
      return foreign.region
    })
    return { signingRegion, ...endpoint }
  }
  const region = await config.region()
  const found = config.endpoint === undefined ? await regional(config, region) : await given(config.endpoint)
  return { signingRegion: region, ...found }
}

async function given(endpoint: NonNullable<Config['endpoint']>): Promise<Endpoint> {
  const { protocol, hostname, port, path } = await endpoint()
  return { protocol, hostname, path, ...(port === undefined ? {} : { port }) }
}

/** DynamoDB in a region, by the SDK's own rules of partitions, FIPS and dual stack. */
async function regional(config: Config, region: string): Promise<Endpoint & { readonly signingRegion?: string }> {
  const [UseFIPS, UseDualStack] = await Promise.all([config.useFipsEndpoint(), config.useDualstackEndpoint()])
  const { url, properties } = config.endpointProvider({ Region: region, UseFIPS, UseDualStack, AccountIdEndpointMode: 'disabled' }, {})
  // The SDK's rules give the region `local` another region to sign with.
  const [scheme] = (properties?.authSchemes ?? []) as readonly { readonly signingRegion?: string }[]
  const signing = scheme?.signingRegion === undefined ? {} : { signingRegion: scheme.signingRegion }
  return { ...endpointOf(url.href), ...signing }
}
