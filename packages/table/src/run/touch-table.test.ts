import { expect, test } from 'vitest'
import { ownCatalogue } from '../../test/catalogue/table.ts'
import { meter } from './meter.ts'
import { readItem } from './read.ts'
import { scanItems } from './scan.ts'
import { touchTable } from './touch-table.ts'

test('a table that is touched takes one write, and has one item more, which says when', async () => {
  const table = await ownCatalogue()
  const touch = async (now: string) => meter(() => touchTable({ ...table.runtime, now: () => new Date(now) }))
  const { cost } = await touch('2026-01-01T00:00:00.000Z')
  expect(cost).toMatchObject({ requests: 1, writeUnits: 1 })
  await touch('2026-01-01T00:00:01.000Z')
  const items = []
  for await (const page of scanItems(table.runtime)) items.push(...page)
  const item = {
    PK: 'FREEHOLD_JOBS',
    SK: 'HEALTH',
    Type: 'Job',
    version: 1,
    writeId: expect.any(String),
    checkedAt: '2026-01-01T00:00:01.000Z',
  }
  expect(items).toEqual([item])
  expect(await readItem(table.runtime, { PK: item.PK, SK: item.SK }, {})).toEqual(item)
  expect(await table.jobs.list()).toEqual([])
})
