import { type Command, InvalidArgumentError, Option } from 'commander'
import { fileName } from '../config/config-file.ts'
import { givenOptions, withSettings } from '../config/options.ts'
import { folderSettings, settle } from '../config/settle.ts'
import { settingTable } from '../config/table.ts'
import { tellUnknownVariables } from '../config/unknown-variables.ts'
import { loggedDesigns } from '../output/change-log.ts'
import type { Exit, Run, Surroundings } from '../shell.ts'

/** The outcome of a run: its exit code, and the help that may still be on its way to stdout. */
export interface Outcome {
  exit: Exit
  printed: Promise<void>
}

/** The context of declarations: commander's program, the shell of the commands, and the place of the exit code. */
export interface Declaring {
  readonly program: Command
  readonly shell: Surroundings
  readonly outcome: Outcome
}

/**
 * Gives a declared command its function. The function is loaded when the command runs, so that `freehold --help` loads no design, no AWS
 * SDK and no HTTP server.
 * @param tells `itself` for a command that has its own place for sentences on unknown variables
 */
export function runs<O>(
  { shell, outcome }: Omit<Declaring, 'program'>,
  command: Command,
  load: () => Promise<Run<O>>,
  tells: 'before' | 'itself' = 'before',
): void {
  if (command.options.every(({ long }) => long !== '--config')) withConfig(command, 'hidden')
  command.action(async () => {
    const { url } = command.parent?.opts() ?? {}
    if (url !== undefined && !askingServices.has(command))
      throw new InvalidArgumentError('This command asks no service: run it beside the table, without --url.')
    const run = await load()
    const { settings } = settle(shell, givenOptions(command))
    if (tells === 'before') await tellUnknownVariables(shell)
    const settled = { ...shell, settings }
    // O describes the options that the caller has declared.
    outcome.exit = await run({ ...settled, designs: loggedDesigns(settled) }, command.args, command.optsWithGlobals() as O)
  })
}

function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return number
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`)
  }
}

const units_ms: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 }

/** Parses a duration such as 90d, 12h or 30m, in milliseconds. */
export function parseDuration(value: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([dhm])$/.exec(value) ?? []
  const ms = Number(count) * (units_ms[unit] ?? Number.NaN)
  if (ms >= 0) return ms
  throw new InvalidArgumentError('It is a number of days, hours or minutes: 90d, 12h, 30m.')
}

/** Parses an instant of ISO 8601 with its zone, or how long ago: 90d, 12h or 30m. In milliseconds since 1970. */
export function parseInstant(value: string): number {
  if (/^\d{1,6}[dhm]$/.test(value)) return Date.now() - parseDuration(value)
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(at)) return at
  throw new InvalidArgumentError('It is an instant such as 2026-01-31T12:00:00Z, or how long ago: 90d, 12h, 30m.')
}

export const parsePort = wholeNumber(0, 65_535)
export const parseLimit = wholeNumber(1, 1000)
/** An item that another program wrote has version 0. */
export const parseVersion = wholeNumber(0, 999_999_999)

/** Parses an option that must be given once: commander would silently ignore all but the last. */
export function once(value: string, before?: string): string {
  if (before === undefined) return value
  throw new InvalidArgumentError('It is given twice.')
}

/** DynamoDB's rule of names. */
function parseTableName(value: string, before?: string): string {
  once(value, before)
  if (/^[A-Za-z0-9_.-]{3,255}$/.test(value)) return value
  throw new InvalidArgumentError('It has from 3 to 255 letters, digits, underscores, hyphens and dots.')
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON for programs; errors too, on stderr')
}

export function withTableName(command: Command): Command {
  return command.option('--table <name>', "the table's name, if it is not the design's own", parseTableName)
}

/** The option of the file of settings, which every command has. */
export function withConfig(command: Command, shows: 'shown' | 'hidden' = 'shown'): Command {
  const option = new Option('--config <file>', `the file of settings (default: ${fileName})`).argParser(once)
  return command.addOption(option.hideHelp(shows === 'hidden'))
}

/** The commands that take `--url`. */
const askingServices = new WeakSet<Command>()

/** The option of every command that asks a service in place of a table. */
export function withUrl(command: Command): Command {
  askingServices.add(command)
  return withSettings(settingTable, command, 'service')
}

/** The options of every command that opens a table. */
export function withTable(command: Command): Command {
  return withSettings(settingTable, withTableName(withJson(command)), 'engine', 'table')
}

/** The options of every command that uses the embedded engine. */
export function withEngine(command: Command): Command {
  return withSettings(settingTable, command, 'engine')
}

/** The options of every command that opens a table, or asks a service. */
export function withTableOrUrl(command: Command): Command {
  return withUrl(withTable(command))
}

/** The options that name the folders by which modules decide, of each module its own, and the policy store in place of one. */
export function withFolders({ designs }: Pick<Surroundings, 'designs'>, command: Command): Command {
  return withSettings(folderSettings(designs), command, 'table')
}

/** The commands whose first operand is a design. */
export const ofOneDesign = new WeakSet<Command>()

/** The first operand of a command on one design. A program's own is named by its file in place of it: see `ownDesigns`. */
export function withDesign(command: Command, says = 'name of a design'): Command {
  ofOneDesign.add(command)
  return command.argument('<design>', says).option('--design <file>', 'a design of your own in place of the name: ./shop.ts')
}

export function withPaging(command: Command): Command {
  return command
    .option('--limit <n>', 'items a page, from 1 to 1000 (default: 100)', parseLimit)
    .option('--cursor <cursor>', 'continue after the previous page')
}

/** The help after the options: examples that work as printed. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`
}
