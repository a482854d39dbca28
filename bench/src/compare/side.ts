import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Cost } from '@freehold/table'

/** One of the two that are compared. */
export interface Side {
  readonly label: string
  /** The root of a tree that is built. */
  readonly tree: string
  readonly endpoint: string
}

export type Counted = Cost

export interface Cpu {
  /** Microseconds of one run, user and system. */
  readonly cpu_us: number
  readonly runs: number
}

export type Ask =
  | { readonly do: 'count'; readonly operation: string }
  | { readonly do: 'measure'; readonly operation: string; readonly duration_ms: number }

/** What came of it; `failure` where the build cannot do it. */
export interface Reply {
  readonly counts?: readonly Counted[]
  readonly cpu?: Cpu
  readonly failure?: string
}

export interface SideProcess {
  ask(ask: Ask): Promise<Reply>
  stop(): Promise<void>
}

async function replyOf(child: ChildProcess, label: string): Promise<Reply> {
  const listening = new AbortController()
  const { signal } = listening
  const ended = once(child, 'exit', { signal }).then(([code, by]) => {
    throw new Error(`The process that measures ${label} ended (${by ?? code}).`)
  })
  try {
    const [reply] = await Promise.race([once(child, 'message', { signal }), ended])
    return reply
  } finally {
    ended.catch(() => {})
    listening.abort()
  }
}

/** Starts the process that measures a side. What it prints goes to where this process prints what went wrong. */
export function startSide(side: Side): SideProcess {
  const child = fork(join(import.meta.dirname, 'measuring.js'), [JSON.stringify(side)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  return {
    ask: async (ask) => {
      if (!child.connected) throw new Error(`The process that measures ${side.label} has ended.`)
      child.send(ask)
      return replyOf(child, side.label)
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
