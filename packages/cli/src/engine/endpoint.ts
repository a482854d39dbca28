import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { configuredEndpoint } from '@freehold/table/runtime'
import type { Environment } from '../environment.ts'
import { invalid } from '../input/invalid.ts'
import type { Shell } from '../shell.ts'

/** The DynamoDB that a command uses. */
export type Endpoint =
  | {
      readonly kind: 'endpoint'
      readonly endpoint: string
      /** Which of AWS's settings names it: a variable, or `the profile NAME`. Absent for `DYNAMODB_ENDPOINT`. */
      readonly from?: string
      /** Of an endpoint from AWS's settings, if the environment names one. */
      readonly region?: string
    }
  | { readonly kind: 'aws'; readonly region: string }
  | ({ readonly kind: 'embedded' } & Embedded)

/** The place of the embedded engine's data. */
export interface Embedded {
  readonly directory: string
  readonly memory: boolean
}

/** The options of a command that select the engine: `--data PATH`, `--memory`. */
export interface EndpointOptions {
  readonly data?: string
  readonly memory?: boolean
}

const endpointVariables = ['AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL'] as const

/** Whether AWS's settings may name an endpoint. The AWS SDK, which says so, takes longer to load than most commands take. */
async function mayName(env: Environment): Promise<boolean> {
  if (endpointVariables.some((name) => env[name] !== undefined)) return true
  const ofHome = (name: string) => join(homedir(), '.aws', name)
  const files = [env.AWS_CONFIG_FILE ?? ofHome('config'), env.AWS_SHARED_CREDENTIALS_FILE ?? ofHome('credentials')]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  return texts.some((text) => text.includes('endpoint_url'))
}

/** The endpoint of AWS's settings, and which of them names it. */
async function endpointOfAws(env: Environment, region: string | undefined): Promise<Endpoint | undefined> {
  if (!(await mayName(env))) return undefined
  const found = await configuredEndpoint()
  if (found === undefined) return undefined
  const from = endpointVariables.find((name) => env[name] !== undefined) ?? `the profile ${env.AWS_PROFILE ?? 'default'}`
  return { kind: 'endpoint', endpoint: checkedUrl(found, from), from, ...(region !== undefined && { region }) }
}

/**
 * Resolves, in this order: `DYNAMODB_ENDPOINT`; an endpoint that AWS's settings name for DynamoDB; a region and credentials of AWS in the environment; the
 * embedded engine. Options that ask for the embedded engine come before AWS, whose settings are often made for other reasons. They contradict
 * `DYNAMODB_ENDPOINT`.
 *
 * @param shell its working folder is the base of a relative data folder
 * @throws InvalidInput for an endpoint that is not an http URL, and for options that contradict it or each other.
 */
export async function resolveEndpoint(shell: Pick<Shell, 'env' | 'settings' | 'cwd'>, options: EndpointOptions = {}): Promise<Endpoint> {
  const { env } = shell
  const embeds = options.data !== undefined || options.memory === true
  if (options.data !== undefined && options.memory === true) {
    throw invalid('--memory keeps no data, but --data names a folder for it: give one of the two.')
  }
  if (env.DYNAMODB_ENDPOINT !== undefined) {
    const endpoint = checkedUrl(env.DYNAMODB_ENDPOINT, 'DYNAMODB_ENDPOINT')
    if (!embeds) return { kind: 'endpoint', endpoint }
    const given = options.memory === true ? '--memory' : '--data'
    throw invalid(`${given} asks for the embedded engine, but DYNAMODB_ENDPOINT names ${endpoint}: leave one of them out.`)
  }
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION
  const named = embeds ? undefined : await endpointOfAws(env, region)
  if (named !== undefined) return named
  if (!embeds && region !== undefined && hasCredentials(env)) return { kind: 'aws', region }
  return { kind: 'embedded', ...embeddedEngine(shell, options) }
}

/** The place of the embedded engine's data, for `freehold local`. It ignores other endpoints of the environment. */
export function embeddedEngine({ settings, cwd }: Pick<Shell, 'settings' | 'cwd'>, options: EndpointOptions = {}): Embedded {
  return { directory: resolve(cwd, options.data ?? settings.data), memory: options.memory === true }
}

function checkedUrl(value: string, from: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return value
  throw invalid(`${from} is ${JSON.stringify(value)}, which is not an http or https URL such as http://127.0.0.1:8000.`)
}

/** Where a command finds DynamoDB, and why, for a person. */
export function endpointWords(endpoint: Endpoint): { readonly value: string; readonly from: string } {
  switch (endpoint.kind) {
    case 'endpoint':
      return { value: endpoint.endpoint, from: endpoint.from ?? 'DYNAMODB_ENDPOINT' }
    case 'aws':
      return { value: `DynamoDB in ${endpoint.region}`, from: 'region and credentials of AWS' }
    default:
      return { value: `the embedded engine on ${endpoint.directory}`, from: 'default' }
  }
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
