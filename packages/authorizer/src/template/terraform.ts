import type { TerraformBlock, TerraformConfiguration } from '@freehold/table/publish'
import { functionSettings } from './function-settings.ts'

const { description, handler, runtime, architecture, memory_mb, timeout_s, retention_days, actions, logActions, ttl_s } = functionSettings
const { storeActions, packing, store } = functionSettings

const variable = (words: string, value?: string): TerraformBlock => ({
  description: words,
  ...(value === undefined ? {} : { default: value }),
})
const ifGiven = (name: string) => `\${length(var.${name}) > 0 ? 1 : 0}`
const statement = (Action: readonly string[], Resource: string) => ({ Effect: 'Allow', Action, Resource })
const policy = (...Statement: readonly object[]) => JSON.stringify({ Version: '2012-10-17', Statement })

const execution =
  'arn:${data.aws_partition.current.partition}:execute-api:${data.aws_region.current.id}:${data.aws_caller_identity.current.account_id}'
const permission = (given: string, principal: string, source_arn: string): TerraformBlock => ({
  count: ifGiven(given),
  action: 'lambda:InvokeFunction',
  function_name: '${aws_lambda_function.authorizer.function_name}',
  principal,
  source_arn,
})

/**
 * The function, its role, its log, and the authorizers of the APIs that are named, as Terraform has them: as in `authorizerCloudFormation`.
 * @param table the name of the table of the authorization design, unless the deployment gives another one
 */
export const authorizerTerraform = (table: string = functionSettings.table): TerraformConfiguration => ({
  '//': description,
  variable: {
    table_name: variable('Table of the authorization design', table),
    package: variable(`Zip file with the package of the function; ${packing}`),
    policy_store_id: variable(store, ''),
    rest_api_id: variable('Id of a REST API of API Gateway, if it has one', ''),
    http_api_id: variable('Id of an HTTP API of API Gateway, if it has one', ''),
    graphql_api_arn: variable('ARN of an API of AppSync, if it has one; set its authorizer_result_ttl_in_seconds to 0', ''),
  },
  data: {
    aws_partition: { current: {} },
    aws_region: { current: {} },
    aws_caller_identity: { current: {} },
    aws_dynamodb_table: { authorization: { name: '${var.table_name}' } },
  },
  resource: {
    aws_lambda_function: {
      authorizer: {
        function_name: 'freehold-authorizer',
        description,
        filename: '${var.package}',
        source_code_hash: '${filebase64sha256(var.package)}',
        handler,
        runtime,
        architectures: [architecture],
        memory_size: memory_mb,
        timeout: timeout_s,
        role: '${aws_iam_role.authorizer.arn}',
        environment: [{ variables: { FREEHOLD_TABLE: '${var.table_name}', FREEHOLD_POLICY_STORE: '${var.policy_store_id}' } }],
        logging_config: [{ log_format: 'Text', log_group: '${aws_cloudwatch_log_group.authorizer.name}' }],
      },
    },
    aws_iam_role: {
      authorizer: {
        name: 'freehold-authorizer',
        assume_role_policy: policy({ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }),
      },
    },
    aws_iam_role_policy: {
      authorizer: {
        name: 'authorizer',
        role: '${aws_iam_role.authorizer.id}',
        policy: policy(
          statement(actions, '${data.aws_dynamodb_table.authorization.arn}'),
          statement(logActions, '${aws_cloudwatch_log_group.authorizer.arn}:*'),
        ),
      },
      policy_store: {
        count: ifGiven('policy_store_id'),
        name: 'policy-store',
        role: '${aws_iam_role.authorizer.id}',
        policy: policy(
          statement(
            storeActions,
            'arn:${data.aws_partition.current.partition}:verifiedpermissions::${data.aws_caller_identity.current.account_id}:policy-store/${var.policy_store_id}',
          ),
        ),
      },
    },
    aws_cloudwatch_log_group: { authorizer: { name: '/aws/lambda/freehold-authorizer', retention_in_days: retention_days } },
    aws_api_gateway_authorizer: {
      rest: {
        count: ifGiven('rest_api_id'),
        name: 'freehold',
        rest_api_id: '${var.rest_api_id}',
        type: 'REQUEST',
        authorizer_uri: '${aws_lambda_function.authorizer.invoke_arn}',
        identity_source: 'method.request.header.Authorization',
        authorizer_result_ttl_in_seconds: ttl_s,
      },
    },
    aws_apigatewayv2_authorizer: {
      http: {
        count: ifGiven('http_api_id'),
        name: 'freehold',
        api_id: '${var.http_api_id}',
        authorizer_type: 'REQUEST',
        authorizer_uri: '${aws_lambda_function.authorizer.invoke_arn}',
        authorizer_payload_format_version: '2.0',
        enable_simple_responses: true,
        identity_sources: ['$request.header.Authorization'],
        authorizer_result_ttl_in_seconds: ttl_s,
      },
    },
    aws_lambda_permission: {
      rest: permission(
        'rest_api_id',
        'apigateway.amazonaws.com',
        `${execution}:\${var.rest_api_id}/authorizers/\${aws_api_gateway_authorizer.rest[0].id}`,
      ),
      http: permission(
        'http_api_id',
        'apigateway.amazonaws.com',
        `${execution}:\${var.http_api_id}/authorizers/\${aws_apigatewayv2_authorizer.http[0].id}`,
      ),
      graphql: permission('graphql_api_arn', 'appsync.amazonaws.com', '${var.graphql_api_arn}'),
    },
  },
  output: { function_arn: { description: 'ARN of the authorizer', value: '${aws_lambda_function.authorizer.arn}' } },
})
