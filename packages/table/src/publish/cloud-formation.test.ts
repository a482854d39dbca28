import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { library } from '../../test/library.ts'
import { design, entity, text } from '../language.ts'
import { cloudFormation } from './cloud-formation.ts'

const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' })
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' })
const textual = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' })

describe('a CloudFormation template', () => {
  test('has the table with its keys, its indexes, its TTL, its tags, and what keeps its data', () => {
    expect(cloudFormation(library)).toEqual({
      AWSTemplateFormatVersion: '2010-09-09',
      Description: 'Loans of a library',
      Resources: {
        CityLibrary2Table: {
          Type: 'AWS::DynamoDB::Table',
          DeletionPolicy: 'Retain',
          UpdateReplacePolicy: 'Retain',
          Properties: {
            TableName: 'city-library.2',
            BillingMode: 'PAY_PER_REQUEST',
            AttributeDefinitions: [textual('PK'), textual('SK'), textual('by.readerPK'), textual('by.readerSK')],
            KeySchema: [hash('PK'), range('SK')],
            GlobalSecondaryIndexes: [
              {
                IndexName: 'by.reader',
                KeySchema: [hash('by.readerPK'), range('by.readerSK')],
                Projection: { ProjectionType: 'ALL' },
              },
            ],
            TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            DeletionProtectionEnabled: true,
            Tags: [
              { Key: 'Environment', Value: 'production' },
              { Key: 'cost:center', Value: '0042' },
            ],
          },
        },
      },
      Outputs: {
        TableName: { Description: 'DynamoDB table name', Value: { Ref: 'CityLibrary2Table' } },
        TableArn: { Description: 'DynamoDB table ARN', Value: { 'Fn::GetAtt': ['CityLibrary2Table', 'Arn'] } },
      },
    })
  })

  test('has nothing of what a design does not have', () => {
    const bare = design({ name: 'bare', table: 'bare', entities: {}, patterns: {} })
    const { Description, Resources } = cloudFormation(bare)
    expect(Description).toBeUndefined()
    expect(Object.keys(Resources.BareTable?.Properties ?? {})).toEqual([
      'TableName',
      'BillingMode',
      'AttributeDefinitions',
      'KeySchema',
      'PointInTimeRecoverySpecification',
      'DeletionProtectionEnabled',
    ])
  })

  test('of another table differs in its name only', () => {
    const other = JSON.stringify(cloudFormation(library, 'branch_library'))
    expect(other).toBe(JSON.stringify(cloudFormation(library)).replace('"TableName":"city-library.2"', '"TableName":"branch_library"'))
  })

  test.each([
    ['app_data', 'AppDataTable'],
    ['rebac', 'RebacTable'],
    ['a.b-c__D', 'ABCDTable'],
    ['2fa', '2faTable'],
    ['...', 'Table'],
    ['x'.repeat(255), `X${'x'.repeat(249)}Table`],
  ])('of the table %s names it %s', (table, logicalId) => {
    const { Resources, Outputs } = cloudFormation(design({ name: 'any', table, entities: {}, patterns: {} }))
    expect(Object.keys(Resources)).toEqual([logicalId])
    expect([Outputs.TableName.Value, Outputs.TableArn.Value]).toEqual([{ Ref: logicalId }, { 'Fn::GetAtt': [logicalId, 'Arn'] }])
  })

  test.each(['', 'ab', 'x'.repeat(256), 'a b c', 'é'.repeat(3), 'abc\n'])('of a table %j is refused', (table) => {
    const refused = expect.objectContaining({ code: 'InvalidInput', details: expect.objectContaining({ table }) })
    expect(() => cloudFormation(library, table)).toThrow(refused)
  })

  test('defines each key attribute once, whatever the indexes', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_.-]{3,8}$/), { maxLength: 20 })
    fc.assert(
      fc.property(names, (indexes) => {
        const Thing = entity('Thing', {
          attributes: { id: text() },
          key: ['THING#{id}', 'META'],
          indexes: Object.fromEntries(indexes.map((name) => [name, ['THING', '{id}'] as const])),
        })
        const { Resources } = cloudFormation(design({ name: 'any', table: 'any', entities: { Thing }, patterns: {} }))
        const { AttributeDefinitions = [], KeySchema = [], GlobalSecondaryIndexes = [] } = Resources.AnyTable?.Properties ?? {}
        const defined = AttributeDefinitions.map(({ AttributeName }) => AttributeName)
        const inKeys = [{ KeySchema }, ...GlobalSecondaryIndexes].flatMap((each) =>
          each.KeySchema.map(({ AttributeName }) => AttributeName),
        )
        expect(new Set(defined).size).toBe(defined.length)
        expect([...defined].sort()).toEqual([...inKeys].sort())
        expect(GlobalSecondaryIndexes.map(({ IndexName }) => IndexName).sort()).toEqual([...indexes].sort())
      }),
      { numRuns: 50 },
    )
  })
})
