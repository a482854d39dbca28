import type { SettingTable } from '../setting.ts'

const day_ms = 86_400_000

/** The requests to DynamoDB: connections, and the time that they may take. */
export const dynamo = {
  patienceMs: {
    kind: 'number',
    unit: 'ms',
    least: 0,
    most: day_ms,
    default: 10_000,
    of: 'table',
    says: 'how long one call may begin attempts; with 0 there is one. A call is a request with its retries, also to a policy store, or a whole transaction',
  },
  attemptMs: {
    kind: 'number',
    unit: 'ms',
    least: 1,
    most: day_ms,
    default: 5_000,
    of: 'table',
    says: 'how long one attempt at a request may take, with the wait for a connection',
  },
  sockets: {
    kind: 'number',
    unit: 'connections',
    least: 1,
    most: 10_000,
    default: 50,
    of: 'table',
    says: 'the most connections to DynamoDB; each has one request at a time',
  },
  connectMs: {
    kind: 'number',
    unit: 'ms',
    least: 1,
    most: day_ms,
    default: 3_000,
    of: 'table',
    says: 'how long a connection to DynamoDB may take to be made',
  },
  socketIdleMs: {
    kind: 'number',
    unit: 'ms',
    least: 1,
    most: day_ms,
    default: 20_000,
    of: 'table',
    says: 'how long a connection to DynamoDB is kept without a request; one that the other end has closed loses a request',
  },
  startPatienceMs: {
    kind: 'number',
    unit: 'ms',
    least: 0,
    most: day_ms,
    default: 4_000,
    of: 'serve',
    says: 'as patienceMs, for the first requests of a start elsewhere than at AWS; an engine on a full disk does not answer',
  },
  startAttemptMs: {
    kind: 'number',
    unit: 'ms',
    least: 1,
    most: day_ms,
    default: 2_000,
    of: 'serve',
    says: 'as attemptMs, for the first requests of a start elsewhere than at AWS',
  },
} as const satisfies SettingTable
