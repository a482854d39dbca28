import { describe, expect, test } from 'vitest'
import { settledBy } from '../../test/settled.ts'
import type { Environment } from '../environment.ts'
import { connectBounds } from './connect-bounds.ts'

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
