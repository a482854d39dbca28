import { designModules } from '@freehold/designs'
import { platformModule } from '@freehold/designs/platform'
import { rebac, rebacModule } from '@freehold/designs/rebac'
import { deployedTables } from '@freehold/service'
import { serviceSam } from '@freehold/service/template'
import { cloudFormation } from '@freehold/table/publish'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { freehold } from '../../test/recorded-shell.ts'

const noDatabase = { env: { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' } }

async function printed(...argv: readonly string[]): Promise<string> {
  const { exit, out, err } = await freehold(['template', 'service', '--format', 'sam', ...argv], noDatabase)
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  return out
}

type Fields = Readonly<Record<string, unknown>>
interface Statement {
  readonly Effect: string
  readonly Action: string | readonly string[]
  readonly Resource: unknown
  readonly Condition?: unknown
}
interface Resource {
  readonly Type: string
  readonly Properties: Fields
}
interface Formation {
  readonly Transform: string
  readonly Parameters: Readonly<Record<string, { readonly Default: string; readonly AllowedPattern: string }>>
  readonly Conditions: Fields
  readonly Resources: Readonly<Record<string, Resource>>
  readonly Outputs: Fields
}

const customTags = [
  { tag: '!Ref', resolve: (name: string) => ({ Ref: name }) },
  { tag: '!GetAtt', resolve: (path: string) => ({ 'Fn::GetAtt': path.split('.') }) },
]
const formationOf = (text: string): Formation => parse(text, { version: '1.1', customTags })

/** The properties that the references of CloudFormation and SAM have for a type: those that must be given, and others. */
const schema: Readonly<Record<string, readonly [required: string, optional: string]>> = {
  'AWS::DynamoDB::Table': [
    'AttributeDefinitions KeySchema',
    'TableName BillingMode GlobalSecondaryIndexes TimeToLiveSpecification PointInTimeRecoverySpecification DeletionProtectionEnabled Tags',
  ],
  'AWS::SecretsManager::Secret': ['GenerateSecretString', 'Description'],
  'AWS::Serverless::Function': ['CodeUri Handler Runtime', 'Description Architectures MemorySize Timeout Role Environment LoggingConfig'],
  'AWS::IAM::Role': ['AssumeRolePolicyDocument', 'Policies'],
  'AWS::Logs::LogGroup': ['RetentionInDays', ''],
  'AWS::Events::Rule': ['ScheduleExpression Targets', 'Description'],
  'AWS::Lambda::Permission': ['Action FunctionName Principal', 'SourceArn'],
  'AWS::ApiGatewayV2::Api': ['Name ProtocolType', ''],
  'AWS::ApiGatewayV2::Integration': ['ApiId IntegrationType IntegrationUri PayloadFormatVersion', ''],
  'AWS::ApiGatewayV2::Route': ['ApiId RouteKey Target', 'AuthorizationType'],
  'AWS::ApiGatewayV2::Stage': ['ApiId StageName', 'AutoDeploy DefaultRouteSettings'],
}
/** The attributes of each type that `!GetAtt` gives here. */
const attributes: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'Arn',
  'AWS::Serverless::Function': 'Arn',
  'AWS::IAM::Role': 'Arn',
  'AWS::Logs::LogGroup': 'Arn',
  'AWS::Events::Rule': 'Arn',
  'AWS::ApiGatewayV2::Api': 'ApiEndpoint',
}

const words = (text: string) => text.split(' ').filter((word) => word !== '')

/** Every use of a function of CloudFormation, with its argument. */
function usesOf(value: unknown): [name: string, argument: unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, argument]): [string, unknown][] => [
    ...(name === 'Ref' || name.startsWith('Fn::') ? [[name, argument] as [string, unknown]] : []),
    ...usesOf(argument),
  ])
}

/** The names that a use refers to: a resource or parameter, perhaps with an attribute. */
function namedIn([name, argument]: [string, unknown]): string[] {
  if (name === 'Ref') return [String(argument)]
  if (name === 'Fn::GetAtt' && Array.isArray(argument)) return [argument.join('.')]
  if (name === 'Fn::Sub') return [...String(argument).matchAll(/\$\{([^}]+)\}/g)].map(([, inner = '']) => inner)
  return []
}

function statementsOf({ Resources }: Formation, role: string): readonly Statement[] {
  // This is the form of a role's properties; a statement on a condition stands in `Fn::If`.
  const policies = (Resources[role]?.Properties.Policies ?? []) as readonly { PolicyDocument: { Statement: readonly Fields[] } }[]
  const [policy] = policies
  const all = policy?.PolicyDocument.Statement ?? []
  return all.map((each) => ('Fn::If' in each ? (each['Fn::If'] as readonly Statement[])[1] : each) as Statement)
}

const variablesOf = ({ Resources }: Formation, name: string): Fields => Object(Object(Resources[name]?.Properties.Environment).Variables)

describe.each([
  ['all designs', [], [...designModules.values()]],
  ['one design', ['--design', 'rebac'], [rebacModule]],
  ['one with a sweep', ['--design', 'platform'], [platformModule]],
])('the template of a service of %s', (_, options, modules) => {
  test('is YAML that means what the template means, and one line of JSON', async () => {
    expect(formationOf(await printed(...options))).toEqual(serviceSam(modules))
    const json = await printed(...options, '--json')
    expect(JSON.parse(json)).toEqual(serviceSam(modules))
    expect(json.match(/\n/g)).toHaveLength(1)
  })

  test('has only properties that its types have, and all that they need', async () => {
    const { Resources, Transform } = formationOf(await printed(...options))
    expect(Transform).toBe('AWS::Serverless-2016-10-31')
    for (const [name, { Type, Properties }] of Object.entries(Resources)) {
      const [required, optional] = schema[Type]?.map(words) ?? [[], []]
      const given = Object.keys(Properties)
      expect({ name, missing: required?.filter((each) => !given.includes(each)) }).toEqual({ name, missing: [] })
      expect({ name, foreign: given.filter((each) => !required?.includes(each) && !optional?.includes(each)) }).toEqual({
        name,
        foreign: [],
      })
    }
  })

  test('names only resources, attributes, parameters and conditions that it has', async () => {
    const formation = formationOf(await printed(...options))
    const { Resources, Parameters, Conditions } = formation
    const known = new Set([
      ...Object.keys(Parameters),
      ...Object.entries(Resources).flatMap(([name, { Type }]) => [name, `${name}.${attributes[Type]}`]),
      ...['Partition', 'Region', 'AccountId', 'StackName', 'NoValue'].map((name) => `AWS::${name}`),
    ])
    const uses = usesOf(formation)
    const names = uses.flatMap(namedIn)
    expect(names.filter((name) => !known.has(name))).toEqual([])
    expect(names.length).toBeGreaterThan(30)
    for (const [name, argument] of uses)
      if (name === 'Fn::If' && Array.isArray(argument)) expect(Conditions).toHaveProperty(String(argument[0]))
    const unused = [...Object.keys(Parameters), 'CursorSecret', 'ServiceFunction', 'ScheduleFunction'].filter((name) => {
      return !names.some((used) => used === name || used.startsWith(`${name}.`))
    })
    expect(unused).toEqual([])
  })

  test('has the tables of the designs and of the API keys, as their own templates have them', async () => {
    const { Resources } = formationOf(await printed(...options))
    const tables = Object.values(Resources).filter(({ Type }) => Type === 'AWS::DynamoDB::Table')
    for (const { design } of modules) expect(tables).toContainEqual(Object.values(cloudFormation(design).Resources)[0])
    expect(tables.map(({ Properties }) => Properties.TableName)).toEqual([...modules.map(({ design }) => design.table), 'freehold_service'])
  })

  test('lets each function do what it does, and nothing else', async () => {
    const formation = formationOf(await printed(...options))
    const [service, schedule] = [statementsOf(formation, 'ServiceRole'), statementsOf(formation, 'ScheduleRole')]
    for (const [role, log] of [
      [service, 'ServiceLog'],
      [schedule, 'ScheduleLog'],
    ] as const) {
      expect(role.map(({ Effect }) => Effect)).toEqual(['Allow', 'Allow', 'Allow', 'Allow'])
      const actions = role.flatMap(({ Action }) => Action)
      expect(actions.filter((action) => /\*|Table|Scan|Create(?!LogStream)/.test(action))).toEqual([])
      expect(role[1]).toMatchObject({ Action: 'secretsmanager:GetSecretValue', Resource: { Ref: 'CursorSecret' } })
      expect(role[2]).toMatchObject({ Resource: { 'Fn::GetAtt': [log, 'Arn'] } })
      expect(role[3]).toMatchObject({ Condition: { StringEquals: { 'ses:FromAddress': { Ref: 'MailFrom' } } } })
    }
    const keys = JSON.stringify({ 'Fn::GetAtt': ['FreeholdServiceTable', 'Arn'] })
    expect(JSON.stringify(service[0]?.Resource)).toContain(keys)
    expect(JSON.stringify(schedule[0]?.Resource)).not.toContain(keys)
  })

  test('gives its functions settings with which they start', async () => {
    const formation = formationOf(await printed(...options))
    const variables = variablesOf(formation, 'ServiceFunction')
    expect(variablesOf(formation, 'ScheduleFunction')).toEqual(variables)
    const resolved = (value: unknown): string => {
      if (typeof value === 'string') return value
      const { Ref: name } = value as { Ref?: string }
      // The template without its parameters: an unset condition, and the names of tables for their references.
      if (name === undefined) return ''
      return formation.Parameters[name]?.Default ?? String(formation.Resources[name]?.Properties.TableName ?? `arn:${name}`)
    }
    const env = Object.fromEntries(
      Object.entries(variables).flatMap(([name, value]) => (resolved(value) === '' ? [] : [[name, resolved(value)]])),
    )
    const { FREEHOLD_POLICIES: _policies, ...settings } = env
    const { tables } = await deployedTables(
      { ...settings, DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' },
      { readSecret: async () => 'x'.repeat(64) },
    )
    expect([...tables].map(([name, { table }]) => [name, table.runtime.table])).toEqual(
      modules.map(({ design }) => [design.name, design.table]),
    )
    expect(env.FREEHOLD_POLICIES).toBe(modules.some(({ design }) => design.name === 'authorization') ? 'policies' : undefined)
  })

  test('does jobs every five minutes, and sweeps once a day if a design has a sweep', async () => {
    const { Resources } = formationOf(await printed(...options))
    const rules = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Events::Rule')
    const events = rules.flatMap(({ Properties }) =>
      (Properties.Targets as readonly { Input: string }[]).map(({ Input }) => JSON.parse(Input)),
    )
    const sweeps = modules.some(({ flows, design }) => flows?.declared(design).some(({ name }) => name === 'sweep'))
    expect(events).toEqual(sweeps ? [{ work: 'jobs' }, { work: 'sweep' }] : [{ work: 'jobs' }])
    for (const name of ['ServiceLog', 'ScheduleLog']) expect(Resources[name]?.Properties).toEqual({ RetentionInDays: 30 })
  })
})

describe('the template of a service', () => {
  test('takes addresses and links as parameters that have the form of some', async () => {
    const { Parameters } = formationOf(await printed('--design', 'rebac'))
    const takes = (name: string, text: string) => new RegExp(Parameters[name]?.AllowedPattern ?? '^never$').test(text)
    expect(['', 'no-reply@portal.example', 'The Portal <a@x.org>', 'nobody'].map((text) => takes('MailFrom', text))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(['', 'https://api.example', 'http://api.example'].map((text) => takes('PublicUrl', text))).toEqual([true, true, false])
    const links = ['', 'https://x.example/?u={userId}', 'https://x.example/', 'https://x.example/{name}', 'http://x.example/{email}']
    expect(links.map((text) => takes('CredentialLink', text))).toEqual([true, true, false, false, false])
    expect(['', 'issuers.json', '/etc/issuers.json'].map((text) => takes('Issuers', text))).toEqual([true, true, false])
    expect(['', 'acme', ' '].map((text) => takes('AuthzenTenant', text))).toEqual([true, true, false])
  })

  test('leaves a variable out whose parameter is empty', async () => {
    const formation = formationOf(await printed('--design', 'rebac'))
    const given = { FREEHOLD_ISSUERS: 'Issuers', FREEHOLD_AUTHZEN_TENANT: 'AuthzenTenant' }
    for (const [variable, parameter] of Object.entries(given)) {
      expect(variablesOf(formation, 'ServiceFunction')[variable]).toEqual({
        'Fn::If': [`Has${parameter}`, { Ref: parameter }, { Ref: 'AWS::NoValue' }],
      })
      expect(formation.Conditions[`Has${parameter}`]).toEqual({ 'Fn::Not': [{ 'Fn::Equals': [{ Ref: parameter }, ''] }] })
    }
  })

  test('is meant where designs are named', async () => {
    const { out } = await freehold(['template', 'service', '--design', 'rebac'], noDatabase)
    expect(out).toBe(await printed('--design', 'rebac'))
  })

  test('has TTL if it is asked for', async () => {
    const { Resources } = formationOf(await printed('--design', 'rebac', '--ttl'))
    expect(Resources.RebacTable).toEqual(Object.values(cloudFormation(rebac, undefined, { ttl: true }).Resources)[0])
  })

  test.each([
    ['one table', ['service', '--format', 'sam', '--table', 'mine'], '--table names one table'],
    ['an unknown design', ['service', '--format', 'sam', '--design', 'rebak'], 'Did you mean rebac?'],
    ['designs of a table', ['service', '--design', 'rebac', '--format', 'cloudformation'], '--design is of the service, with --format sam'],
    ['designs of a design', ['rebac', '--design', 'rebac'], '--design is of the service'],
  ])('with %s is refused', async (_, argv, sentence) => {
    const { exit, err } = await freehold(['template', ...argv], noDatabase)
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining(sentence) })
  })
})
