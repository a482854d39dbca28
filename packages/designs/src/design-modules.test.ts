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
