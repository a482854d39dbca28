import type { SettingTable } from '../setting.ts'

const day_ms = 86_400_000

/** Durable jobs: what they may take, how long callers wait for them, and who finishes those that were left. */
export const jobs = {
  jobWriteUnits: {
    kind: 'number',
    unit: 'write units a second',
    least: 1,
    most: 1_000_000,
    of: 'table',
    says: 'what all durable jobs of a process may write to a table; unbounded if it is not set',
  },
  jobRequestsMax: {
    kind: 'number',
    unit: 'requests',
    least: 1,
    most: 1_000,
    default: 16,
    of: 'table',
    says: 'the most requests of one durable job at once; at most 2 of them are writes',
  },
  jobWaitMs: {
    kind: 'number',
    unit: 'ms',
    least: 0,
    most: day_ms,
    default: 300_000,
    of: 'table',
    says: 'how long a command other than `serve` waits for the durable jobs of its call',
  },
  requestWaitMs: {
    kind: 'number',
    unit: 'ms',
    least: 0,
    most: day_ms,
    default: 20_000,
    of: 'serve',
    says: 'how long an HTTP request waits for its durable jobs, which the server then continues; proxies give up soon after that',
  },
  jobLookMs: {
    kind: 'number',
    unit: 'ms',
    least: 100,
    most: day_ms,
    default: 30_000,
    of: 'serve',
    says: 'how often a server looks for jobs that a process has left behind',
  },
  leftJobsMax: {
    kind: 'number',
    unit: 'jobs',
    least: 1,
    most: 1_000,
    default: 20,
    of: 'table',
    says: 'the most left jobs that a command other than `serve` finishes after its own work',
  },
  leftJobsMs: {
    kind: 'number',
    unit: 'ms',
    least: 0,
    most: day_ms,
    default: 2_000,
    of: 'table',
    says: 'how long such a command begins left jobs',
  },
} as const satisfies SettingTable
