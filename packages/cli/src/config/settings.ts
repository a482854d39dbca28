// To add a setting, write its line in `table.ts`, read it in the code that it bounds as `shell.settings.NAME`, and prove by a case in
// `packages/cli/test/effects/` that it gets there. Option, variable, line of the file, schema and `freehold config` follow from the line;
// `npm run docs` writes docs/reference/configuration.md. First say who changes it, and when: what nobody would is a constant.

import type { Setting } from './setting.ts'
import { settingTable } from './table.ts'

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
