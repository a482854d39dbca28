import type { DenialKind } from '../denial.ts'

/** One question of a request, and its answer. */
export interface AskedLine {
  /** The route or field of the map. */
  readonly at: string
  readonly action: string
  readonly resource: { readonly type: string; readonly id: string }
  readonly allowed: boolean
  readonly policies?: readonly string[]
}

/** The log line of a request. It holds no token, no header and no claim but the ids of user and tenant. */
export interface DecisionLine {
  readonly time: string
  /** The id of the decision. The integration of an allowed request has it, too. */
  readonly decision: string
  /** The gateway's id of the request. */
  readonly request?: string
  readonly allowed: boolean
  readonly user?: string
  readonly tenant?: string
  readonly asked: readonly AskedLine[]
  /** Why it was denied. */
  readonly reason?: { readonly kind: DenialKind; readonly code: string; readonly message: string; readonly cause?: string }
  readonly ms: number
}

export type DecisionLog = (line: DecisionLine) => void

/** Writes each line as JSON, as CloudWatch and others take them. */
export const jsonLog =
  (write: (text: string) => unknown): DecisionLog =>
  (line) =>
    void write(JSON.stringify(line))
