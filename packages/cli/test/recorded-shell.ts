import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { endpoint } from '../../../test/engine/endpoint.ts'
import { temporaryFolder } from '../../../test/folders/temporary-folder.ts'
import type { Environment } from '../src/environment.ts'
import { runProgram } from '../src/run-program.ts'
import type { Exit, Surroundings as ProgramShell, Shell } from '../src/shell.ts'

/** The same designs as a program has them that offers no flows: their entities are written one by one. */
export const withoutFlows: Shell['designs'] = new Map([...designModules].map(([name, { flows: _, ...module }]) => [name, module]))

/** The finished designs, one of them without its flows. */
export const oneWithoutFlows: Shell['designs'] = new Map(
  [...designModules].map(([name, { flows, ...module }]) => [name, name !== 'authorization' && flows ? { ...module, flows } : module]),
)

/** The parts of a shell that a test sets. */
export interface Surroundings {
  readonly env?: Environment
  /** Those of the package unless given. */
  readonly designs?: Shell['designs']
  readonly cwd?: string
  readonly stdin?: string | Uint8Array
  readonly columns?: number
  readonly isInteractive?: boolean
  readonly now?: () => Date
}

/** The result of a command: its exit code, and its output. */
export interface Ran {
  readonly exit: Exit
  readonly out: string
  readonly err: string
}

/** Runs a command in this process, on the engine of the test run unless `env` says otherwise. */
export async function freehold(argv: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  const {
    env = { DYNAMODB_ENDPOINT: endpoint },
    cwd = folder(),
    stdin = '',
    now = () => new Date(),
    columns,
    isInteractive = false,
    designs = designModules,
  } = surroundings
  const written = { out: '', err: '' }
  const shell: ProgramShell = {
    env,
    designs,
    cwd,
    stdin: (async function* () {
      yield Buffer.from(stdin)
    })(),
    out: async (text) => {
      written.out += text
    },
    err: (text) => {
      written.err += text
    },
    columns,
    isInteractive,
    now,
  }
  const exit = await runProgram(shell, argv)
  return { exit, ...written }
}

/** An empty folder, with these files in it: the file's own, and gone with it. */
export const folder = temporaryFolder

/** The name of a table that nothing else uses. */
export function freshTable(): string {
  return `cli-${randomUUID()}`
}
