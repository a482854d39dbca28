/**
 * The commands that have a setting as an option: `serve`; all that open a table, `serve` among them; all that use the embedded engine; or all that ask a
 * service in place of a table.
 */
export type Use = 'serve' | 'table' | 'engine' | 'service'

interface Told {
  /** The commands with the option. Variable and file hold for every command. */
  readonly of: Use
  /** One sentence without its subject: what it bounds or names. */
  readonly says: string
  /** True to show the option in the help of its commands. `freehold config` and docs/reference/configuration.md have all of them. */
  readonly isCommon?: true
  /** What the option takes, in one word of its help: `url`. By default its kind. */
  readonly takes?: string
  /** The name of the option, if it is not that of the setting; false for none. */
  readonly option?: string | false
  /** A secret comes from its variable alone, since others can read options and files. */
  readonly isSecret?: true
  /** True for a setting that the file may not hold: a folder that somebody else wrote must not decide where secrets go. */
  readonly isOutsideFile?: true
  /** True for a setting that decides who is believed, what is permitted, what is recorded or where data lies: of files, only a named one sets it. */
  readonly isTrusted?: true
}

/** A whole number. The unit is not part of the value. */
export interface NumberSetting extends Told {
  readonly kind: 'number'
  readonly unit?: string
  readonly least: number
  readonly most: number
  readonly default?: number
}

export interface TextSetting extends Told {
  readonly kind: 'text'
  readonly default?: string
}

/** A file or a folder. In the file of settings it is relative to that file, elsewhere to the working folder. */
export interface PathSetting extends Told {
  readonly kind: 'path'
  readonly default?: string
}

export interface FlagSetting extends Told {
  readonly kind: 'flag'
  readonly default: boolean
}

export interface ChoiceSetting extends Told {
  readonly kind: 'choice'
  readonly choices: readonly [string, ...string[]]
  readonly default?: string
}

/** Texts without white space, which separates them in a variable. */
export interface ListSetting extends Told {
  readonly kind: 'list'
  readonly default?: readonly string[]
}

/** One setting of the command. */
export type Setting = NumberSetting | TextSetting | PathSetting | FlagSetting | ChoiceSetting | ListSetting

/** Settings by their names in the file, which are camel case. A name ends with its unit: `patienceMs`. */
export type SettingTable = Readonly<Record<string, Setting>>

/** A value as code takes it. */
export type SettingValue = number | string | boolean | readonly string[]

const wordsOf = (name: string): readonly string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())

/** True for a setting that may stand in the file. */
export const mayStandInFile = ({ isSecret, isOutsideFile }: Setting): boolean => isSecret !== true && isOutsideFile !== true

/** What a setting is, with the limit on where it may stand: for an editor, and for the reference. */
export const saysOf = ({ says, isTrusted }: Setting): string => (isTrusted === true ? `${says}; of files, only a named one sets it` : says)

/** The option of a setting without its value: `--body-bytes-max`. Undefined for one that has none. */
export function optionOf(name: string, { option, isSecret }: Setting): string | undefined {
  if (option === false || isSecret === true) return undefined
  return `--${option ?? wordsOf(name).join('-')}`
}

export type Variable = `FREEHOLD_${Uppercase<string>}`

/** The environment variable of a setting: `FREEHOLD_BODY_BYTES_MAX`. */
export function variableOf(name: string): Variable {
  // The compiler does not know what `toUpperCase` gives.
  return `FREEHOLD_${wordsOf(name).join('_').toUpperCase() as Uppercase<string>}`
}
