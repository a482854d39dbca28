import type { SettingTable } from '../setting.ts'

/** Durable jobs, and what designs leave out. */
export const jobs = {
  jobWriteUnits: {
    kind: 'number',
    unit: 'write units a second',
    least: 1,
    most: 1_000_000,
    of: 'table',
    says: 'what all durable jobs of a process may write to a table; unbounded if it is not set',
  },
} as const satisfies SettingTable
