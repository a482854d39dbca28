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
  'FREEHOLD_SECRET',
  'FREEHOLD_API_KEY',
  'FREEHOLD_DATA',
  'FREEHOLD_WITHOUT',
  'FREEHOLD_JOB_WRITE_UNITS',
  'FREEHOLD_POLICY_STORE',
  'FREEHOLD_PUBLIC_URL',
  'FREEHOLD_ISSUERS',
  'FREEHOLD_AUTHZEN_TENANT',
  'FREEHOLD_LOG_LEVEL',
  'FREEHOLD_MAIL',
  'FREEHOLD_MAIL_FROM',
  'FREEHOLD_CREDENTIAL_LINK',
  'FREEHOLD_TOKEN_SECRET',
  'npm_command',
] as const

/** The environment variables of the command, and those that name folders of modules. An empty one counts as absent. */
export type Environment = { readonly [name in (typeof names)[number]]?: string } & FolderVariables
type FolderVariable = `FREEHOLD_${Uppercase<string>}`
type FolderVariables = { readonly [name: FolderVariable]: string | undefined }

/** The variable that names a folder of a module: `FREEHOLD_POLICIES`. The compiler does not know what `toUpperCase` gives. */
export const folderVariable = (folder: string): FolderVariable => `FREEHOLD_${folder.toUpperCase() as Uppercase<string>}`

/**
 * Reads the environment of this process. No other code of this package does.
 * @param folders the names of folders of modules
 */
export function readEnvironment(folders: readonly string[] = []): Environment {
  const read: { [name: string]: string } = {}
  for (const name of [...names, ...folders.map(folderVariable)]) {
    const value = process.env[name]
    if (value) read[name] = value
  }
  return read
}
