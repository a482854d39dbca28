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
} as const satisfies SettingTable
