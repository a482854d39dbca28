import type { SettingTable } from '../setting.ts'

const day_ms = 86_400_000

/** What a server remembers of definitions, keys and tokens, and how often it looks at what may change. */
export const memory = {
  definitionAgeMs: {
    kind: 'number',
    unit: 'ms',
    least: 0,
    most: day_ms,
    default: 5_000,
    of: 'serve',
    says: 'how old a remembered role, page or group may be in a decision that is bounded; with 0 each is read',
  },
  definitionBytesMax: {
    kind: 'number',
    unit: 'bytes',
    least: 0,
    most: 4_294_967_296,
    default: 67_108_864,
    of: 'serve',
    says: 'the memory of each design for definitions',
  },
  keyAgeMs: {
    kind: 'number',
    unit: 'ms',
    least: 0,
    most: day_ms,
    default: 5_000,
    of: 'serve',
    says: 'how long a verified API key is remembered: another process revokes it within that time; with 0 each request reads it',
  },
  keyLookupsMax: {
    kind: 'number',
    unit: 'lookups',
    least: 1,
    most: 1_000,
    default: 16,
    of: 'serve',
    says: 'the most API keys that are looked up at once',
  },
  keyLookupsWaitingMax: {
    kind: 'number',
    unit: 'lookups',
    least: 0,
    most: 100_000,
    default: 1_000,
    of: 'serve',
    says: 'the most lookups of API keys that wait; further requests are told to try again',
  },
  tokenLeewayS: {
    kind: 'number',
    unit: 's',
    least: 0,
    most: 600,
    default: 30,
    of: 'serve',
    says: 'how far the clocks of an issuer of tokens and of the service may differ',
  },
  folderLookMs: {
    kind: 'number',
    unit: 'ms',
    least: 50,
    most: day_ms,
    default: 500,
    of: 'serve',
    says: 'how often a server looks at the folder of a design, such as policies; a change counts once two looks see the same',
  },
  storeLookMs: {
    kind: 'number',
    unit: 'ms',
    least: 1_000,
    most: day_ms,
    default: 60_000,
    of: 'serve',
    says: 'how often a server asks whether a policy store has changed, by some three requests',
  },
} as const satisfies SettingTable
