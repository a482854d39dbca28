import { type DesignModule, folderOf } from '@freehold/frame'
import { cloudFormation } from '@freehold/table/publish'
import { folderVariable, tableVariable } from '../environment.ts'
import { serviceDesign } from '../keys/design.ts'
import { sweeps } from '../lambda/scheduled-work.ts'

type Template = Readonly<Record<string, unknown>>

export interface ServiceTemplateOptions {
  /** With TTL also for tables whose items do not expire: see `TableOptions`. */
  readonly ttl?: boolean | undefined
  /** The module that the package of the functions is bundled from, for designs of a program's own: see `serviceBundle`. */
  readonly bundle?: string | undefined
}

const description = 'The service of Freehold: its tables, an HTTP API, and functions'
const retention_days = 30
/** A gateway waits for 29 seconds at most. */
const timeout_s = 29
/** As long as a function may run without an alarm of its own: a sweep goes on with the next event. */
const scheduleTimeout_s = 300
/** Requests a second, and at once, that the API lets through. A deployer who has measured more raises both. */
const throttle = { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 }

const ref = (Ref: string) => ({ Ref })
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })
const sub = (text: string) => ({ 'Fn::Sub': text })
const isGiven = (parameter: string) => ({ 'Fn::Not': [{ 'Fn::Equals': [ref(parameter), ''] }] })
const given = (condition: string, parameter: string) => ({ 'Fn::If': [condition, ref(parameter), ref('AWS::NoValue')] })
const ifMailed = (value: unknown, otherwise: unknown) => ({ 'Fn::If': ['SendsMails', value, otherwise] })

/** The actions of flows, writes and jobs. A transaction needs those of its parts. */
const tableActions = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(
  (name) => `dynamodb:${name}`,
)
const logActions = ['logs:CreateLogStream', 'logs:PutLogEvents']

interface DeployedTable {
  readonly design: DesignModule['design']
  readonly id: string
  readonly resource: unknown
  readonly hasIndexes: boolean
}

function tableOf(design: DesignModule['design'], ttl: boolean | undefined): DeployedTable {
  const [[id, resource] = ['', undefined]] = Object.entries(cloudFormation(design, undefined, { ttl }).Resources)
  return { design, id, resource, hasIndexes: resource?.Properties.GlobalSecondaryIndexes !== undefined }
}

const allow = (Action: readonly string[] | string, Resource: unknown, Condition?: unknown) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...(Condition === undefined ? {} : { Condition }),
})

/** A mail goes out from the one address alone. SES checks a message in MIME as a raw one, also where its second API sends it. */
const mayMail = allow(['ses:SendEmail', 'ses:SendRawEmail'], sub('arn:${AWS::Partition}:ses:${AWS::Region}:${AWS::AccountId}:identity/*'), {
  StringEquals: { 'ses:FromAddress': ref('MailFrom') },
})

/** The role of a function: it uses these tables, reads the secret of cursors, sends mails, and writes to its own log. */
function roleOf(log: string, tables: readonly DeployedTable[]): Template {
  const arns = tables.flatMap(({ id, hasIndexes }) => [arnOf(id), ...(hasIndexes ? [sub(`\${${id}.Arn}/index/*`)] : [])])
  const statements = [allow(tableActions, arns), allow('secretsmanager:GetSecretValue', ref('CursorSecret')), allow(logActions, arnOf(log))]
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
      },
      Policies: [
        {
          PolicyName: 'service',
          PolicyDocument: { Version: '2012-10-17', Statement: [...statements, ifMailed(mayMail, ref('AWS::NoValue'))] },
        },
      ],
    },
  }
}

const logOf = { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: retention_days } }

const invoking = (principal: string, functionId: string, SourceArn: unknown) => ({
  Type: 'AWS::Lambda::Permission',
  Properties: { Action: 'lambda:InvokeFunction', FunctionName: arnOf(functionId), Principal: principal, SourceArn },
})

const ruleOf = (work: string, ScheduleExpression: string) => ({
  Type: 'AWS::Events::Rule',
  Properties: {
    Description: `The work ${work} of the service`,
    ScheduleExpression,
    Targets: [{ Id: work, Arn: arnOf('ScheduleFunction'), Input: JSON.stringify({ work }) }],
  },
})

/**
 * A template of AWS SAM for the service of these designs: their tables and the table of API keys, an HTTP API with its function, a function for jobs and
 * sweeps on a schedule, their roles and logs, and the secret of cursors. SAM packs the folder `service` beside the template.
 * @param modules the served designs, one at least
 */
export function serviceSam(modules: readonly DesignModule[], { ttl, bundle }: ServiceTemplateOptions = {}): Template {
  const tables = modules.map(({ design }) => tableOf(design, ttl))
  const keys = tableOf(serviceDesign, ttl)
  const all = [...tables, keys]
  const folders = modules.flatMap((module) => folderOf(module)?.name ?? [])
  const hasSweep = modules.some(sweeps)
  const variables = {
    FREEHOLD_DESIGNS: modules.map(({ design }) => design.name).join(','),
    ...Object.fromEntries(all.map(({ design, id }) => [tableVariable(design.name), ref(id)])),
    FREEHOLD_SECRET_ARN: ref('CursorSecret'),
    FREEHOLD_WITHOUT: given('HasWithout', 'Without'),
    ...Object.fromEntries(folders.map((name) => [folderVariable(name), name])),
    FREEHOLD_MAIL: ifMailed('ses:', ''),
    FREEHOLD_MAIL_FROM: ref('MailFrom'),
    FREEHOLD_CREDENTIAL_LINK: ref('CredentialLink'),
    FREEHOLD_PUBLIC_URL: ref('PublicUrl'),
    FREEHOLD_ISSUERS: given('HasIssuers', 'Issuers'),
    FREEHOLD_AUTHZEN_TENANT: given('HasAuthzenTenant', 'AuthzenTenant'),
  }
  const functionOf = (about: string, handler: string, Timeout: number, role: string, log: string) => ({
    Type: 'AWS::Serverless::Function',
    Properties: {
      Description: about,
      CodeUri: 'service/',
      Handler: `index.${handler}`,
      Runtime: 'nodejs22.x',
      Architectures: ['arm64'],
      MemorySize: 1_024,
      Timeout,
      Role: arnOf(role),
      Environment: { Variables: variables },
      LoggingConfig: { LogGroup: ref(log) },
    },
  })
  const schedule = {
    JobsRule: ruleOf('jobs', 'rate(5 minutes)'),
    JobsPermission: invoking('events.amazonaws.com', 'ScheduleFunction', arnOf('JobsRule')),
    ...(hasSweep
      ? {
          SweepRule: ruleOf('sweep', 'cron(17 3 * * ? *)'),
          SweepPermission: invoking('events.amazonaws.com', 'ScheduleFunction', arnOf('SweepRule')),
        }
      : {}),
  }
  const text = (Description: string, AllowedPattern: string) => ({ Type: 'String', Default: '', Description, AllowedPattern })
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Transform: 'AWS::Serverless-2016-10-31',
    Description: description,
    // CloudFormation takes no notice of it.
    ...(bundle === undefined ? {} : { Metadata: { 'service/index.mjs is the bundle of': bundle } }),
    Parameters: {
      MailFrom: text('Address that mails come from, verified in Amazon SES; without one no mail is sent', '^$|^[^@<>\\s]+@[^@<>\\s]+$'),
      CredentialLink: text(
        'Link of credentials mails: https://portal.example/welcome?user={userId}',
        '^$|^https://.+\\{(userId|accountId|email)\\}.*$',
      ),
      PublicUrl: text('Address by which callers reach the service, for the metadata of AuthZEN', '^$|^https://.+$'),
      Issuers: text('File of issuers of tokens, in the package: issuers.json', '^$|^[^/\\s].*$'),
      Without: text(
        'Features that designs leave out, as for all programs on these tables: account-management:devices,tokens',
        '^$|^[^\\s:,]+:\\S+( [^\\s:,]+:\\S+)*$',
      ),
      AuthzenTenant: text('Tenant of an AuthZEN request that names none', '^$|^\\S(.*\\S)?$'),
    },
    Conditions: {
      SendsMails: isGiven('MailFrom'),
      HasWithout: isGiven('Without'),
      HasIssuers: isGiven('Issuers'),
      HasAuthzenTenant: isGiven('AuthzenTenant'),
    },
    Resources: {
      ...Object.fromEntries(all.map(({ id, resource }) => [id, resource])),
      CursorSecret: {
        Type: 'AWS::SecretsManager::Secret',
        Properties: {
          Description: 'Seals the cursors of the service',
          GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
        },
      },
      ServiceFunction: functionOf('Answers the requests of the service', 'handler', timeout_s, 'ServiceRole', 'ServiceLog'),
      ServiceRole: roleOf('ServiceLog', all),
      ServiceLog: logOf,
      ScheduleFunction: functionOf('Finishes jobs and sweeps', 'schedule', scheduleTimeout_s, 'ScheduleRole', 'ScheduleLog'),
      ScheduleRole: roleOf('ScheduleLog', tables),
      ScheduleLog: logOf,
      ...schedule,
      ServiceApi: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: ref('AWS::StackName'), ProtocolType: 'HTTP' } },
      ServiceIntegration: {
        Type: 'AWS::ApiGatewayV2::Integration',
        Properties: {
          ApiId: ref('ServiceApi'),
          IntegrationType: 'AWS_PROXY',
          IntegrationUri: arnOf('ServiceFunction'),
          PayloadFormatVersion: '2.0',
        },
      },
      ServiceRoute: {
        Type: 'AWS::ApiGatewayV2::Route',
        // The service asks for a key or a token itself, and answers with problems of its own.
        Properties: {
          ApiId: ref('ServiceApi'),
          RouteKey: '$default',
          AuthorizationType: 'NONE',
          Target: sub('integrations/${ServiceIntegration}'),
        },
      },
      ServiceStage: {
        Type: 'AWS::ApiGatewayV2::Stage',
        Properties: { ApiId: ref('ServiceApi'), StageName: '$default', AutoDeploy: true, DefaultRouteSettings: throttle },
      },
      ServicePermission: invoking(
        'apigateway.amazonaws.com',
        'ServiceFunction',
        sub('arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${ServiceApi}/*'),
      ),
    },
    Outputs: {
      Address: { Description: 'Address of the service', Value: { 'Fn::GetAtt': ['ServiceApi', 'ApiEndpoint'] } },
      KeysTable: { Description: 'Table of the API keys, for freehold api-keys --new NAME --table', Value: ref(keys.id) },
    },
  }
}
