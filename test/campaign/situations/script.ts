import type { Dealt } from '../campaign-proxy.ts'
import type { Finding } from '../check/finding.ts'
import { type Input, isWrite } from '../main-writes.ts'

/** A fault that is not drawn but written: which requests meet it, and what else happens then. */
export interface ScriptedFault extends Dealt {
  readonly on: 'write' | 'read' | 'any' | 'Query'
  /** How many requests meet it, one after the other; 1 unless given. */
  readonly times?: number
}

function suits({ on }: ScriptedFault, operation: string): boolean {
  return on === 'any' || on === operation || (on !== 'Query' && (on === 'write') === isWrite(operation))
}

/** Faults in the order in which requests meet them: the second is for no request before the first was met as often as it says. */
export class Script {
  readonly findings: Finding[] = []
  #faults: readonly ScriptedFault[] = []
  #met = 0

  /** Replaces what is left. */
  set(faults: readonly ScriptedFault[]): void {
    this.#faults = faults
    this.#met = 0
  }

  readonly deal = (operation: string, _input: Input): Dealt | undefined => {
    const [next, ...rest] = this.#faults
    if (next === undefined || !suits(next, operation)) return undefined
    this.#met += 1
    if (this.#met >= (next.times ?? 1)) this.set(rest)
    return { ...next, before: this.#watched(next.before), after: this.#watched(next.after) }
  }

  /** A situation that did not come about shows nothing. */
  end(): readonly Finding[] {
    const left = this.#faults.filter((_, index) => index > 0 || this.#met === 0)
    const unmet = left.map(({ on, kind = 'a pause' }) => ({ rule: 'situation', message: `No request met '${kind}', which is for: ${on}` }))
    return [...this.findings, ...unmet]
  }

  #watched(work: (() => Promise<unknown>) | undefined): (() => Promise<unknown>) | undefined {
    return work && (() => work().catch((error: unknown) => this.findings.push({ rule: 'situation', message: String(error) })))
  }
}
