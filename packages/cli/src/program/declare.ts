import { folderOf } from '@freehold/designs'
import { type Command, InvalidArgumentError } from 'commander'
import type { Exit, Run, Shell } from '../shell.ts'

/** The outcome of a run: its exit code, and the help that may still be on its way to stdout. */
export interface Outcome {
  exit: Exit
  printed: Promise<void>
}

/** The context of declarations: commander's program, the shell of the commands, and the place of the exit code. */
export interface Declaring {
  readonly program: Command
  readonly shell: Shell
  readonly outcome: Outcome
}

/**
 * Gives a declared command its function. The function is loaded when the command runs, so that `freehold --help` loads no design, no AWS
 * SDK and no HTTP server.
 */
export function runs<O>({ shell, outcome }: Omit<Declaring, 'program'>, command: Command, load: () => Promise<Run<O>>): void {
  command.action(async () => {
    const run = await load()
    // O describes the options that the caller has declared.
    outcome.exit = await run(shell, command.args, command.optsWithGlobals() as O)
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

export const parsePort = wholeNumber(0, 65_535)
/** No network has more proxies in a row. */
export const parseProxies = wholeNumber(0, 100)
export const parseLimit = wholeNumber(1, 1000)
export const parseVersion = wholeNumber(1, 999_999_999)

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

/** The options of every command that opens a table. */
export function withTable(command: Command): Command {
  return withTableName(withJson(command)).option('--data <path>', "the embedded engine's data folder (default: .freehold)")
}

/** The options that name the folders by which modules decide, of each module its own, and the policy store in place of one. */
export function withFolders({ designs }: Pick<Shell, 'designs'>, command: Command): Command {
  const folders = new Map(
    [...designs.values()].flatMap((module) => {
      const folder = folderOf(module)
      return folder === undefined ? [] : [[folder.name, folder]]
    }),
  )
  for (const { name, holds } of folders.values()) command.option(`--${name} <folder>`, `the folder of ${holds}`, once)
  if ([...folders.values()].some(({ byEngine }) => byEngine !== undefined))
    command.option('--store <id>', 'the policy store in Amazon Verified Permissions that decides, in place of the folder', once)
  return command
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
