import { describe, expect, test } from 'vitest'
import { settledBy } from '../../test/settled.ts'
import type { Environment } from '../environment.ts'
import { connectBounds, isAtAws } from './connect-dynamo.ts'

test.each([
  ['http://127.0.0.1:8000', false],
  ['http://localhost:4566', false],
  ['https://dynamodb.example.org', false],
  ['https://amazonaws.com.example.org', false],
  ['https://dynamodb.eu-central-1.amazonaws.com', true],
  ['https://dynamodb.cn-north-1.amazonaws.com.cn', true],
  ['https://vpce-1-2.dynamodb.eu-west-1.vpce.amazonaws.com', true],
  ['https://dynamodb.us-east-1.api.aws', true],
])('a table at %s is AWS: %s', (endpoint, expected) => {
  expect(isAtAws({ kind: 'endpoint', endpoint })).toBe(expected)
})

test('a region is AWS, and the embedded engine is not', () => {
  expect(isAtAws({ kind: 'aws', region: 'eu-central-1' })).toBe(true)
  expect(isAtAws({ kind: 'embedded', directory: '/x', memory: false })).toBe(false)
})

const budgetOf = (env: Environment) => connectBounds({ settings: settledBy(env) })

describe('FREEHOLD_JOB_WRITE_UNITS', () => {
  test('is what jobs may write a second; without it they have no bounds', () => {
    expect(budgetOf({ FREEHOLD_JOB_WRITE_UNITS: '250' })).toMatchObject({ jobWriteUnits_per_s: 250 })
    expect(budgetOf({})).not.toHaveProperty('jobWriteUnits_per_s')
  })

  test.each(['0', '-5', 'many', '1e999', '0.5'])('is refused as %s', (text) => {
    expect(() => budgetOf({ FREEHOLD_JOB_WRITE_UNITS: text })).toThrow(`FREEHOLD_JOB_WRITE_UNITS is '${text}'`)
  })
})
