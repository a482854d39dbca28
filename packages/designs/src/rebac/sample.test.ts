import { expect, test } from 'vitest'
import { ownTable } from '../../test/own-table.ts'
import { wholeTable } from '../../test/whole-table.ts'
import { decideRebac } from './decide.ts'
import { loadSample, sampleQuestions } from './sample.ts'

test('the sample is loaded into an empty table, once', async () => {
  const table = await ownTable()
  const loads = await Promise.all([loadSample(table), loadSample(table), loadSample(table)])
  expect(loads.filter(Boolean)).toHaveLength(1)
  const before = await wholeTable(table)
  await table.User.create({ displayName: 'Somebody' })
  expect(await loadSample(table)).toBe(false)
  expect(await wholeTable(table)).toHaveLength(before.length + 2)
})

test('a table with anything in it is left alone', async () => {
  const table = await ownTable()
  await table.Page.create({ pageName: 'mine' })
  expect(await loadSample(table)).toBe(false)
  expect(await wholeTable(table)).toHaveLength(2)
})

test('the questions that are asked about the sample are answered as it is said', async () => {
  const table = await ownTable()
  await loadSample(table)
  const decider = decideRebac(table.runtime)
  expect(await decider.can(sampleQuestions.allowed)).toMatchObject({ allowed: true })
  expect(await decider.can(sampleQuestions.denied)).toMatchObject({ allowed: false, reason: { kind: 'policy' } })
  expect(await decider.can({ ...sampleQuestions.allowed, location: 'NYC001' })).toMatchObject({ allowed: false })
})
