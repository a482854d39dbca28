import type { Setting, SettingValue } from './setting.ts'

/** A value, or why it is none: a sentence. */
export type ReadValue = { readonly value: SettingValue } | { readonly problem: string }

/** What values a setting takes, as a sentence. */
export function valueSentence(setting: Setting): string {
  switch (setting.kind) {
    case 'number':
      return `It is a whole number from ${setting.least} to ${setting.most}${setting.unit === undefined ? '' : ` (${setting.unit})`}.`
    case 'flag':
      return 'It is true or false.'
    case 'choice':
      return `It is one of ${setting.choices.join(', ')}.`
    case 'list':
      return 'It is a list of texts, each without white space.'
    case 'path':
      return 'It is the path of a file or folder.'
    case 'text':
      return 'It is a text that is not empty.'
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && !value.includes('\0')

/** Checks a value of JSON. Nothing is converted: a number in quotes is a text. */
export function readValue(setting: Setting, value: unknown): ReadValue {
  const problem = { problem: valueSentence(setting) }
  switch (setting.kind) {
    case 'number':
      return typeof value === 'number' && Number.isInteger(value) && value >= setting.least && value <= setting.most ? { value } : problem
    case 'flag':
      return typeof value === 'boolean' ? { value } : problem
    case 'choice':
      return isText(value) && setting.choices.includes(value) ? { value } : problem
    case 'list':
      return Array.isArray(value) && value.every((each) => isText(each) && !/\s/.test(each)) ? { value } : problem
    default:
      return isText(value) ? { value } : problem
  }
}

const flags: Readonly<Record<string, boolean>> = { true: true, false: false }

/** Reads the text of an option or a variable. */
export function readText(setting: Setting, text: string): ReadValue {
  switch (setting.kind) {
    case 'number':
      return readValue(setting, /^\d{1,15}$/.test(text) ? Number(text) : undefined)
    case 'flag':
      return readValue(setting, Object.hasOwn(flags, text) ? flags[text] : undefined)
    case 'list':
      return readValue(
        setting,
        text.split(/\s+/).filter((word) => word !== ''),
      )
    default:
      return readValue(setting, text)
  }
}
