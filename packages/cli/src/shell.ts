import type { DesignModule } from '@freehold/designs'
import type { Environment } from './environment.ts'

/** What a command is run with: injected, so that tests run commands in their own process. */
export interface Shell {
  readonly env: Environment
  /** The designs that commands know, by name. */
  readonly designs: ReadonlyMap<string, DesignModule>
  /** What relative paths are relative to. */
  readonly cwd: string
  readonly stdin: AsyncIterable<Uint8Array>
  /** Writes to stdout, and resolves when it can take more. Rejects with `EPIPE` when its reader has gone. */
  out(text: string): Promise<void>
  /** Writes to stderr. */
  err(text: string): void
  /** Width of the terminal on stdout in columns; undefined where there is none, and lines are as long as they are. */
  readonly columns?: number | undefined
  /** True where stderr is a terminal, on which a line can be written over. */
  readonly isInteractive: boolean
  readonly now: () => Date
}

/** Yes or done; no; malformed or not answered. */
export const exit = { yes: 0, no: 1, unanswered: 2 } as const
export type Exit = (typeof exit)[keyof typeof exit]

/** A command with its operands and options, as the program declares them. */
export type Run<O> = (shell: Shell, operands: readonly string[], options: O) => Promise<Exit>

export interface PrintOptions {
  readonly json?: boolean
}

/** A value as one line of JSON. What JSON leaves as it is, though a terminal would obey it or a reader of lines would break there, is escaped. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]|\udbff\udfff/g, (text) =>
    Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
  return `${json}\n`
}

export function printJson(shell: Shell, value: unknown): Promise<void> {
  return shell.out(jsonLine(value))
}
