import { describe, expect, test } from 'vitest'
import { jobBudget } from './job-budget.ts'

describe('FREEHOLD_JOB_WRITE_UNITS', () => {
  test('is what jobs may write a second; without it they have no bounds', () => {
    expect(jobBudget({ env: { FREEHOLD_JOB_WRITE_UNITS: '250' } })).toEqual({ jobWriteUnits_per_s: 250 })
    expect(jobBudget({ env: {} })).toEqual({})
  })

  test.each(['0', '-5', 'many', '1e999', '0.5'])('is refused as %s', (text) => {
    expect(() => jobBudget({ env: { FREEHOLD_JOB_WRITE_UNITS: text } })).toThrow(`FREEHOLD_JOB_WRITE_UNITS is '${text}'`)
  })
})
