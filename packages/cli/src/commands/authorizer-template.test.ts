import { authorizerCloudFormation, authorizerSam, authorizerTerraform } from '@freehold/authorizer/template'
import hcl2 from 'hcl2-parser'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { freehold } from '../../test/recorded-shell.ts'

const noDatabase = { env: { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' } }

async function printed(...argv: readonly string[]): Promise<string> {
  const { exit, out, err } = await freehold(['template', 'authorizer', ...argv], noDatabase)
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  return out
}

const customTags = [
  { tag: '!Ref', resolve: (name: string) => ({ Ref: name }) },
  { tag: '!GetAtt', resolve: (path: string) => ({ 'Fn::GetAtt': path.split('.') }) },
]

interface Statement {
  readonly Action: string | readonly string[]
  readonly Resource: unknown
}
interface Resource {
  readonly Type: string
  readonly Condition?: string
  readonly Properties: Readonly<Record<string, unknown>>
}
interface Formation {
  readonly Transform?: string
  readonly Parameters: Readonly<Record<string, { readonly Default?: string }>>
  readonly Resources: Readonly<Record<string, Resource>>
}

/** What a deployed authorizer is, in whichever language it is written. */
interface Facts {
  readonly table: unknown
  readonly function: Readonly<Record<string, unknown>>
  readonly actions: unknown
  readonly logActions: unknown
  readonly retention: unknown
  readonly rest: readonly unknown[]
  readonly http: readonly unknown[]
  readonly permissions: readonly unknown[]
}

function factsOfYaml(text: string): Facts {
  const { Parameters, Resources }: Formation = parse(text, { version: '1.1', customTags })
  const of = (name: string) => Resources[name]?.Properties ?? {}
  const { Handler, Runtime, Architectures, MemorySize, Timeout, Environment, Description } = of('AuthorizerFunction')
  // Properties are typed by CloudFormation, and this is the form of a role's.
  const [policy] = of('AuthorizerRole').Policies as readonly { readonly PolicyDocument: { readonly Statement: readonly Statement[] } }[]
  const [items, log, store] = policy?.PolicyDocument.Statement ?? []
  expect(items?.Resource).toEqual({ 'Fn::Sub': 'arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${TableName}' })
  expect(Environment).toEqual({ Variables: { FREEHOLD_TABLE: { Ref: 'TableName' }, FREEHOLD_POLICY_STORE: { Ref: 'PolicyStoreId' } } })
  expect(store).toEqual({ 'Fn::If': ['HasPolicyStore', mayDecide, { Ref: 'AWS::NoValue' }] })
  expect(Parameters.PolicyStoreId?.Default).toBe('')
  const [rest, http] = [of('RestAuthorizer'), of('HttpAuthorizer')]
  return {
    table: Parameters.TableName?.Default,
    function: { Description, Handler, Runtime, Architectures, MemorySize, Timeout },
    actions: items?.Action,
    logActions: log?.Action,
    retention: of('AuthorizerLog').RetentionInDays,
    rest: [rest.Type, rest.IdentitySource, rest.AuthorizerResultTtlInSeconds],
    http: [
      ...[http.AuthorizerType, http.IdentitySource, http.AuthorizerResultTtlInSeconds],
      ...[http.AuthorizerPayloadFormatVersion, http.EnableSimpleResponses],
    ],
    permissions: ['RestPermission', 'HttpPermission', 'GraphQLPermission'].map((name) => [of(name).Principal, of(name).Action]),
  }
}

const storeActions = ['IsAuthorized', 'GetSchema', 'ListPolicies', 'GetPolicy', 'ListPolicyTemplates', 'GetPolicyTemplate'].map(
  (name) => `verifiedpermissions:${name}`,
)
/** It asks and reads the one store, and changes nothing. */
const mayDecide = {
  Effect: 'Allow',
  Action: storeActions,
  Resource: { 'Fn::Sub': 'arn:${AWS::Partition}:verifiedpermissions::${AWS::AccountId}:policy-store/${PolicyStoreId}' },
}
const mayDecideHere = {
  ...mayDecide,
  Resource:
    'arn:${data.aws_partition.current.partition}:verifiedpermissions::${data.aws_caller_identity.current.account_id}:policy-store/${var.policy_store_id}',
}

type Bodies = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

function factsOfHcl(text: string): Facts {
  const [{ resource, variable }]: readonly [{ resource: Readonly<Record<string, Bodies>>; variable: Bodies }] = hcl2.parseToObject(text)
  const of = (type: string, name: string) => resource[type]?.[name]?.[0] ?? {}
  const { description, handler, runtime, architectures, memory_size, timeout } = of('aws_lambda_function', 'authorizer')
  const { Statement: statements }: { Statement: readonly Statement[] } = JSON.parse(String(of('aws_iam_role_policy', 'authorizer').policy))
  const [items, log] = statements
  const { count, policy } = of('aws_iam_role_policy', 'policy_store')
  expect([count, JSON.parse(String(policy)).Statement]).toEqual(['${length(var.policy_store_id) > 0 ? 1 : 0}', [mayDecideHere]])
  expect(items?.Resource).toBe('${data.aws_dynamodb_table.authorization.arn}')
  const [rest, http] = [of('aws_api_gateway_authorizer', 'rest'), of('aws_apigatewayv2_authorizer', 'http')]
  return {
    table: variable.table_name?.[0]?.default,
    function: {
      ...{ Description: description, Handler: handler, Runtime: runtime, Architectures: architectures },
      ...{ MemorySize: memory_size, Timeout: timeout },
    },
    actions: items?.Action,
    logActions: log?.Action,
    retention: of('aws_cloudwatch_log_group', 'authorizer').retention_in_days,
    rest: [rest.type, rest.identity_source, rest.authorizer_result_ttl_in_seconds],
    http: [
      ...[http.authorizer_type, http.identity_sources, http.authorizer_result_ttl_in_seconds],
      ...[http.authorizer_payload_format_version, http.enable_simple_responses],
    ],
    permissions: ['rest', 'http', 'graphql'].map((name) => [
      of('aws_lambda_permission', name).principal,
      of('aws_lambda_permission', name).action,
    ]),
  }
}

describe('the template of the authorizer', () => {
  test('reads items of one table alone, keeps no answer, and keeps its log for a month', async () => {
    expect(factsOfYaml(await printed())).toEqual({
      table: 'authorization',
      function: expect.objectContaining({ Handler: 'index.handler', Timeout: 10 }),
      actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
      logActions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      retention: 30,
      rest: ['REQUEST', 'method.request.header.Authorization', 0],
      http: ['REQUEST', ['$request.header.Authorization'], 0, '2.0', true],
      permissions: ['apigateway.amazonaws.com', 'apigateway.amazonaws.com', 'appsync.amazonaws.com'].map((principal) => [
        principal,
        'lambda:InvokeFunction',
      ]),
    })
  })

  test('says the same to CloudFormation, SAM and Terraform', async () => {
    const facts = factsOfYaml(await printed('--format', 'cloudformation'))
    expect(factsOfYaml(await printed('--format', 'sam'))).toEqual(facts)
    expect(factsOfHcl(await printed('--format', 'terraform'))).toEqual(facts)
  })

  test('can have another name for the table', async () => {
    for (const [format, read] of [
      ['cloudformation', factsOfYaml],
      ['sam', factsOfYaml],
      ['terraform', factsOfHcl],
    ] as const) {
      const [before, after] = [await printed('--format', format), await printed('--format', format, '--table', 'other.table')]
      expect(read(after)).toEqual({ ...read(before), table: 'other.table' })
    }
  })

  test('is one line of JSON for a program', async () => {
    expect(JSON.parse(await printed('--json'))).toEqual(authorizerCloudFormation())
    expect(JSON.parse(await printed('--json', '--format', 'sam'))).toEqual(authorizerSam())
    expect(JSON.parse(await printed('--json', '--format', 'terraform'))).toEqual(authorizerTerraform())
    expect((await printed('--json')).match(/\n/g)).toHaveLength(1)
  })

  test('is YAML and HCL that mean what the template means', async () => {
    expect(parse(await printed(), { version: '1.1', customTags })).toEqual(authorizerCloudFormation())
    const sam: Formation = parse(await printed('--format', 'sam'), { version: '1.1', customTags })
    expect(sam).toEqual(authorizerSam())
    expect([sam.Transform, sam.Resources.AuthorizerFunction?.Type]).toEqual(['AWS::Serverless-2016-10-31', 'AWS::Serverless::Function'])
    const [read]: readonly [Record<string, Record<string, unknown>>] = hcl2.parseToObject(await printed('--format', 'terraform'))
    const { data, resource, variable, output } = authorizerTerraform()
    const kinds = { data: data ?? {}, resource, variable: variable ?? {}, output }
    for (const [kind, bodies] of Object.entries(kinds)) expect(Object.keys(read[kind] ?? {}).sort()).toEqual(Object.keys(bodies).sort())
  })

  test('names only resources, parameters and conditions that it has', async () => {
    for (const format of ['cloudformation', 'sam']) {
      const text = await printed('--format', format)
      const { Resources, Parameters, Conditions }: Formation & { Conditions: object } = parse(text, { version: '1.1', customTags })
      const known = new Set([...Object.keys(Resources), ...Object.keys(Parameters), 'AWS'])
      const refs = [...text.matchAll(/!Ref '?(\w+)|!GetAtt '?(\w+)|\$\{(\w+)/g)].map(([, ref, att, sub]) => ref ?? att ?? sub ?? '')
      expect(refs.filter((name) => !known.has(name))).toEqual([])
      expect(refs.length).toBeGreaterThan(20)
      for (const { Condition } of Object.values(Resources)) if (Condition !== undefined) expect(Conditions).toHaveProperty(Condition)
    }
  })

  test.each([
    ['--format sam of a design', ['rebac', '--format', 'sam'], 'is of the authorizer and of the service'],
    ['a TTL of items', ['authorizer', '--ttl'], '--ttl is of a table'],
  ])('%s is refused', async (_, argv, sentence) => {
    const { exit, err } = await freehold(['template', ...argv], noDatabase)
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining(sentence) })
  })
})
