import { isDeepStrictEqual } from 'node:util'
import { type Stored, versionOf, writeIdName } from './stored.ts'

/** A condition on an item, without which an action on it fails. It is rendered to an expression just before sending. */
export type Condition =
  /** No item under the key, or an expired one (spec rule 7). */
  | { readonly is: 'absent'; readonly now: Date; readonly expires?: string | undefined }
  | { readonly is: 'present' }
  /** Present and not being deleted. */
  | { readonly is: 'live' }
  /** Not expired (spec rule 15). */
  | { readonly is: 'lasting'; readonly now: Date; readonly expires: string }
  /** The version that a caller expects. Version 0 is an item that was written without a version. */
  | { readonly is: 'version'; readonly version: number }
  /**
   * Unchanged since it was read. A successor under the same key may have the same version, but never the same write id.
   * `writeId` is undefined for an item that another program wrote.
   */
  | { readonly is: 'unchanged'; readonly version: number; readonly writeId: unknown }
  /** An undefined value: the item exists without the attribute. */
  | { readonly is: 'equal'; readonly attribute: string; readonly value: unknown }
  /** The attribute has this value, or is absent if `orNone` is true. `isTold`: the writer may learn that it has another value. */
  | { readonly is: 'of'; readonly attribute: string; readonly value: string; readonly orNone: boolean; readonly isTold: boolean }
  /** No item, or one with these attributes: never the guard of another owner. */
  | { readonly is: 'owned'; readonly attributes: Readonly<Record<string, unknown>> }

/** The item is unchanged since it was read, so that a late or repeated write matches nothing (spec rule 13). */
export function unchanged(item: Stored): Condition {
  return { is: 'unchanged', version: versionOf(item), writeId: item[writeIdName] }
}

/** Collects the names and values of one expression. Their placeholders are ASCII, since the embedded engine aborts on others. */
export class Expression {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, unknown> = {}
  private readonly known = new Map<string, string>()
  private count = 0

  name(attribute: string): string {
    const known = this.known.get(attribute)
    if (known !== undefined) return known
    const placeholder = `#n${this.known.size}`
    this.known.set(attribute, placeholder)
    this.names[placeholder] = attribute
    return placeholder
  }

  value(value: unknown): string {
    const placeholder = `:v${this.count++}`
    this.values[placeholder] = value
    return placeholder
  }
}

/** Seconds since the epoch, in which DynamoDB counts TTL. */
export function epochSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000)
}

function renderVersion(version: number, expression: Expression): string {
  const name = expression.name('version')
  if (version === 0) return `attribute_exists(${expression.name('PK')}) AND attribute_not_exists(${name})`
  return `${name} = ${expression.value(version)}`
}

function render(condition: Condition, expression: Expression): string {
  const { is } = condition
  switch (is) {
    case 'absent': {
      const { now, expires } = condition
      const absent = `attribute_not_exists(${expression.name('PK')})`
      if (expires === undefined) return absent
      const over = `${expression.name(expires)} <= ${expression.value(now.toISOString())}`
      return `(${absent} OR ${over} OR ${expression.name('ttl')} <= ${expression.value(epochSeconds(now))})`
    }
    case 'present':
      return `attribute_exists(${expression.name('PK')})`
    case 'live':
      return `attribute_exists(${expression.name('PK')}) AND attribute_not_exists(${expression.name('deleting')})`
    case 'lasting': {
      const expires = expression.name(condition.expires)
      return `(attribute_not_exists(${expires}) OR ${expires} > ${expression.value(condition.now.toISOString())})`
    }
    case 'version':
      return renderVersion(condition.version, expression)
    case 'unchanged': {
      const name = expression.name(writeIdName)
      const written = condition.writeId === undefined ? `attribute_not_exists(${name})` : `${name} = ${expression.value(condition.writeId)}`
      return `${renderVersion(condition.version, expression)} AND ${written}`
    }
    case 'equal':
      if (condition.value === undefined)
        return `attribute_exists(${expression.name('PK')}) AND attribute_not_exists(${expression.name(condition.attribute)})`
      return `${expression.name(condition.attribute)} = ${expression.value(condition.value)}`
    case 'of': {
      const name = expression.name(condition.attribute)
      const equal = `${name} = ${expression.value(condition.value)}`
      return condition.orNone ? `(${equal} OR attribute_not_exists(${name}))` : equal
    }
    case 'owned': {
      const equal = Object.entries(condition.attributes).map(
        ([attribute, value]) => `${expression.name(attribute)} = ${expression.value(value)}`,
      )
      return `(attribute_not_exists(${expression.name('PK')}) OR (${equal.join(' AND ')}))`
    }
  }
}

function isOfVersion(item: Stored | undefined, version: number): item is Stored {
  return item !== undefined && (version === 0 ? item.version === undefined : isEqual(item, 'version', version))
}

function isEqual(item: Stored, attribute: string, value: unknown): boolean {
  return isDeepStrictEqual(item[attribute], value)
}

/** Whether a condition holds for a known item: one that this write puts, or one that DynamoDB returned with a failure. */
export function holds(condition: Condition, item: Stored | undefined): boolean {
  const { is } = condition
  switch (is) {
    case 'absent':
      return item === undefined || (condition.expires !== undefined && isPast(item, condition.expires, condition.now))
    case 'present':
      return item !== undefined
    case 'live':
      return item !== undefined && item.deleting === undefined
    case 'lasting':
      return item !== undefined && !(String(item[condition.expires] ?? '\u{10FFFF}') <= condition.now.toISOString())
    case 'version':
      return isOfVersion(item, condition.version)
    case 'unchanged':
      return isOfVersion(item, condition.version) && isEqual(item, writeIdName, condition.writeId)
    case 'equal':
      return item !== undefined && isEqual(item, condition.attribute, condition.value)
    case 'of':
      return (
        item !== undefined &&
        (isEqual(item, condition.attribute, condition.value) || (condition.orNone && item[condition.attribute] === undefined))
      )
    case 'owned':
      return item === undefined || Object.entries(condition.attributes).every(([attribute, value]) => isEqual(item, attribute, value))
  }
}

function isPast(item: Stored, expires: string, now: Date): boolean {
  const { [expires]: at, ttl } = item
  return (typeof at === 'string' && at <= now.toISOString()) || (typeof ttl === 'number' && ttl <= epochSeconds(now))
}

/** The condition expression, or undefined if there are no conditions. */
export function renderConditions(conditions: readonly Condition[], expression: Expression): string | undefined {
  if (conditions.length === 0) return undefined
  return conditions.map((condition) => render(condition, expression)).join(' AND ')
}
