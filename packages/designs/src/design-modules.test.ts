import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cloudFormation } from '@freehold/table/publish'
import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../test/own-table.ts'
import { designModules } from './design-modules.ts'

const designs = [...designModules.values()].map(({ design }) => ({ name: design.name, design }))

describe.each(designs)('the table of $name', ({ design }) => {
  test('as it is made locally is the one of its template', async () => {
    const { runtime } = await ownTableOf(design)
    const [resource] = Object.values(cloudFormation(design, runtime.table).Resources)
    const { TableName, BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, TimeToLiveSpecification } =
      resource?.Properties ?? {}

    const { Table } = await runtime.sender.send('DescribeTable', { TableName: runtime.table })
    expect(Table).toMatchObject({ TableName, AttributeDefinitions, KeySchema, BillingModeSummary: { BillingMode } })
    if (GlobalSecondaryIndexes === undefined) expect(Table).not.toHaveProperty('GlobalSecondaryIndexes')
    else expect(Table).toMatchObject({ GlobalSecondaryIndexes })

    const { TimeToLiveDescription } = await runtime.sender.send('DescribeTimeToLive', { TableName: runtime.table })
    const expected = TimeToLiveSpecification === undefined ? [undefined, 'DISABLED'] : [TimeToLiveSpecification.AttributeName, 'ENABLED']
    expect([TimeToLiveDescription?.AttributeName, TimeToLiveDescription?.TimeToLiveStatus]).toEqual(expected)
  })
})

test.each([...designModules].flatMap(([name, { flows }]) => (flows === undefined ? [] : [name])))(
  'the flows of %s are held to their records and to idempotency keys',
  (name) => {
    expect(readFileSync(join(import.meta.dirname, name, 'flows', 'records.test.ts'), 'utf8')).toContain('testFlows({')
  },
)
