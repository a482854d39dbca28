import type { SettingTable } from '../setting.ts'

/** What operators see of a server beside its log. */
export const observing = {
  metricsPort: {
    kind: 'number',
    least: 0,
    most: 65_535,
    of: 'serve',
    isCommon: true,
    says: 'port of /metrics, for Prometheus; 0 takes a free one; none unless given',
  },
  metricsHost: { kind: 'text', default: '127.0.0.1', takes: 'address', of: 'serve', says: 'address of the port of /metrics' },
  decisionLog: {
    kind: 'path',
    takes: 'file',
    of: 'serve',
    isCommon: true,
    says: 'file of the decision log; - is stdout; none unless given',
  },
  decisionLogOf: {
    kind: 'choice',
    choices: ['all', 'denials', 'sample'],
    default: 'all',
    of: 'serve',
    says: 'the questions that the decision log has',
  },
  decisionLogPercent: {
    kind: 'number',
    unit: '%',
    least: 1,
    most: 100,
    default: 1,
    of: 'serve',
    says: 'the part of all questions that a sample has',
  },
  decisionLogEvidence: {
    kind: 'flag',
    default: false,
    of: 'serve',
    says: 'ask why after each logged can, for the evidence of its line',
  },
  decisionLogBytesMax: {
    kind: 'number',
    unit: 'bytes',
    least: 0,
    most: 999_999_999,
    default: 100_000_000,
    of: 'serve',
    says: 'size from which the file of the decision log is put aside; with 0 it never is',
  },
  decisionLogFilesMax: {
    kind: 'number',
    least: 1,
    most: 1000,
    default: 5,
    of: 'serve',
    says: 'files of the decision log that are kept beside the current one',
  },
} as const satisfies SettingTable
