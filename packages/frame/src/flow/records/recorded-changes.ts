import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Entity, Json } from '@freehold/table'

/** Longer values are recorded as digests (spec, AuditLog). In bytes of JSON. */
const valueBytesMax = 16 * 1024
/** So that a record of many long values fits an item of 400 KB with all else that is in it. */
const recordBytesMax = 256 * 1024
const shortBytesMax = 1024
/** A map may nest as deep as an item can: recorded within others it would be too deep. */
const depthMax = 16

/** A view of an item, or what will be one. */
export type View = Readonly<Record<string, unknown>>

/** Each attribute that changed, with its value `before` and `after`: absent if the item had or has none. */
export type RecordedChanges = Readonly<Record<string, Readonly<Record<string, Json>>>>

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1))
}

/** The value, or its digest: SHA-256 of its JSON, and how many bytes that has. */
export function recorded(value: unknown, bytesMax = valueBytesMax): Json {
  const json = JSON.stringify(value)
  const bytes = Buffer.byteLength(json)
  if (bytes <= bytesMax && !isDeeper(value, depthMax)) return JSON.parse(json)
  return { sha256: createHash('sha256').update(json).digest('hex'), bytes }
}

function side(name: 'before' | 'after', value: unknown, bytesMax: number): Readonly<Record<string, Json>> {
  return value === undefined || value === null ? {} : { [name]: recorded(value, bytesMax) }
}

/**
 * The attributes that differ between two views of an item: without secrets (spec rule 17), and without those that change with every write.
 * `before` is undefined for a new item, `after` for one that goes.
 */
export function recordedChanges(entity: Entity, before: View | undefined, after: View | undefined): RecordedChanges {
  const differing = Object.entries(entity.attributes).flatMap(([name, { isSecret, madeOnWrite }]) => {
    const [was, is] = [before?.[name] ?? undefined, after?.[name] ?? undefined]
    return isSecret || madeOnWrite || isDeepStrictEqual(was, is) ? [] : [{ name, was, is }]
  })
  const within = (bytesMax: number) =>
    Object.fromEntries(
      differing.map(({ name, was, is }) => [name, { ...side('before', was, bytesMax), ...side('after', is, bytesMax) }] as const),
    )
  const record = within(valueBytesMax)
  return Buffer.byteLength(JSON.stringify(record)) <= recordBytesMax ? record : within(shortBytesMax)
}

/** An item as it will be: what is given replaces what was, null takes away, undefined leaves alone. */
export function changedView<V extends View>(before: V, change: View): V {
  const after: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete after[name]
    else if (value !== undefined) after[name] = value
  }
  // The change was read by the attributes of the item's own entity.
  return after as V
}

/** True where a change leaves all as it was: nothing is written then, and nothing recorded. */
export function isUnchanged(before: View, change: View): boolean {
  return isDeepStrictEqual(changedView(before, change), before)
}
