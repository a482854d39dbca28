import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readLines } from '@freehold/frame/exchange'
import type { DecisionLine } from '@freehold/service'
import { readStream } from '../input/input-file.ts'
import { invalid } from '../input/invalid.ts'
import { counted } from '../output/counted.ts'
import { safeText } from '../output/safe-text.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, jsonLine, type PrintOptions, type Shell } from '../shell.ts'

export interface DecisionsOptions extends PrintOptions {
  readonly user?: string
  readonly outcome?: string
  readonly design?: string
  readonly question?: string
  readonly request?: string
  readonly since?: number
  readonly until?: number
  readonly limit?: number
}

/** The rows of a table, unless more are asked for. */
const rows_max = 100

const writer = '`freehold serve --decision-log FILE` writes one.'

/** The files that a decision log leaves beside its current one. */
const files_max = 5

/** The files of a log that are there, the oldest first. */
function filesOf(path: string): readonly string[] {
  const paths = [...Array.from({ length: files_max }, (_, index) => `${path}.${files_max - index}`), path]
  const files = paths.filter((each) => existsSync(each))
  if (files.length > 0) return files
  throw invalid(`${safeText(path)} does not exist. ${writer}`)
}

function isLine(value: unknown): value is DecisionLine {
  if (typeof value !== 'object' || value === null) return false
  const { time, design, question, asked, outcome } = value as Partial<DecisionLine>
  return [time, design, question, outcome].every((each) => typeof each === 'string') && typeof asked === 'object' && asked !== null
}

/** The decision of a line. Undefined for a line that is none: a server that was killed may leave half of one. */
function decisionOf(text: string): DecisionLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isLine(value) ? value : undefined
  } catch {
    return undefined
  }
}

function matches(line: DecisionLine, { user, outcome, design, question, request, since, until }: DecisionsOptions): boolean {
  const at = Date.parse(line.time)
  return (
    (user === undefined || line.asked.user === user || line.as === user) &&
    (outcome === undefined || line.outcome === outcome) &&
    (design === undefined || line.design === design) &&
    (question === undefined || line.question === question) &&
    (request === undefined || line.request === request) &&
    (since === undefined || at >= since) &&
    (until === undefined || at < until)
  )
}

const textOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value)
  const { type, id } = value as { readonly type?: string; readonly id?: string }
  return [type, id].filter((each) => each !== undefined).join(' ')
}

function rowOf({ time, design, question, asked, outcome, reason, roundTrips, request }: DecisionLine): readonly string[] {
  const { user = '', ...rest } = asked
  const about = Object.entries(rest).map(([name, value]) => `${name}=${textOf(value)}`)
  const trips = roundTrips === undefined ? '' : String(roundTrips)
  return [time, design, question, textOf(user), about.join(' '), outcome, reason?.code ?? '', trips, request ?? ''].map((text) =>
    safeText(text),
  )
}

const head = ['time', 'design', 'question', 'user', 'about', 'outcome', 'reason', 'trips', 'request']

/** Searches a decision log, with the files that were put aside, the oldest first. It holds no more of them than it prints. */
export async function decisions(shell: Shell, [named]: readonly string[], options: DecisionsOptions): Promise<Exit> {
  const { settings, cwd } = shell
  const path = named ?? settings.decisionLog
  if (path === undefined) throw invalid('Name the file of a decision log, or set FREEHOLD_DECISION_LOG.')
  const { json = false, limit = json ? Number.POSITIVE_INFINITY : rows_max } = options
  let found = 0
  let read = 0
  let unreadable = 0
  const last: (readonly string[])[] = []
  for (const file of filesOf(resolve(cwd, path))) {
    for await (const { text } of readLines(await readStream(shell, file))) {
      const line = text === undefined ? undefined : decisionOf(text)
      if (line === undefined) {
        unreadable++
        continue
      }
      read++
      if (matches(line, options)) {
        found++
        if (json && found <= limit) await shell.out(jsonLine(line))
        else if (!json) last.push(rowOf(line))
        if (last.length > limit) last.shift()
      }
    }
  }
  if (read === 0 && unreadable > 1) throw invalid(`${safeText(path)} is no decision log: none of its lines is a decision. ${writer}`)
  if (unreadable > 0) shell.err(`${counted(unreadable, 'line')} of the log could not be read.\n`)
  if (json) return exit.yes
  if (found === 0) await shell.out('No decision matches.\n')
  else await shell.out(renderTable(head, last, shell.columns))
  if (found > last.length) shell.err(`These are the last ${last.length} of ${found}: --limit shows more, --json all.\n`)
  return exit.yes
}
