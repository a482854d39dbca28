import { cloudFormation } from '@freehold/table/publish'
import { expect, test } from 'vitest'
import { documentTemplate, factsOf } from '../../test/template-facts.ts'
import { platform } from './design.ts'

const ours = factsOf(cloudFormation(platform))
const documents = factsOf(documentTemplate('platform-template/app-data.yaml'))

test('the template of platform has everything that the document’s has, with the same values', () => {
  expect(Object.keys(documents)).toHaveLength(52)
  expect(ours).toMatchObject(documents)
})

test('the template of platform has beyond that what keeps the data, and nothing else', () => {
  const table = 'Resources.AppDataTable'
  expect(Object.fromEntries(Object.entries(ours).filter(([path]) => !(path in documents)))).toEqual({
    [`${table}.DeletionPolicy`]: 'Retain',
    [`${table}.UpdateReplacePolicy`]: 'Retain',
    [`${table}.Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled`]: true,
    [`${table}.Properties.DeletionProtectionEnabled`]: true,
  })
})
