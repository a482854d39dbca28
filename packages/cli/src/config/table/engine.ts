import type { SettingTable } from '../setting.ts'

/** The embedded engine. */
export const engine = {
  data: {
    // A folder that somebody else wrote must not decide which data a command reads and changes.
    isTrusted: true,
    kind: 'path',
    default: '.freehold',
    of: 'engine',
    isCommon: true,
    says: "the embedded engine's data folder",
  },
  without: {
    isTrusted: true,
    kind: 'list',
    of: 'table',
    // All commands must use the same design: otherwise one would report the items of another as malformed.
    option: false,
    says: 'features that designs leave out, DESIGN:FEATURE,FEATURE each',
  },
  engineWaitMs: {
    kind: 'number',
    unit: 'ms',
    least: 0,
    most: 86_400_000,
    default: 15_000,
    of: 'engine',
    says: 'how long a command waits for the engine of another process, which starts or ends',
  },
  engineReadyMs: {
    kind: 'number',
    unit: 'ms',
    least: 1,
    most: 86_400_000,
    default: 6_000,
    of: 'engine',
    says: 'how long a started engine may take to answer',
  },
  engineRestartsMax: {
    kind: 'number',
    unit: 'restarts',
    least: 0,
    most: 1_000,
    default: 5,
    of: 'engine',
    says: 'how often an engine that died is restarted within a minute',
  },
} as const satisfies SettingTable
