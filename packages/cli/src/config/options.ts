import { type Command, InvalidArgumentError, Option } from 'commander'
import { optionOf, type Setting, type SettingTable, type SettingValue, type Use } from './setting.ts'
import type { GivenOptions } from './settle.ts'
import { readText, readValue } from './values.ts'

const placeholders = { number: 'n', text: 'text', path: 'path', choice: 'choice', list: 'name...' } as const

/** An option that sets a setting. */
class SettingOption extends Option {
  readonly setting: string

  constructor(name: string, flags: string, description: string) {
    super(flags, description)
    this.setting = name
  }
}

function parsed(setting: Setting, text: string): SettingValue {
  const read = readText(setting, text)
  if ('problem' in read) throw new InvalidArgumentError(read.problem)
  return read.value
}

function described({ says, default: value }: Setting): string {
  return value === undefined || typeof value === 'boolean' ? says : `${says} (default: ${value})`
}

/** An option that must be given once: commander would silently take the last. */
const once =
  (setting: Setting) =>
  (text: string, before?: SettingValue): SettingValue => {
    if (before !== undefined) throw new InvalidArgumentError('It is given twice.')
    return parsed(setting, text)
  }

/** Commander calls this with each word of a list. */
const listed =
  (setting: Setting) =>
  (text: string, before: readonly string[] = []): readonly string[] => {
    const read = readValue(setting, [text])
    if ('problem' in read) throw new InvalidArgumentError(read.problem)
    return [...before, text]
  }

function optionsOf(name: string, setting: Setting): readonly SettingOption[] {
  const flag = optionOf(name, setting)
  if (flag === undefined) return []
  const describe = described(setting)
  if (setting.kind === 'flag')
    return [new SettingOption(name, flag, describe), new SettingOption(name, flag.replace('--', '--no-'), describe)]
  const option = new SettingOption(name, `${flag} <${setting.takes ?? placeholders[setting.kind]}>`, describe)
  return [setting.kind === 'list' ? option.argParser(listed(setting)) : option.argParser(once(setting))]
}

/** Gives a command the options of the settings of some uses. Help shows the common ones. */
export function withSettings(known: SettingTable, command: Command, ...uses: readonly Use[]): Command {
  for (const [name, setting] of Object.entries(known)) {
    if (!uses.includes(setting.of)) continue
    for (const option of optionsOf(name, setting)) command.addOption(option.hideHelp(setting.isCommon !== true))
  }
  return command
}

/** What a command line sets, of a command whose options commander has read. */
export function givenOptions(command: Command): GivenOptions {
  const options: Readonly<Record<string, unknown>> = command.optsWithGlobals()
  const values = new Map<string, SettingValue>()
  for (const option of command.options) {
    if (!(option instanceof SettingOption)) continue
    const value = options[option.attributeName()]
    // Its own parser has read it.
    if (value !== undefined) values.set(option.setting, value as SettingValue)
  }
  const { config } = options
  return { values, ...(typeof config === 'string' ? { config } : {}) }
}
