import { type DesignModule, folderOf } from '@freehold/frame'
import type { Environment } from '../environment.ts'
import { invalid } from '../input/invalid.ts'
import { safeText } from '../output/safe-text.ts'
import { readConfigFile } from './config-file.ts'
import { optionOf, type Setting, type SettingTable, type SettingValue, variableOf } from './setting.ts'
import type { Place, Settings } from './settings.ts'
import { settingTable } from './table.ts'
import { readText } from './values.ts'

/** The parts of a shell by which settings hold. */
export interface Settling {
  readonly env: Environment
  readonly cwd: string
  readonly designs: ReadonlyMap<string, DesignModule>
}

/** What a command line sets. */
export interface GivenOptions {
  /** The file of settings. */
  readonly config?: string
  readonly values?: ReadonlyMap<string, SettingValue>
}

export interface SettledValue {
  readonly name: string
  readonly setting: Setting
  readonly value: SettingValue | undefined
  /** Undefined for a default. */
  readonly place?: Place
  /** `--port`, `FREEHOLD_PORT`, the path of the file, or `default`. */
  readonly from: string
}

/** The settings that hold, and from where. */
export interface Settled {
  readonly settings: Settings
  readonly each: readonly SettledValue[]
  /** The file that was read, as it was named. */
  readonly file: string | undefined
}

/** The settings of the folders by which modules decide, and of the policy store that decides in place of one. */
export function folderSettings(designs: Settling['designs']): SettingTable {
  const folders = [...designs.values()].flatMap((module) => folderOf(module) ?? [])
  const named = folders.map(({ name, holds }): [string, Setting] => [
    name,
    { kind: 'path', takes: 'folder', of: 'table', isCommon: true, isTrusted: true, says: `the folder of ${holds}` },
  ])
  const says = 'the policy store in Amazon Verified Permissions that decides, in place of the folder'
  const store = { kind: 'text', takes: 'id', option: 'store', of: 'table', isCommon: true, isTrusted: true, says } as const
  return { ...Object.fromEntries(named), ...(folders.some(({ byEngine }) => byEngine !== undefined) ? { policyStore: store } : {}) }
}

/** All settings: those of the command, and a folder for each module that decides by one. */
export function knownSettings(designs: Settling['designs']): SettingTable {
  return { ...settingTable, ...folderSettings(designs) }
}

function fromVariable(name: string, setting: Setting, text: string): SettingValue {
  const read = readText(setting, text)
  if ('value' in read) return read.value
  const quoted = setting.isSecret === true ? 'has a wrong value' : `is '${safeText(text.slice(0, 60))}'`
  throw invalid(`${variableOf(name)} ${quoted}. ${read.problem}`)
}

/**
 * Settles each setting: an option comes before the environment, that before the file, and that before the default. Every command checks all of
 * them, so that a mistake shows before it matters.
 * @throws InvalidInput for a wrong value, and for a file that cannot be read
 */
export function settle({ env, cwd, designs }: Settling, { config, values: given = new Map() }: GivenOptions = {}): Settled {
  const known = knownSettings(designs)
  const file = readConfigFile(cwd, config ?? env.FREEHOLD_CONFIG, known)
  const each = Object.entries(known).map(([name, setting]): SettledValue => {
    const told = { name, setting }
    const option = given.get(name)
    if (option !== undefined) return { ...told, value: option, place: 'option', from: optionOf(name, setting) ?? name }
    const variable = variableOf(name)
    const text = env[variable]
    if (text !== undefined) return { ...told, value: fromVariable(name, setting, text), place: 'variable', from: variable }
    const written = file?.values.get(name)
    if (file !== undefined && written !== undefined) return { ...told, value: written, place: 'file', from: file.path }
    return { ...told, value: setting.default, from: 'default' }
  })
  const folders = each.flatMap(({ name, value }) => (Object.hasOwn(settingTable, name) || value === undefined ? [] : [[name, value]]))
  const set = each.flatMap(({ name, place }) => (place === undefined ? [] : [[name, place]]))
  const settled = {
    ...Object.fromEntries(each.map(({ name, value }) => [name, value])),
    folders: Object.fromEntries(folders),
    places: Object.fromEntries(set),
  }
  // The members are those of the table, each read by its kind.
  return { settings: settled as unknown as Settings, each, file: file?.path }
}
