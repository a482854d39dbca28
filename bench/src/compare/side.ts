import { join } from 'node:path'
import type { Cost } from '@freehold/table'
import { type OwnProcess, startOwn } from '../own-process.js'

/** One of the two that are compared. */
export interface Side {
  readonly label: string
  /** The root of a tree that is built. */
  readonly tree: string
  readonly endpoint: string
}

export type Counted = Cost

export interface Cpu {
  /** Microseconds of all runs, user and system. */
  readonly cpu_us: number
  readonly runs: number
}

export interface Ask {
  readonly do: 'count' | 'measure'
  readonly operation: string
}

/** What came of it; `failure` where the build cannot do it. */
export interface Reply {
  readonly counts?: readonly Counted[]
  readonly cpu?: Cpu
  readonly failure?: string
}

export type SideProcess = OwnProcess<Ask, Reply>

/** Starts the process that measures a side. */
export function startSide(side: Side): SideProcess {
  return startOwn(join(import.meta.dirname, 'measuring.js'), side, ['--expose-gc'])
}
