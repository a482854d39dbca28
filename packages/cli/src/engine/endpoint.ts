import { resolve } from 'node:path'
import { FreeholdError } from '@freehold/table'
import type { Environment } from '../environment.ts'
import type { Shell } from '../shell.ts'

/** The DynamoDB that a command uses. */
export type Endpoint =
  | { readonly kind: 'endpoint'; readonly endpoint: string }
  | { readonly kind: 'aws'; readonly region: string }
  | { readonly kind: 'embedded'; readonly directory: string; readonly memory: boolean; readonly port?: number }

/** The options of a command that select the engine: `--data PATH`, `--memory`, `--port N`. */
export interface EndpointOptions {
  readonly data?: string
  readonly memory?: boolean
  readonly port?: number
}

/**
 * Resolves, in this order: `DYNAMODB_ENDPOINT`; a region and credentials of AWS in the environment; the embedded engine. Options that ask
 * for the embedded engine come before AWS, whose variables are often set for other reasons. They contradict `DYNAMODB_ENDPOINT`.
 *
 * @param shell its working folder is the base of a relative data folder
 * @throws InvalidInput for an endpoint that is not an http URL, and for options that contradict it or each other.
 */
export function resolveEndpoint(shell: Pick<Shell, 'env' | 'settings' | 'cwd'>, options: EndpointOptions = {}): Endpoint {
  const { env } = shell
  const embeds = options.data !== undefined || options.memory === true
  if (options.data !== undefined && options.memory === true) {
    throw new FreeholdError('InvalidInput', '--memory keeps no data, but --data names a folder for it: give one of the two.')
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
  return { kind: 'embedded', ...embeddedEngine(shell, options) }
}

/** The place of the embedded engine's data, for `freehold local`. It ignores other endpoints of the environment. */
export function embeddedEngine(
  { settings, cwd }: Pick<Shell, 'settings' | 'cwd'>,
  options: EndpointOptions = {},
): { directory: string; memory: boolean; port?: number } {
  return {
    directory: resolve(cwd, options.data ?? settings.data),
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

/** Whether the environment has credentials for the AWS SDK: keys, a profile, a web identity, a container. */
function hasCredentials(env: Environment): boolean {
  return [
    env.AWS_ACCESS_KEY_ID,
    env.AWS_PROFILE,
    env.AWS_WEB_IDENTITY_TOKEN_FILE,
    env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI,
    env.AWS_CONTAINER_CREDENTIALS_FULL_URI,
  ].some((value) => value !== undefined)
}
