import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { readJson, utf8Text } from '@freehold/frame/reading'
import { FreeholdError } from '@freehold/table'
import { codeOf } from '../engine/atomic-file.ts'
import { invalid } from '../input/invalid.ts'
import { whyMalformed } from '../input/json-object.ts'
import { hintOf } from '../naming/nearest.ts'
import { safeText } from '../output/safe-text.ts'
import { optionOf, type Setting, type SettingTable, type SettingValue, variableOf } from './setting.ts'
import { readValue } from './values.ts'

/**
 * The file in the working folder. Folders above are not searched: a command would mean something else in each folder below, and a file that somebody
 * else left above would decide.
 */
export const fileName = 'freehold.config.json'

const bytes_max = 1_048_576

/** The settings of a file. */
export interface ConfigFile {
  /** As it was named. */
  readonly path: string
  readonly values: ReadonlyMap<string, SettingValue>
}

const refused = (path: string, why: string) => invalid(`${safeText(path)} ${why}`)

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist: --config and FREEHOLD_CONFIG name a file of settings.',
  EACCES: 'may not be read by this user.',
}

/** The text of the file. Undefined if there is none and nobody has named it. */
function textOf(path: string, cwd: string, isNamed: boolean): string | undefined {
  if (path === '') throw refused('--config', 'is empty: give the path of a file of settings, or leave it out.')
  if (path.includes('\0')) throw refused(path, 'is no name of a file.')
  const absolute = resolve(cwd, path)
  let bytes: Uint8Array
  try {
    const stats = statSync(absolute)
    // A pipe would be waited for, and a device never ends.
    if (!stats.isFile()) throw refused(path, 'is not a file. --config and FREEHOLD_CONFIG name a file of settings.')
    if (stats.size > bytes_max) throw refused(path, `has more than ${bytes_max} bytes.`)
    bytes = readFileSync(absolute)
  } catch (error) {
    if (error instanceof FreeholdError) throw error
    if (!isNamed && codeOf(error) === 'ENOENT') return undefined
    throw refused(path, reasons[codeOf(error)] ?? 'cannot be read.')
  }
  return utf8Text(bytes, safeText(path))
}

interface Written {
  readonly path: string
  readonly isNamed: boolean
  readonly name: string
  readonly given: unknown
}

function valueIn({ path, isNamed, name, given }: Written, setting: Setting): SettingValue {
  const option = optionOf(name, setting)
  const others = option === undefined ? variableOf(name) : `${option} or ${variableOf(name)}`
  if (setting.isSecret === true) throw refused(path, `holds ${name}, which is a secret: set ${variableOf(name)} instead.`)
  if (setting.isOutsideFile === true) throw refused(path, `holds ${name}, which decides where secrets go: set ${others} instead.`)
  const read = readValue(setting, given)
  if ('problem' in read) throw refused(path, `has a wrong value of ${name}, ${JSON.stringify(given)?.slice(0, 60)}. ${read.problem}`)
  if (setting.isTrusted === true && !isNamed)
    throw refused(path, `holds ${name}, which decides about trust: name the file by --config or FREEHOLD_CONFIG, or set ${others}.`)
  const { value } = read
  return setting.kind === 'path' && typeof value === 'string' && !isAbsolute(value) ? join(dirname(path), value) : value
}

/**
 * Reads and checks the file of settings. A file that nobody has named decides nothing about trust.
 * @param named as an option or variable names it; `freehold.config.json` of the working folder unless given
 * @param known the settings that it may hold
 * @throws InvalidInput for a named file that cannot be read, for an unknown name, for a wrong value, and for a setting that the file may not hold
 */
export function readConfigFile(cwd: string, named: string | undefined, known: SettingTable): ConfigFile | undefined {
  const path = named ?? fileName
  const text = textOf(path, cwd, named !== undefined)
  if (text === undefined) return undefined
  const { value, problem, cause } = { value: undefined, problem: undefined, cause: undefined, ...readJson(text) }
  if (problem !== undefined) throw refused(path, cause === undefined ? `${problem}.` : `${problem}: ${whyMalformed(cause, text)}.`)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(path, 'is not a JSON object of settings.')
  const values = new Map<string, SettingValue>()
  for (const [name, given] of Object.entries(value)) {
    // Editors find the schema by it.
    if (name === '$schema') continue
    const setting = Object.hasOwn(known, name) ? known[name] : undefined
    if (setting === undefined) {
      const hint = hintOf(name, Object.keys(known), 'freehold config')
      throw refused(path, `has a setting '${name.slice(0, 60)}', which is none. ${hint}`)
    }
    values.set(name, valueIn({ path, isNamed: named !== undefined, name, given }, setting))
  }
  return { path, values }
}
