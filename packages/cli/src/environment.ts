import type { Variable } from './config/setting.ts'

const names = [
  'DYNAMODB_ENDPOINT',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_PROFILE',
  'AWS_ENDPOINT_URL_DYNAMODB',
  'AWS_ENDPOINT_URL',
  'AWS_CONFIG_FILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'npm_command',
] as const

/** The environment variables of the command: those of other programs, and all of ours. An empty one counts as absent. */
export type Environment = { readonly [name in (typeof names)[number]]?: string } & { readonly [name: Variable]: string | undefined }

const ofService = /^FREEHOLD_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP|SCTP))(?:_|$)/

/** True for a variable that Kubernetes gives to each container beside a Service named `freehold`: its `FREEHOLD_PORT` is an address. */
const isOfService = (name: string, value: string) => ofService.test(name) || (name === 'FREEHOLD_PORT' && /^[a-z]+:\/\//.test(value))

/** Reads the environment of this process. No other code of this package does. Every variable of ours is read, so that a misspelled one can be told. */
export function readEnvironment(): Environment {
  const read: { [name: string]: string } = {}
  for (const name of [...names, ...Object.keys(process.env).filter((each) => each.startsWith('FREEHOLD_'))]) {
    const value = process.env[name]
    if (value && !isOfService(name, value)) read[name] = value
  }
  return read
}
