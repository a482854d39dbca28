import { designModules } from '@freehold/designs'
import { type CloudFormationTemplate, cloudFormation, terraform } from '@freehold/table/publish'
import hcl2 from 'hcl2-parser'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { freehold } from '../../test/recorded-shell.ts'

/** No template needs a database. */
const noDatabase = { env: { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' } }

async function printed(...argv: readonly string[]): Promise<string> {
  const { exit, out, err } = await freehold(['template', ...argv], noDatabase)
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  return out
}

const customTags = [
  { tag: '!Ref', resolve: (name: string) => ({ Ref: name }) },
  { tag: '!GetAtt', resolve: (path: string) => ({ 'Fn::GetAtt': path.split('.') }) },
]

function readYaml(text: string): CloudFormationTemplate {
  return parse(text, { version: '1.1', customTags })
}

interface Facts {
  readonly table: string | undefined
  readonly attributes: readonly string[]
  readonly key: readonly string[]
  readonly indexes: readonly (readonly string[])[]
  readonly ttl: string | undefined
  readonly tags: Readonly<Record<string, string>>
  readonly others: readonly unknown[]
}

function factsOfYaml(text: string): Facts {
  const [resource] = Object.values(readYaml(text).Resources)
  const { TableName, BillingMode, AttributeDefinitions = [], KeySchema = [], GlobalSecondaryIndexes = [] } = resource?.Properties ?? {}
  const { TimeToLiveSpecification, PointInTimeRecoverySpecification, DeletionProtectionEnabled, Tags = [] } = resource?.Properties ?? {}
  return {
    table: TableName,
    attributes: AttributeDefinitions.map(({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`),
    key: KeySchema.map(({ AttributeName }) => AttributeName),
    indexes: GlobalSecondaryIndexes.map((index) => [
      index.IndexName,
      ...index.KeySchema.map(({ AttributeName }) => AttributeName),
      index.Projection.ProjectionType,
    ]),
    ttl: TimeToLiveSpecification?.AttributeName,
    tags: Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value])),
    others: [
      BillingMode,
      PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled,
      DeletionProtectionEnabled,
      resource?.DeletionPolicy === 'Retain' && resource.UpdateReplacePolicy === 'Retain',
    ],
  }
}

interface HclTable {
  readonly name: string
  readonly billing_mode: string
  readonly hash_key: string
  readonly range_key: string
  readonly deletion_protection_enabled: boolean
  readonly attribute: readonly { readonly name: string; readonly type: string }[]
  readonly global_secondary_index?: readonly Readonly<Record<'name' | 'hash_key' | 'range_key' | 'projection_type', string>>[]
  readonly ttl?: readonly { readonly attribute_name: string }[]
  readonly tags?: Readonly<Record<string, string>>
  readonly point_in_time_recovery: readonly { readonly enabled: boolean }[]
  readonly lifecycle: readonly { readonly prevent_destroy: boolean }[]
}

function factsOfHcl(text: string): Facts[] {
  const [{ resource }]: readonly [{ resource: { aws_dynamodb_table: Record<string, HclTable[]> } }] = hcl2.parseToObject(text)
  return Object.values(resource.aws_dynamodb_table)
    .flat()
    .map((table) => ({
      table: table.name,
      attributes: table.attribute.map(({ name, type }) => `${name} ${type}`),
      key: [table.hash_key, table.range_key],
      indexes: (table.global_secondary_index ?? []).map((index) => [index.name, index.hash_key, index.range_key, index.projection_type]),
      ttl: table.ttl?.[0]?.attribute_name,
      tags: table.tags ?? {},
      others: [
        table.billing_mode,
        table.point_in_time_recovery[0]?.enabled,
        table.deletion_protection_enabled,
        table.lifecycle[0]?.prevent_destroy,
      ],
    }))
}

describe.each([...designModules.values()].map(({ design }) => ({ name: design.name, design })))(
  'the template of $name',
  ({ name, design }) => {
    test('is YAML that CloudFormation reads as the template', async () => {
      const text = await printed(name)
      expect(readYaml(text)).toEqual(cloudFormation(design))
      expect(await printed(name, '--format', 'cloudformation')).toBe(text)
    })

    test('says the same to Terraform', async () => {
      const facts = factsOfYaml(await printed(name))
      expect(facts.others).toEqual(['PAY_PER_REQUEST', true, true, true])
      expect(factsOfHcl(await printed(name, '--format', 'terraform'))).toEqual([facts])
    })

    test('is one line of JSON for a program, which both tools take, too', async () => {
      const [formation, configuration] = [await printed(name, '--json'), await printed(name, '--format', 'terraform', '--json')]
      expect(JSON.parse(formation)).toEqual(cloudFormation(design))
      expect(JSON.parse(configuration)).toEqual(terraform(design))
      expect(`${formation}${configuration}`.match(/\n/g)).toHaveLength(2)
    })

    test('has TTL if it is asked for, and nothing else that differs', async () => {
      const [before, after] = [await printed(name), await printed(name, '--ttl')]
      expect(factsOfYaml(after)).toEqual({ ...factsOfYaml(before), ttl: 'ttl' })
      expect(factsOfHcl(await printed(name, '--ttl', '--format', 'terraform'))).toEqual([factsOfYaml(after)])
    })

    test('can have another name for the table', async () => {
      const [before, after] = [await printed(name), await printed(name, '--table', 'other.table')]
      expect(factsOfYaml(after)).toEqual({ ...factsOfYaml(before), table: 'other.table' })
      expect(factsOfHcl(await printed(name, '--table', 'other.table', '--format', 'terraform'))).toEqual([factsOfYaml(after)])
    })
  },
)

describe('template', () => {
  test('has the table of API keys, too', async () => {
    expect(factsOfYaml(await printed('service')).table).toBe('freehold_service')
  })

  test('of a misspelt design says which was meant', async () => {
    const { exit, out, err } = await freehold(['template', 'rebak'], noDatabase)
    expect({ exit, out, err }).toEqual({
      exit: 2,
      out: '',
      err: "freehold: There is no design 'rebak'. Did you mean rebac? `freehold designs` lists all. (UnknownName)\n",
    })
  })

  test.each([
    ['a name that no table can have', ['--table', 'ab'], 'from 3 to 255 letters, digits'],
    ['a format that there is not', ['--format', 'pulumi'], 'cloudformation, terraform'],
  ])('of %s is refused', async (_what, options, sentence) => {
    const { exit, out, err } = await freehold(['template', 'rebac', ...options, '--json'], noDatabase)
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(JSON.parse(err)).toEqual({ error: { code: 'InvalidInput', message: expect.stringContaining(sentence) } })
  })
})
