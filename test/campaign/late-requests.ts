import { setTimeout as after } from 'node:timers/promises'
import { type Input, type MainWrite, mainWrites } from './main-writes.ts'
import type { Random } from './random.ts'

export interface Late {
  readonly operation: string
  readonly input: Input
  readonly body: string
}

interface Held {
  readonly late: Late
  readonly main: MainWrite | undefined
  release(): void
}

/**
 * Requests that are on their way for so long that their clients have sent them again, and have gone on. They come at any moment or at the
 * worst: a change comes when its item has just been made anew, a creation when its item has just been removed.
 */
export class LateRequests {
  private readonly random: Random
  private readonly max_ms: number
  private readonly held = new Set<Held>()

  /** @param max_ms how long one is held at most */
  constructor(random: Random, max_ms: number) {
    this.random = random
    this.max_ms = max_ms
  }

  get size(): number {
    return this.held.size
  }

  /** Resolves when it is time to deliver the request. */
  async until(late: Late, awaitsWorst: boolean): Promise<void> {
    const waiting = new AbortController()
    const held: Held = { late, main: awaitsWorst ? mainWrites(late.operation, late.input)[0] : undefined, release: () => waiting.abort() }
    this.held.add(held)
    const ms = awaitsWorst ? this.max_ms : this.random.unit() * this.max_ms
    await after(ms, undefined, { signal: waiting.signal }).catch(() => undefined)
    this.held.delete(held)
  }

  /** Tells of a write that was done: it may be the worst moment for one that is held. The retry of that very one is not. */
  seen({ operation, input, body }: Late): void {
    if (this.held.size === 0) return
    for (const { key, kind } of mainWrites(operation, input))
      for (const { late, main, release } of this.held)
        if (main?.key === key && late.body !== body && (main.kind === 'Put' ? kind === 'Delete' : kind === 'Put')) release()
  }

  releaseAll(): void {
    for (const { release } of this.held) release()
  }
}
