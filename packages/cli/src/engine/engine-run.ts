import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { findFlock, heldCode } from './folder-lock.ts'

/** Data that lives as long as the engine's process. */
export const inMemory = ':memory:'

export interface RunOptions {
  /** Path of the engine's binary, from `findEngine`. */
  readonly binary: string
  /** Path of the data file, or `:memory:`. */
  readonly data: string
  readonly port: number
}

/** One process of the engine, from its start to its end. */
export interface EngineRun {
  readonly pid: number | undefined
  readonly port: number
  /** True from its end on. */
  readonly hasEnded: () => boolean
  /** True once it has said that it listens. */
  readonly hasAnnounced: () => boolean
  /** True when it did not begin, as another process holds the lock of its folder. */
  readonly isKeptOut: () => boolean
  /** Resolves at its end with how it ended, in words, and the last it said. */
  readonly ended: Promise<string>
  /** Asks it to end, insists after `grace_ms`, and waits. */
  end(grace_ms: number): Promise<void>
  /** Ends it at once: it has lost nothing that it acknowledged when this is done to it. */
  kill(): void
}

/** Lines of the engine's stderr that an error repeats. */
const lines_max = 10

/**
 * The shell becomes the engine (`exec`), so that the child's pid is the engine's, and leaves a subshell behind which waits on a pipe
 * that only our process holds open: when the pipe closes without a word, our process was killed, and the engine is killed after it.
 * The mask keeps the data from other users, also in a folder that they may look into.
 */
const shell = '/bin/sh'
const script = [
  'umask 077',
  // What `exec` becomes inherits the descriptor, and with it the lock of the folder. The subshell must not: it may outlive the engine.
  `if [ -n "$1" ] && [ -d "$2" ]; then exec 9<"$2"; "$1" -n 9 || exit ${heldCode}; fi`,
  'shift 2',
  '(read -r line <&3 || kill -KILL $$) 9<&- >/dev/null 2>&1 & exec 3<&-; exec "$0" "$@"',
].join('\n')

/** Starts the binary. It has a process group of its own, so that Ctrl-C reaches us and leaves to us when the engine ends. */
export function runEngine({ binary, data, port }: RunOptions): EngineRun {
  const args = ['serve', '--host', '127.0.0.1', '--port', String(port)]
  if (data !== inMemory) args.push('--db-path', data)
  const locking = data === inMemory ? ['', ''] : [findFlock() ?? '', dirname(data)]
  const child = existsSync(shell)
    ? spawn(shell, ['-c', script, binary, ...locking, ...args], { detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
    : spawn(binary, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true })
  const said: string[] = []
  let announced = false
  // Both spawns above ask for stderr as a pipe; the types do not follow that.
  createInterface({ input: child.stderr as Readable }).on('line', (line) => {
    if (line.trim() !== '') said.push(line)
    if (said.length > lines_max) said.shift()
    announced ||= line.includes('listening on')
  })
  const kill = (): void => {
    child.kill('SIGKILL')
  }
  process.on('exit', kill)
  const ended = endOf(child, said).finally(() => process.off('exit', kill))
  return {
    pid: child.pid,
    port,
    hasEnded: () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null,
    hasAnnounced: () => announced,
    isKeptOut: () => child.exitCode === heldCode,
    ended,
    kill,
    end: async (grace_ms) => {
      child.kill('SIGTERM')
      // A client that has sent half a request keeps the engine from ending of itself for ever.
      const insistence = setTimeout(kill, grace_ms)
      await ended
      clearTimeout(insistence)
    },
  }
}

function endOf(child: ChildProcess, said: readonly string[]): Promise<string> {
  // The types know only the first three of stdio; the fourth is the pipe of the script above, or absent.
  const lifeline = child.stdio[3] as Writable | null | undefined
  lifeline?.on('error', () => {
    // The subshell may have been killed: the lock file then leads the next start to an engine that outlived us.
  })
  // A word before the pipe closes tells the subshell that there is nothing left to kill.
  child.once('exit', () => lifeline?.end('ended\n'))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be run: ${error.message}`))
    // Not at `exit`: the last lines of stderr may come after it.
    child.once('close', (code, signal) => {
      const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`
      resolve([how, ...said].join('; '))
    })
  })
}
