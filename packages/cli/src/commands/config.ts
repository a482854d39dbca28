import { fileName } from '../config/config-file.ts'
import { configPage } from '../config/page.ts'
import { configSchema } from '../config/schema.ts'
import { mayStandInFile, optionOf, variableOf } from '../config/setting.ts'
import { folderSettings, knownSettings, type SettledValue, settle } from '../config/settle.ts'
import { tellUnknownVariables } from '../config/unknown-variables.ts'
import { valueSentence } from '../config/values.ts'
import { endpointWords, resolveEndpoint } from '../engine/endpoint.ts'
import { unknownName } from '../naming/unknown-name.ts'
import { listed } from '../output/listed.ts'
import { safeText, wrapText } from '../output/safe-text.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, jsonLine, type PrintOptions, printJson, type Shell } from '../shell.ts'

export interface ConfigOptions extends PrintOptions {
  readonly config?: string
  readonly schema?: boolean
  readonly docs?: boolean
}

/** A setting as it may be shown: of a secret only that it is set. */
interface ShownSetting {
  readonly name: string
  readonly value?: SettledValue['value']
  readonly from: string
}

function shownSetting({ name, setting, value, from }: SettledValue): ShownSetting {
  const shown = setting.isSecret === true && value !== undefined ? '(set)' : value
  return { name, ...(shown === undefined ? {} : { value: shown }), from }
}

/** One setting, for a person who wants to set it. */
function sheetOf(settled: SettledValue, columns: number | undefined): string {
  const { name, setting } = settled
  const { value, from } = shownSetting(settled)
  const option = optionOf(name, setting)
  const places = [
    ...(option === undefined ? [] : [option]),
    variableOf(name),
    ...(mayStandInFile(setting) ? [`"${name}" in ${setting.isTrusted === true ? 'a file that is named' : 'the file'}`] : []),
  ]
  const sentences = [
    `${name}: ${setting.says}.`,
    valueSentence(setting),
    value === undefined ? 'It is not set.' : `It is ${typeof value === 'string' ? value : JSON.stringify(value)} (${from}).`,
    `It is set by ${listed(places)}.`,
  ].map(safeText)
  return sentences
    .flatMap((sentence) => (columns === undefined ? [sentence] : wrapText(sentence, columns)))
    .join('\n')
    .concat('\n')
}

/** Where commands find DynamoDB, which several variables, the profile and settings decide together. */
async function placeOf(shell: Pick<Shell, 'env' | 'settings' | 'cwd'>, asked: string | undefined): Promise<ShownSetting> {
  const name = 'endpoint'
  try {
    return { name, ...endpointWords(await resolveEndpoint(shell)) }
  } catch (error) {
    // A wrong address is told, and stops no other setting from being shown.
    if (asked === name || !(error instanceof Error)) throw error
    return { name, from: error.message }
  }
}

/** Prints the settings that hold for commands here, and from where; one of them with its bounds; the schema of the file, or the page of all settings. */
export async function config(shell: Shell, [name]: readonly string[], options: ConfigOptions): Promise<Exit> {
  if (options.schema === true) {
    await shell.out(`${JSON.stringify(configSchema(knownSettings(shell.designs)), null, 2)}\n`)
    return exit.yes
  }
  if (options.docs === true) {
    await shell.out(configPage(folderSettings(shell.designs)))
    return exit.yes
  }
  const { settings, each, file } = settle(shell, options)
  const place = await placeOf({ ...shell, settings }, name)
  if (name === place.name) {
    await (options.json === true ? printJson(shell, place) : shell.out(`${safeText(`DynamoDB is ${place.value} (${place.from}).`)}\n`))
    await tellUnknownVariables(shell)
    return exit.yes
  }
  if (name !== undefined) {
    const settled = each.find((one) => one.name === name)
    if (settled === undefined)
      throw unknownName(
        'setting',
        name,
        each.map((one) => one.name),
        'freehold config',
      )
    await (options.json === true ? printJson(shell, shownSetting(settled)) : shell.out(sheetOf(settled, shell.columns)))
    await tellUnknownVariables(shell)
    return exit.yes
  }
  const shown: readonly ShownSetting[] = [...each.map(shownSetting), place]
  if (options.json === true) await shell.out(shown.map(jsonLine).join(''))
  else {
    const rows = shown.map(({ name, value, from }) => [
      name,
      Array.isArray(value) ? value.join(' ') : value,
      value === undefined && name !== place.name ? '' : from,
    ])
    await shell.out(renderTable(['setting', 'value', 'from'], rows, shell.columns))
    if (file === undefined) shell.err(`There is no ${fileName} here.\n`)
  }
  await tellUnknownVariables(shell)
  return exit.yes
}
