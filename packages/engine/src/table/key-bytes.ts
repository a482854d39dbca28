import { createHash } from 'node:crypto'
import type { KeyType } from '../value/attribute-value.ts'
import { orderedNumber } from '../value/number.ts'

// Keys of the store are bytes, in strings with a character for each byte: V8 compares and joins those faster than buffers, and text of ASCII
// is its own bytes.

/** Bytes whose order is that of the values: "UTF-8 bytes", numeric, and "unsigned bytes" (Developer Guide, "Supported data types and naming rules"). */
export function orderedBytes(content: string, type: KeyType): string {
  if (type === 'N') return orderedNumber(content)
  if (type === 'B') return Buffer.from(content, 'base64').toString('latin1')
  return isAscii(content) ? content : Buffer.from(content).toString('latin1')
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false
  return true
}

/** Bytes without the end that `closed` gives them: the beginning of all that begin with these bytes. */
export function opened(bytes: string): string {
  return bytes.includes('\0') ? bytes.replaceAll('\0', '\0\xff') : bytes
}

/** Bytes with an end, so that what follows them does not change their order. */
export function closed(bytes: string): string {
  return `${opened(bytes)}\0\0`
}

/** The bytes after all that begin with these. Undefined if there are none. */
export function afterAll(prefix: string): string | undefined {
  const kept = prefix.replace(/\xff+$/, '')
  return kept === '' ? undefined : kept.slice(0, -1) + String.fromCharCode(kept.charCodeAt(kept.length - 1) + 1)
}

/** A longer partition key stands as its hash, since keys of the store are limited. Two partitions have no order. */
const plain_max = 128

/**
 * The first bytes of a partition: a hash, by which partitions are scattered and a parallel Scan is divided, and the closed key. A
 * DynamoDB table scatters its partitions, too, so no program should expect a Scan in the order of keys.
 */
export function partitionOf(bytes: string): string {
  return hashBytes(hashOf(bytes)) + (bytes.length > plain_max ? `\0\x01${digest(bytes)}` : closed(bytes))
}

function hashBytes(hash: number): string {
  return String.fromCharCode(hash >>> 16, (hash >>> 8) & 255, hash & 255)
}

/** The first bytes of the partitions that begin a part of all. */
export function scattered(part: number, parts: number): string {
  return hashBytes(Math.ceil((part * 0x1000000) / parts))
}

/** What tells the items of one index key apart: their primary key, or its hash. */
export function suffixOf(primary: string): string {
  return primary.length > plain_max ? digest(primary) : primary.slice(4)
}

function digest(bytes: string): string {
  return createHash('sha256').update(bytes, 'latin1').digest().toString('latin1')
}

/** FNV-1a with a last mixing step, of 24 bits. */
function hashOf(bytes: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ bytes.charCodeAt(at), 0x01000193)
  return ((hash ^ (hash >>> 15)) >>> 4) & 0xffffff
}
