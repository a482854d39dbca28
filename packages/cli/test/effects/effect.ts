import type { SettingName } from '../../src/config/settings.ts'
import type { groups } from '../../src/config/table.ts'

/** Proves that a setting reaches the code that it bounds. It fails where the setting is read and forgotten. */
export type Effect = () => Promise<void>

/** An effect of each setting of a group. */
export type EffectsOf<G extends keyof typeof groups> = { readonly [N in keyof (typeof groups)[G] & SettingName]: Effect }
