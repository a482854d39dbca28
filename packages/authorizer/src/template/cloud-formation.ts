import { functionSettings } from './function-settings.ts'

type Template = Readonly<Record<string, unknown>>

const { description, handler, runtime, architecture, memory_mb, timeout_s, retention_days, actions, logActions, ttl_s } = functionSettings
const { storeActions, packing, store } = functionSettings

const ref = (Ref: string) => ({ Ref })
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })
const sub = (text: string) => ({ 'Fn::Sub': text })
const isGiven = (parameter: string) => ({ 'Fn::Not': [{ 'Fn::Equals': [ref(parameter), ''] }] })

const apis = {
  RestApiId: 'Id of a REST API of API Gateway, if it has one',
  HttpApiId: 'Id of an HTTP API of API Gateway, if it has one',
  GraphQLApiArn: 'ARN of an API of AppSync, if it has one; set its AuthorizerResultTtlInSeconds to 0',
}

const invocation = sub(
  'arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${AuthorizerFunction.Arn}/invocations',
)

const permission = (Condition: string, Principal: string, SourceArn: unknown) => ({
  Type: 'AWS::Lambda::Permission',
  Condition,
  Properties: { Action: 'lambda:InvokeFunction', FunctionName: arnOf('AuthorizerFunction'), Principal, SourceArn },
})
const fromGateway = (Condition: string, api: string, authorizer: string) =>
  permission(
    Condition,
    'apigateway.amazonaws.com',
    sub(`arn:\${AWS::Partition}:execute-api:\${AWS::Region}:\${AWS::AccountId}:\${${api}}/authorizers/\${${authorizer}}`),
  )

/** The role of the function: it reads items of one table, and writes to one log. */
const role = {
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    },
    Policies: [
      {
        PolicyName: 'authorizer',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Action: actions,
              Resource: sub('arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${TableName}'),
            },
            { Effect: 'Allow', Action: logActions, Resource: arnOf('AuthorizerLog') },
            {
              'Fn::If': [
                'HasPolicyStore',
                {
                  Effect: 'Allow',
                  Action: storeActions,
                  Resource: sub('arn:${AWS::Partition}:verifiedpermissions::${AWS::AccountId}:policy-store/${PolicyStoreId}'),
                },
                ref('AWS::NoValue'),
              ],
            },
          ],
        },
      },
    ],
  },
}

const properties = {
  Description: description,
  Handler: handler,
  Runtime: runtime,
  Architectures: [architecture],
  MemorySize: memory_mb,
  Timeout: timeout_s,
  Role: arnOf('AuthorizerRole'),
  Environment: { Variables: { FREEHOLD_TABLE: ref('TableName'), FREEHOLD_POLICY_STORE: ref('PolicyStoreId') } },
  LoggingConfig: { LogGroup: ref('AuthorizerLog') },
}

function templateOf(table: string, parameters: Template, AuthorizerFunction: Template, more: Template = {}): Template {
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    ...more,
    Description: description,
    Parameters: {
      TableName: { Type: 'String', Default: table, Description: 'Table of the authorization design' },
      PolicyStoreId: { Type: 'String', Default: '', Description: store, AllowedPattern: '^[a-zA-Z0-9-]*$' },
      ...parameters,
      ...Object.fromEntries(Object.entries(apis).map(([name, Description]) => [name, { Type: 'String', Default: '', Description }])),
    },
    Conditions: {
      HasPolicyStore: isGiven('PolicyStoreId'),
      HasRestApi: isGiven('RestApiId'),
      HasHttpApi: isGiven('HttpApiId'),
      HasGraphQLApi: isGiven('GraphQLApiArn'),
    },
    Resources: {
      AuthorizerFunction,
      AuthorizerRole: role,
      AuthorizerLog: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: retention_days } },
      RestAuthorizer: {
        Type: 'AWS::ApiGateway::Authorizer',
        Condition: 'HasRestApi',
        Properties: {
          Name: 'freehold',
          RestApiId: ref('RestApiId'),
          Type: 'REQUEST',
          AuthorizerUri: invocation,
          IdentitySource: 'method.request.header.Authorization',
          AuthorizerResultTtlInSeconds: ttl_s,
        },
      },
      RestPermission: fromGateway('HasRestApi', 'RestApiId', 'RestAuthorizer'),
      HttpAuthorizer: {
        Type: 'AWS::ApiGatewayV2::Authorizer',
        Condition: 'HasHttpApi',
        Properties: {
          Name: 'freehold',
          ApiId: ref('HttpApiId'),
          AuthorizerType: 'REQUEST',
          AuthorizerUri: invocation,
          AuthorizerPayloadFormatVersion: '2.0',
          EnableSimpleResponses: true,
          IdentitySource: ['$request.header.Authorization'],
          AuthorizerResultTtlInSeconds: ttl_s,
        },
      },
      HttpPermission: fromGateway('HasHttpApi', 'HttpApiId', 'HttpAuthorizer'),
      GraphQLPermission: permission('HasGraphQLApi', 'appsync.amazonaws.com', ref('GraphQLApiArn')),
    },
    Outputs: { FunctionArn: { Description: 'ARN of the authorizer', Value: arnOf('AuthorizerFunction') } },
  }
}

/**
 * A CloudFormation template of the function, its role, its log, and the authorizers of the APIs that are named. The package is a zip file in a bucket.
 * @param table the name of the table of the authorization design, unless the deployment gives another one
 */
export const authorizerCloudFormation = (table: string = functionSettings.table): Template =>
  templateOf(
    table,
    {
      CodeBucket: { Type: 'String', Description: `Bucket with the package of the function; ${packing}` },
      CodeKey: { Type: 'String', Description: 'Key of the package' },
    },
    {
      Type: 'AWS::Lambda::Function',
      Properties: { ...properties, Code: { S3Bucket: ref('CodeBucket'), S3Key: ref('CodeKey') } },
    },
  )

/** The same for AWS SAM, which packs the folder `authorizer` beside the template. */
export const authorizerSam = (table: string = functionSettings.table): Template =>
  templateOf(
    table,
    {},
    { Type: 'AWS::Serverless::Function', Properties: { ...properties, CodeUri: 'authorizer/' } },
    { Transform: 'AWS::Serverless-2016-10-31', Metadata: { Package: `SAM packs the folder authorizer; ${packing}` } },
  )
