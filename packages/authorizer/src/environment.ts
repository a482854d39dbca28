/** The variables that a deployed authorizer reads. */
export const authorizerVariables = [
  'LAMBDA_TASK_ROOT',
  'FREEHOLD_AUTHORIZER_MAP',
  'FREEHOLD_POLICIES',
  'FREEHOLD_POLICY_STORE',
  'FREEHOLD_TABLE',
  'FREEHOLD_TOKEN_SECRET',
  'FREEHOLD_HTTP_ANSWERS',
  'DYNAMODB_ENDPOINT',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_USE_FIPS_ENDPOINT',
  'AWS_USE_DUALSTACK_ENDPOINT',
  'AWS_ENDPOINT_URL',
  'AWS_ENDPOINT_URL_DYNAMODB',
  'AWS_PROFILE',
  'AWS_CONFIG_FILE',
] as const

/** The settings of a deployed authorizer. An empty one counts as absent. */
export type Environment = { readonly [name in (typeof authorizerVariables)[number]]?: string }

/** Reads the environment of this process. No other code of this package does. */
export function readEnvironment(): Environment {
  return Object.fromEntries(authorizerVariables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
