import { type Variable, variableOf } from './config/setting.ts'
import { settingTable } from './config/settings.ts'

const names = [
  'DYNAMODB_ENDPOINT',
  'DYNOXIDE_BIN',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'FREEHOLD_CONFIG',
  'npm_command',
] as const

/** The environment variables of the command: those of other programs, and one for each setting. An empty one counts as absent. */
export type Environment = { readonly [name in (typeof names)[number]]?: string } & { readonly [name: Variable]: string | undefined }

/**
 * Reads the environment of this process. No other code of this package does.
 * @param folders the names of folders of modules
 */
export function readEnvironment(folders: readonly string[] = []): Environment {
  const read: { [name: string]: string } = {}
  for (const name of [...names, ...[...Object.keys(settingTable), ...folders].map(variableOf)]) {
    const value = process.env[name]
    if (value) read[name] = value
  }
  return read
}
