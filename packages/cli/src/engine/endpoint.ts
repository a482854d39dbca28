import { resolve } from 'node:path'
import { FreeholdError } from '@freehold/table'
import type { Environment } from '../environment.ts'

/** Which DynamoDB a command talks to. */
export type Endpoint =
  | { readonly kind: 'endpoint'; readonly endpoint: string }
  | { readonly kind: 'aws'; readonly region: string }
  | { readonly kind: 'embedded'; readonly directory: string; readonly memory: boolean; readonly port?: number }

/** The command's own options: `--data PATH`, `--memory`, `--port N` of the engine. */
export interface EndpointOptions {
  readonly data?: string
  readonly memory?: boolean
  readonly port?: number
}

/**
 * Resolves, in this order: `DYNAMODB_ENDPOINT`; a region and credentials of AWS in the environment; the embedded engine.
 * Options that ask for the embedded engine by name go before AWS, which is often in a shell for other reasons, and contradict
 * `DYNAMODB_ENDPOINT`, which never is.
 *
 * @param cwd what a relative data folder is relative to, and where `.freehold/` is made by default.
 * @throws InvalidInput for an endpoint that is no http URL, and for options that contradict it or each other.
 */
export function resolveEndpoint(env: Environment, options: EndpointOptions = {}, cwd: string = process.cwd()): Endpoint {
  const embeds = options.data !== undefined || options.memory === true
  if (options.data !== undefined && options.memory === true) {
    throw new FreeholdError('InvalidInput', '--memory keeps no data and --data names a folder for it: give one of the two.')
  }
  if (env.DYNAMODB_ENDPOINT !== undefined) {
    const endpoint = checkedUrl(env.DYNAMODB_ENDPOINT)
    if (!embeds) return { kind: 'endpoint', endpoint }
    const given = options.memory === true ? '--memory' : '--data'
    throw new FreeholdError(
      'InvalidInput',
      `${given} asks for the embedded engine, but DYNAMODB_ENDPOINT names ${endpoint}: leave one of them out.`,
    )
  }
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION
  if (!embeds && region !== undefined && hasCredentials(env)) return { kind: 'aws', region }
  return { kind: 'embedded', ...embeddedEngine(env, options, cwd) }
}

/** Where the embedded engine keeps its data, whatever the environment says of other endpoints: what `freehold local` runs. */
export function embeddedEngine(
  env: Pick<Environment, 'FREEHOLD_DATA'>,
  options: EndpointOptions = {},
  cwd: string = process.cwd(),
): { directory: string; memory: boolean; port?: number } {
  return {
    directory: resolve(cwd, options.data ?? env.FREEHOLD_DATA ?? '.freehold'),
    memory: options.memory === true,
    ...(options.port !== undefined && { port: options.port }),
  }
}

function checkedUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return value
  throw new FreeholdError(
    'InvalidInput',
    `DYNAMODB_ENDPOINT is ${JSON.stringify(value)}, which is not an http or https URL such as http://127.0.0.1:8000.`,
  )
}

/** The sources that the AWS SDK takes credentials from without a file being named: keys, a profile, a web identity, a container. */
function hasCredentials(env: Environment): boolean {
  return [
    env.AWS_ACCESS_KEY_ID,
    env.AWS_PROFILE,
    env.AWS_WEB_IDENTITY_TOKEN_FILE,
    env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI,
    env.AWS_CONTAINER_CREDENTIALS_FULL_URI,
  ].some((value) => value !== undefined)
}
