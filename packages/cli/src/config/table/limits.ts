import type { SettingTable } from '../setting.ts'

/** The limits of one request, and of requests together. */
export const limits = {
  bodyBytesMax: {
    kind: 'number',
    unit: 'bytes',
    least: 256,
    most: 16_777_216,
    default: 1_048_576,
    of: 'serve',
    says: 'the largest body of a request',
  },
  queryBytesMax: {
    kind: 'number',
    unit: 'bytes',
    least: 256,
    most: 65_536,
    default: 8_192,
    of: 'serve',
    says: 'the longest query string of a request',
  },
  questionsMax: {
    kind: 'number',
    unit: 'questions',
    least: 1,
    most: 1_000,
    default: 100,
    of: 'serve',
    says: 'the most questions in one request',
  },
  runningMax: {
    kind: 'number',
    unit: 'requests',
    least: 1,
    most: 10_000,
    default: 64,
    of: 'serve',
    says: 'the most requests that run at once, in each worker',
  },
  waitingMax: {
    kind: 'number',
    unit: 'requests',
    least: 0,
    most: 100_000,
    default: 512,
    of: 'serve',
    says: 'the most requests that wait for a place, in each worker; the next get 503',
  },
  idleMs: {
    kind: 'number',
    unit: 'ms',
    least: 100,
    most: 600_000,
    default: 5_000,
    of: 'serve',
    says: 'how long a connection is kept between two requests; behind a load balancer more than its own idle timeout',
  },
} as const satisfies SettingTable
