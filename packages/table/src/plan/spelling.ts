import { isDeepStrictEqual } from 'node:util'
import type { Attribute } from '../design/attribute.ts'
import type { Entity } from '../design/form.ts'
import { lookedFor, mayBeSpelledOtherwise } from '../kind/kind.ts'
import type { Values } from './values.ts'

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

/** DynamoDB's own expiry needs epoch seconds, and a document may name the attribute for it. */
const instantOfTtl = (ttl_s: number): unknown => {
  const instant = new Date(ttl_s * 1000)
  return Number.isNaN(instant.getTime()) ? ttl_s : instant.toISOString()
}

/** A value in the spelling that the design stores, as far as it has one. Members of a list or set are read one by one. */
function inSpelling({ kind }: Attribute, value: unknown): unknown {
  const { of } = kind
  if (of === undefined || !(Array.isArray(value) || value instanceof Set)) return lookedFor(kind, value).data ?? value
  const members = [...value].map((member: unknown) => lookedFor(of, member).data ?? member)
  return value instanceof Set ? new Set(members) : members
}

/**
 * Gives values the spelling that the design stores, if they have one: an instant without milliseconds, say, or an end as epoch seconds. True if one changes.
 * @param isOthers another program wrote the item: it may have values that the cheap check of their kind cannot tell from those of the design
 */
export function respell({ attributes, form: { key, expires } }: Entity, item: Values, isOthers: boolean): boolean {
  let isChanged = false
  for (const name in attributes) {
    const value = item[name]
    const attribute = attributes[name]
    if (isAbsent(value) || attribute === undefined || (attribute.kind.holds(value) && !(isOthers && mayBeSpelledOtherwise(attribute.kind))))
      continue
    // By its key an item is found as it was written there.
    if (key.partition.placeholders.includes(name) || key.sort.placeholders.includes(name)) continue
    const spelled = inSpelling(attribute, name === expires && typeof value === 'number' ? instantOfTtl(value) : value)
    if (!attribute.kind.holds(spelled) || isDeepStrictEqual(spelled, value)) continue
    item[name] = spelled
    isChanged = true
  }
  return isChanged
}
