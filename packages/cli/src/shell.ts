import type { DesignModule } from '@freehold/frame'
import type { Settings } from './config/settings.ts'
import type { Environment } from './environment.ts'
import type { LoadedDesign } from './own-design/load-design.ts'

/** The environment of the program. It is injected, so that tests run commands in their own process. */
export interface Surroundings {
  readonly env: Environment
  /** The known designs by name. */
  readonly designs: ReadonlyMap<string, DesignModule>
  /** Those of them that `--design` names by their files, by name. */
  readonly designFiles?: ReadonlyMap<string, LoadedDesign>
  /** The base of relative paths. */
  readonly cwd: string
  readonly stdin: AsyncIterable<Uint8Array>
  /** Writes to stdout, and resolves when it can take more. Rejects with `EPIPE` if its reader has gone. */
  out(text: string): Promise<void>
  /** Writes to stderr. */
  err(text: string): void
  /** Resolves when stderr has taken what was written, and is undefined if it has. */
  errTaken?(): Promise<void> | undefined
  /** The width of the terminal on stdout, in columns. Undefined without a terminal: lines are then not wrapped. */
  readonly columns?: number | undefined
  /** True if stderr is a terminal, on which a line can be overwritten. */
  readonly isInteractive: boolean
  readonly now: () => Date
  /** True if the command has the process to itself, so that it may take over what Node writes to stderr. */
  readonly isProcess?: boolean
}

/** The environment of a command: the settings hold for its options. */
export interface Shell extends Surroundings {
  readonly settings: Settings
}

/** The exit codes: yes or done; no; malformed or not answered. */
export const exit = { yes: 0, no: 1, unanswered: 2 } as const
export type Exit = (typeof exit)[keyof typeof exit]

/** A command with its operands and options, as the program declares them. */
export type Run<O> = (shell: Shell, operands: readonly string[], options: O) => Promise<Exit>

export interface PrintOptions {
  readonly json?: boolean
}

/**
 * A value as one line of JSON. Also escapes characters that JSON allows, but a terminal would interpret or a reader of lines would break
 * at.
 */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]|\udbff\udfff/g, (text) =>
    Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
  return `${json}\n`
}

export function printJson(shell: Pick<Shell, 'out'>, value: unknown): Promise<void> {
  return shell.out(jsonLine(value))
}
