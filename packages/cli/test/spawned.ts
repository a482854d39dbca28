import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { bundle } from '../../../test/bundle.js'

/** The command in a process of its own. */
export interface Spawned {
  readonly process: ChildProcess
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** The output so far. */
  readonly written: { readonly out: string; readonly err: string }
  /** Resolves when it has written this to stdout; rejects when it ends before. */
  says(text: string): Promise<void>
}

const spawned: ChildProcess[] = []

/** Bundles the command. @returns path of the module */
export function bundleCommand(): Promise<string> {
  return bundle(join(import.meta.dirname, 'command.ts'))
}

export interface Spawning {
  readonly module: string
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}

/** Runs it without the variables of this process that it obeys. */
export function spawnCommand(argv: readonly string[], { module, cwd, env = {}, stdin }: Spawning): Spawned {
  const child = spawn(process.execPath, [module, ...argv], {
    cwd,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...env },
    stdio: 'pipe',
  })
  spawned.push(child)
  const written = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    written.out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    written.err += chunk
  })
  child.stdin.end(stdin)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  const says = async (text: string): Promise<void> => {
    while (!written.out.includes(text)) {
      const ending = await Promise.race([once(child.stdout, 'data'), ended])
      if ('code' in ending) throw new Error(`It ended with ${JSON.stringify(ending)}: ${written.err}`)
    }
  }
  return { process: child, ended, written, says }
}

/** Runs a command to its end. */
export async function runCommand(argv: readonly string[], spawning: Spawning) {
  const { ended, written } = spawnCommand(argv, spawning)
  const { code, signal } = await ended
  return { code, signal, ...written }
}

/** Ends what a failed test left running. */
export async function endSpawned(): Promise<void> {
  for (const child of spawned.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}
