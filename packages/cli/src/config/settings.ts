// To add a setting, write its line in a group of `table/`, read it in the code that it bounds as `shell.settings.NAME`, and prove by a case in
// `packages/cli/test/effects/` that it gets there. Option, variable, line of the file, schema and `freehold config` follow from the line;
// `npm run docs` writes docs/reference/configuration.md.

import type { Setting, SettingTable } from './setting.ts'
import { dynamo } from './table/dynamo.ts'
import { engine } from './table/engine.ts'
import { jobs } from './table/jobs.ts'
import { limits } from './table/limits.ts'
import { mails } from './table/mails.ts'
import { memory } from './table/memory.ts'
import { observing } from './table/observing.ts'
import { secrets } from './table/secrets.ts'
import { service } from './table/service.ts'
import { serving } from './table/serving.ts'

/** The groups of settings, by their titles. */
export const groups = {
  Serving: serving,
  Observing: observing,
  'Limits of requests': limits,
  'What a server remembers': memory,
  DynamoDB: dynamo,
  Jobs: jobs,
  Mails: mails,
  'The embedded engine': engine,
  'Asking a service': service,
  Secrets: secrets,
} as const satisfies Readonly<Record<string, SettingTable>>

/** Every setting by its name. A test holds that no two groups share one. */
export const settingTable = {
  ...serving,
  ...observing,
  ...limits,
  ...memory,
  ...dynamo,
  ...jobs,
  ...mails,
  ...engine,
  ...service,
  ...secrets,
} as const satisfies SettingTable

type Known = typeof settingTable
export type SettingName = keyof Known

type ValueOf<S extends Setting> = S extends { readonly kind: 'number' }
  ? number
  : S extends { readonly kind: 'flag' }
    ? boolean
    : S extends { readonly kind: 'list' }
      ? readonly string[]
      : S extends { readonly kind: 'choice'; readonly choices: readonly (infer C)[] }
        ? C
        : string

type HasDefault<N extends SettingName> = Known[N] extends { readonly default: unknown } ? N : never

/** The values that hold for a command. A setting without a default may be undefined. */
export type Settings = { readonly [N in SettingName as HasDefault<N>]: ValueOf<Known[N]> } & {
  readonly [N in SettingName as Exclude<N, HasDefault<N>>]?: ValueOf<Known[N]> | undefined
} & {
  /** The folders by which modules decide, by their names (`policies`), and the policy store in place of one: `policyStore`. */
  readonly folders: Readonly<Record<string, string>>
  /** Where each setting is set; absent for one that is not. */
  readonly places: Readonly<Record<string, Place>>
}

/** Where settings are set. The first place counts. */
export const places = ['option', 'variable', 'file'] as const
export type Place = (typeof places)[number]

const defaultsOf = Object.fromEntries(Object.entries<Setting>(settingTable).map(([name, setting]) => [name, setting.default]))

/** The settings where nobody has set anything. */
// The members are those of the table, with the defaults of their kinds.
export const defaultSettings = Object.freeze({ ...defaultsOf, folders: {}, places: {} }) as unknown as Settings
