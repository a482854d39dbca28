import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { type Address, usualHost } from './address.ts'
import { findFlock, heldCode } from './folder-lock.ts'

/** Data that lives only as long as the engine's process. */
export const inMemory = ':memory:'

export interface RunOptions {
  /** The path of the engine's binary, from `findEngine`. */
  readonly binary: string
  /** The path of the data file, or `:memory:`. */
  readonly data: string
  readonly port: number
  /** An address of this machine, 127.0.0.1 unless given. */
  readonly host?: string
  /** Receives each line that the engine writes to stderr. */
  readonly onLine?: ((line: string) => void) | undefined
}

/** One process of the engine, from its start to its end. */
export interface EngineRun extends Address {
  readonly pid: number | undefined
  /** True once the process has ended. */
  readonly hasEnded: () => boolean
  /** True once the process has announced that it listens. */
  readonly hasAnnounced: () => boolean
  /** True if the process did not start, since another holds the lock of its folder. */
  readonly isKeptOut: () => boolean
  /** Resolves when the process has ended, with the reason in words and its last output. */
  readonly ended: Promise<string>
  /** Asks the process to end, kills it after `grace_ms`, and waits. */
  end(grace_ms: number): Promise<void>
  /** Kills the process. It does not lose acknowledged writes. */
  kill(): void
}

/** The number of lines of the engine's stderr that an error quotes. */
const lines_max = 10

/**
 * The shell becomes the engine (`exec`), so that the child's pid is the engine's. It leaves a subshell that waits on a pipe which only our
 * process holds open. If the pipe closes without a word, our process was killed, and the subshell kills the engine. The mask protects the
 * data from other users, even in a folder that they may read.
 */
const shell = '/bin/sh'
const script = [
  'umask 077',
  // The engine inherits the descriptor, and with it the lock of the folder. The subshell must not, since it may outlive the engine.
  `if [ -n "$1" ] && [ -d "$2" ]; then exec 9<"$2"; "$1" -n 9 || exit ${heldCode}; fi`,
  'shift 2',
  '(read -r line <&3 || kill -KILL $$) 9<&- >/dev/null 2>&1 & exec 3<&-; exec "$0" "$@"',
].join('\n')

/** Starts the binary in a process group of its own: Ctrl-C reaches only us, and we decide when the engine ends. */
export function runEngine({ binary, data, port, host = usualHost, onLine }: RunOptions): EngineRun {
  const args = ['serve', '--host', host, '--port', String(port)]
  if (data !== inMemory) args.push('--db-path', data)
  const locking = data === inMemory ? ['', ''] : [findFlock() ?? '', dirname(data)]
  const child = existsSync(shell)
    ? spawn(shell, ['-c', script, binary, ...locking, ...args], { detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
    : spawn(binary, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true })
  const said: string[] = []
  let announced = false
  // Both spawns above make stderr a pipe, which the types do not know.
  createInterface({ input: child.stderr as Readable }).on('line', (line) => {
    if (line.trim() !== '') {
      said.push(line)
      onLine?.(line)
    }
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
    host,
    port,
    hasEnded: () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null,
    hasAnnounced: () => announced,
    isKeptOut: () => child.exitCode === heldCode,
    ended,
    kill,
    end: async (grace_ms) => {
      child.kill('SIGTERM')
      // The engine would wait forever for a client that has sent half a request.
      const insistence = setTimeout(kill, grace_ms)
      await ended
      clearTimeout(insistence)
    },
  }
}

function endOf(child: ChildProcess, said: readonly string[]): Promise<string> {
  // The types know only three entries of stdio. The fourth is the pipe of the script above, or absent.
  const lifeline = child.stdio[3] as Writable | null | undefined
  lifeline?.on('error', () => {
    // The subshell may have been killed. Then the lock file leads the next start to an engine that outlived us.
  })
  // A word on the pipe tells the subshell that there is no engine to kill.
  child.once('exit', () => lifeline?.end('ended\n'))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be run: ${error.message}`))
    // Not `exit`, since the last lines of stderr may arrive after it.
    child.once('close', (code, signal) => {
      const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`
      resolve([how, ...said].join('; '))
    })
  })
}
