import type { ClientOptions } from '@freehold/table'
import type { Environment } from '../environment.ts'

/** The regions of the partition `aws`. Others have endpoints of other names. */
const commercial = /^(us|eu|ap|sa|ca|me|af|il|mx)-[a-z]+-\d$/

/** Settings that the AWS SDK obeys, and that would lead elsewhere. */
const elsewhere = [
  'AWS_USE_FIPS_ENDPOINT',
  'AWS_USE_DUALSTACK_ENDPOINT',
  'AWS_ENDPOINT_URL',
  'AWS_ENDPOINT_URL_DYNAMODB',
  'AWS_PROFILE',
  'AWS_CONFIG_FILE',
] as const

/**
 * How a function reaches DynamoDB. Lambda gives its region, and credentials for the life of the process, in the environment; so nothing is left for the AWS
 * SDK to find, and it is not loaded. Anything else is left to the SDK.
 */
export function dynamoOf(env: Environment): ClientOptions {
  const { DYNAMODB_ENDPOINT: endpoint, AWS_REGION: region = '', AWS_SESSION_TOKEN: sessionToken } = env
  if (endpoint !== undefined) return { endpoint }
  const { AWS_LAMBDA_FUNCTION_NAME: name, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (name === undefined || accessKeyId === undefined || secretAccessKey === undefined || sessionToken === undefined) return {}
  if (!commercial.test(region) || elsewhere.some((each) => env[each] !== undefined)) return {}
  return { region, endpoint: `https://dynamodb.${region}.amazonaws.com`, credentials: { accessKeyId, secretAccessKey, sessionToken } }
}
