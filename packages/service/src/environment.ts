/** The variables that a deployed service reads with any modules. */
export const namedVariables = [
  'LAMBDA_TASK_ROOT',
  'FREEHOLD_DESIGNS',
  'FREEHOLD_WITHOUT',
  'FREEHOLD_SECRET',
  'FREEHOLD_SECRET_ARN',
  'FREEHOLD_ISSUERS',
  'FREEHOLD_PUBLIC_URL',
  'FREEHOLD_AUTHZEN_TENANT',
  'FREEHOLD_MAIL',
  'FREEHOLD_MAIL_FROM',
  'FREEHOLD_CREDENTIAL_LINK',
  'DYNAMODB_ENDPOINT',
] as const

type TableVariable = `FREEHOLD_TABLE_${string}`
type FolderVariable = `FREEHOLD_${string}`

/** The settings of a deployed service. An empty one counts as absent. */
export type Environment = { readonly [name in (typeof namedVariables)[number]]?: string } & {
  readonly [name: FolderVariable]: string | undefined
}

/** The variable that names the table of a design, or of the API keys: `FREEHOLD_TABLE_ACCOUNT_MANAGEMENT`, `FREEHOLD_TABLE_SERVICE`. */
export const tableVariable = (design: string): TableVariable => `FREEHOLD_TABLE_${design.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`

/** The variable that names the folder of a module: `FREEHOLD_POLICIES`. */
export const folderVariable = (folder: string): FolderVariable => `FREEHOLD_${folder.toUpperCase()}`

/**
 * Reads the environment of this process. No other code of this package does.
 * @param more the names of further variables: of tables, and of folders of modules
 */
export function readEnvironment(more: readonly string[] = []): Environment {
  return Object.fromEntries([...namedVariables, ...more].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
