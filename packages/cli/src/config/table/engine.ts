import type { SettingTable } from '../setting.ts'

/** The embedded engine. */
export const engine = {
  data: { kind: 'path', default: '.freehold', of: 'engine', isCommon: true, says: "the embedded engine's data folder" },
  without: {
    kind: 'list',
    of: 'table',
    // All commands must use the same design: otherwise one would report the items of another as malformed.
    option: false,
    says: 'features that designs leave out, DESIGN:FEATURE,FEATURE each',
  },
} as const satisfies SettingTable
