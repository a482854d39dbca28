import { pino } from 'pino'
import type { AccessLine, Log } from '../http/access-log.ts'
import { redacted, redactedPaths, redactText } from './redact.ts'
import { activeTrace } from './trace-ids.ts'

/** The levels of a log, the least important first. `silent` writes nothing. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]
/** The levels that a line can have. */
export type LineLevel = Exclude<LogLevel, 'silent'>

/** Says a sentence for operators, at `info` unless given. */
export type Say = (sentence: string, level?: LineLevel) => void

export interface LogOptions {
  /** Lines below this level are not written. `info` by default. */
  readonly level?: LogLevel
  /** Takes whole lines, one or many at once. By default they go to standard error. */
  readonly write?: (lines: string) => void
  /** How long a line may wait for others, which are then written together, in milliseconds. 20 by default; with 0 each is written at once. */
  readonly hold_ms?: number
  /** The clock of lines that bring no time. */
  readonly now?: () => Date
}

/** The log of a server: each line is one object of JSON with `level` and `time`. */
export interface ServerLog {
  /** Takes the line of each request: the port of `createService`. */
  readonly request: Log
  /** The sentences of one part of the server, which `source` names. */
  from(source: string): Say
  /** Writes an object as it is, but for members whose names are those of secrets. */
  line(level: LineLevel, line: object): void
  /** Writes the lines that wait. Nothing is lost that was logged before. */
  flush(): void
}

/** Characters that JSON allows in a text, but by which a terminal is steered, or which a reader of lines takes for an end. */
const unsafe = /[\u007f-\u009f\u2028\u2029]/
const eachUnsafe = new RegExp(unsafe, 'g')

/** About as many bytes as one write to a file or a pipe takes at once. */
const heldMax = 16_384

/**
 * Gathers lines, since a write costs more than a line. A line waits for `hold_ms` at most, and for nobody who forgets to flush: what waits is written
 * when the process exits, whatever ends it but SIGKILL.
 */
function gathering(write: (lines: string) => void, hold_ms: number) {
  let held = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    process.off('exit', flush)
    const lines = held
    held = ''
    write(lines)
  }
  return {
    flush,
    write: (text: string) => {
      const line = !unsafe.test(text)
        ? text
        : text.replace(eachUnsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
      if (hold_ms === 0) return write(line)
      held += line
      if (timer === undefined) {
        timer = setTimeout(flush, hold_ms).unref()
        process.once('exit', flush)
      }
      if (held.length >= heldMax) flush()
    },
  }
}

/** Failures that do not pass: whoever operates the table has to mend what DynamoDB refuses. */
const lastingFailures: ReadonlySet<string | undefined> = new Set(['invalid', 'refused', 'missing-table'])

/** The level of a request's line: a defect and a refusal of storage are errors, and another request that got no answer a warning. */
function levelOf({ status, fault, cause }: AccessLine): LineLevel {
  if (fault !== undefined || lastingFailures.has(cause?.failure)) return 'error'
  return status >= 500 ? 'warn' : 'info'
}

/** Lines that operators wait for wait for no others. */
const urgent: ReadonlySet<LineLevel> = new Set<LineLevel>(['warn', 'error', 'fatal'])

/** The cause of a failure quotes DynamoDB and the system: nobody knows what these will say one day. */
function withoutSecrets(line: AccessLine): AccessLine {
  const { cause } = line
  return cause?.message === undefined ? line : { ...line, cause: { ...cause, message: redactText(cause.message) } }
}

/** Opens the log of a server. Its lines are pino's, without pid and host name, which an operator's collector adds. */
export function openLog({ level = 'info', write, hold_ms = 20, now = () => new Date() }: LogOptions = {}): ServerLog {
  const gathered = gathering(write ?? ((lines) => void process.stderr.write(lines)), hold_ms)
  // Each line brings its own time, as the line of a request does.
  const form = { level, base: null, timestamp: false, messageKey: 'message', formatters: { level: (name: string) => ({ level: name }) } }
  // A request's line has a known shape without secrets: to look for them in each would take longer than to write it.
  const requests = pino(form, gathered)
  const others = pino({ ...form, mixin: () => ({ ...activeTrace() }), redact: { paths: [...redactedPaths], censor: redacted } }, gathered)
  const other = (of: LineLevel, line: object) => {
    others[of]({ time: now().toISOString(), ...line })
    if (urgent.has(of)) gathered.flush()
  }
  return {
    request: (line) => {
      const of = levelOf(line)
      requests[of](line.cause === undefined ? line : withoutSecrets(line))
      // A server that refuses many requests saves the time of writing each refusal by itself.
      if (urgent.has(of) && line.code !== 'Busy') gathered.flush()
    },
    from: (source) => (sentence, of) => other(of ?? 'info', { source, message: redactText(sentence) }),
    line: other,
    flush: gathered.flush,
  }
}

/** The port of `createService` that writes each line at once. @param write by default, to standard error */
export function jsonLog(write?: (line: string) => void): Log {
  return openLog({ hold_ms: 0, ...(write && { write }) }).request
}
