/** From `start` inclusively to `end` exclusively. */
export interface Range {
  readonly start: string
  readonly end: string
  readonly isReverse?: boolean
}

export interface Row {
  readonly key: string
  readonly value: unknown
}

/** What can be read at one instant. */
export interface Reading {
  get(key: string): unknown
  /** Rows in the order of their keys' bytes. What is not asked for is not read. */
  range(range: Range): Iterable<Row>
  /** The number of rows, without reading their values. It stops at `limit`. */
  count(range: Range, limit?: number): number
}

/** Reads within a write see what the write has put. */
export interface Writing extends Reading {
  put(key: string, value: unknown): void
  remove(key: string): void
}

/**
 * Rows by keys that are bytes, in the order of these bytes. Keys are strings with a character for each byte.
 *
 * It promises: `read` sees all writes that were acknowledged before it began, by whichever process, and none in part. One `write` runs at a
 * time, of all processes. What it puts becomes visible at once; the promise resolves when it is on disk. If `work` throws, nothing is
 * written, provided that it puts nothing before it throws. Values are not changed by who puts or gets them.
 */
export interface Store {
  read<T>(work: (reading: Reading) => T): T
  write<T>(work: (writing: Writing) => T): Promise<T>
  /** A copy of one instant, in a file that `openEngine` opens. */
  backup(file: string): Promise<void>
  close(): Promise<void>
}
