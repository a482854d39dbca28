import type { Reading, Writing } from '../store/store.ts'

/** "A client request token is valid for 10 minutes after the first request that uses it is completed" (API Reference, TransactWriteItems). */
const valid_ms = 10 * 60 * 1000

/** Expired tokens that a transaction removes, so that they do not gather. */
const removed_max = 4

const byToken = '\x03token\0'
const byTime = '\x03until\0'

interface Remembered {
  readonly digest: string
  readonly until_ms: number
}

/** The digest of the request that used the token; undefined if there was none in the last ten minutes. */
export function tokenAt(reading: Reading, token: string, now_ms: number): string | undefined {
  // Only `rememberToken` writes here.
  const found = reading.get(byToken + bytesOf(token)) as Remembered | undefined
  return found !== undefined && found.until_ms > now_ms ? found.digest : undefined
}

export function rememberToken(writing: Writing, { token, digest, now_ms }: { token: string; digest: string; now_ms: number }): void {
  const expired = { start: byTime, end: byTime + instant(now_ms) }
  const old: { key: string; value: unknown }[] = []
  for (const row of writing.range(expired)) {
    old.push(row)
    if (old.length === removed_max) break
  }
  for (const { key, value } of old) {
    writing.remove(key)
    if (Array.isArray(value)) writing.remove(byToken + String(value[0]))
  }
  const until_ms = now_ms + valid_ms
  writing.put(byToken + bytesOf(token), { digest, until_ms })
  writing.put(`${byTime}${instant(until_ms)}${bytesOf(token)}`, [bytesOf(token)])
}

function bytesOf(token: string): string {
  return Buffer.from(token).toString('latin1')
}

function instant(ms: number): string {
  return String(ms).padStart(16, '0')
}
