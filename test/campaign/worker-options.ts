/** The options of a process of the campaign. */
export interface WorkerOptions {
  /** The proxy's. */
  readonly endpoint: string
  /** Names of the tables, by design. */
  readonly tables: Readonly<Record<DesignName, string>>
  readonly seed: number
  readonly process: number
  /** Lanes of each design: so many calls are under way at once. */
  readonly lanes: number
  /** Calls of each lane. */
  readonly calls: number
  /** No further call begins after this. */
  readonly run_ms_max: number
  readonly bounds: CallBounds
}

export const designNames = ['account-management', 'rebac', 'platform', 'authorization', 'service'] as const
export type DesignName = (typeof designNames)[number]

/** The time limits of calls, for `connect`: small, so that a campaign is short. */
export interface CallBounds {
  /** One call: a request with its retries, or a transaction. */
  readonly patience_ms: number
  /** One attempt of it. */
  readonly attempt_ms: number
  /** Waiting for a durable job. */
  readonly wait_ms: number
}
