import { isDeepStrictEqual } from 'node:util'
import { schemaName } from '../design/entity.ts'
import type { Expression } from './expression.ts'
import { type Stored, versionOf, writeIdName } from './stored.ts'
import { holdsFor, type Path, renderTerm, type Term } from './term.ts'
import { asStored, readOf } from './understood.ts'

/** Types of DynamoDB that an atomic change works on. */
export type AttributeType = 'SS' | 'NS' | 'L'

/** A condition on an item, without which an action on it fails. It is rendered to an expression just before sending. */
export type Condition =
  /** No item under the key, or an expired one (spec rule 7). An item that is being deleted keeps its key until its dependants are gone (rule 12). */
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
   * `writeId` is undefined for an item that another program wrote. `read`: the attributes of an item without a version, undefined for absent ones.
   */
  | { readonly is: 'unchanged'; readonly version: number; readonly writeId: unknown; readonly read?: Stored | undefined }
  /** An undefined value: the item exists without the attribute. */
  | { readonly is: 'equal'; readonly attribute: string; readonly value: unknown }
  /** The attribute has this value, or is absent if `orNone` is true. `isTold`: the writer may learn that it has another value. */
  | { readonly is: 'of'; readonly attribute: string; readonly value: string; readonly orNone: boolean; readonly isTold: boolean }
  /** What a caller asks of the item's attributes. */
  | { readonly is: 'where'; readonly term: Term }
  /**
   * What a condition or an atomic change takes from the stored attributes is what the item means: it has the form of the schema, these attributes are there,
   * and each pair of a name and a former name has one value. An item that is understood is always settled; a write completes others.
   */
  | { readonly is: 'settled'; readonly schema?: number | undefined; readonly present: readonly string[]; readonly same: readonly Path[] }
  /** The item is of this entity. */
  | { readonly is: 'type'; readonly name: string }
  /** An atomic change leaves this attribute as its kind allows. `type`: in DynamoDB's letters. */
  | { readonly is: 'allowed'; readonly attribute: string; readonly term: Term }
  /** The same for a set or a list, which has at most `membersMax` members before the change. */
  | { readonly is: 'fitting'; readonly attribute: string; readonly type: AttributeType; readonly membersMax?: number | undefined }
  /** The item belongs to the tenant that writes it. */
  | { readonly is: 'own'; readonly attribute: string; readonly tenant: string }
  /** Not yet written by this write: a request that arrives twice is applied once, unless another writer came between. */
  | { readonly is: 'unwritten'; readonly writeId: string }
  /** No item, or one with these attributes: never the guard of another owner. */
  | { readonly is: 'owned'; readonly attributes: Readonly<Record<string, unknown>> }

/** The item is unchanged since it was read, so that a late or repeated write matches nothing (spec rule 13). */
export function unchanged(item: Stored): Condition {
  return { is: 'unchanged', version: versionOf(item), writeId: item[writeIdName], read: readOf(item) }
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

function renderEqual(attribute: string, value: unknown, expression: Expression): string {
  const name = expression.name(attribute)
  return value === undefined ? `attribute_not_exists(${name})` : `${name} = ${expression.value(value)}`
}

function render(condition: Condition, expression: Expression): string {
  const { is } = condition
  switch (is) {
    case 'absent': {
      const { now, expires } = condition
      const absent = `attribute_not_exists(${expression.name('PK')})`
      if (expires === undefined) return absent
      const over = `${expression.name(expires)} <= ${expression.value(now.toISOString())}`
      const isOver = `(${over} OR ${expression.name('ttl')} <= ${expression.value(epochSeconds(now))})`
      return `(${absent} OR (attribute_not_exists(${expression.name('deleting')}) AND ${isOver}))`
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
      const read = Object.entries(condition.read ?? {}).flatMap(([attribute, value]) =>
        attribute === 'version' || attribute === writeIdName ? [] : [` AND ${renderEqual(attribute, value, expression)}`],
      )
      return `${renderVersion(condition.version, expression)} AND ${written}${read.join('')}`
    }
    case 'settled': {
      const schema = condition.schema === undefined ? [] : [`${expression.name(schemaName)} >= ${expression.value(condition.schema)}`]
      const present = condition.present.map((name) => `attribute_exists(${expression.name(name)})`)
      const same = condition.same.map(([one, former = '']) => {
        const [first, second] = [expression.name(one), expression.name(former)]
        return `(${first} = ${second} OR (attribute_not_exists(${first}) AND attribute_not_exists(${second})))`
      })
      return [...schema, ...present, ...same].join(' AND ')
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
    case 'where':
    case 'allowed':
      return renderTerm(condition.term, expression)
    case 'type':
      return `${expression.name('Type')} = ${expression.value(condition.name)}`
    case 'fitting': {
      const { type, membersMax } = condition
      const name = expression.name(condition.attribute)
      const typed = `attribute_type(${name}, ${expression.value(type)})`
      const room = membersMax === undefined ? typed : `(${typed} AND size(${name}) <= ${expression.value(membersMax)})`
      return `(attribute_not_exists(${name}) OR ${room})`
    }
    case 'own':
      return `${expression.name(condition.attribute)} = ${expression.value(condition.tenant)}`
    case 'unwritten':
      return `NOT (${expression.name(writeIdName)} = ${expression.value(condition.writeId)})`
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
      return (
        item === undefined ||
        (condition.expires !== undefined && item.deleting === undefined && isPast(item, condition.expires, condition.now))
      )
    case 'present':
      return item !== undefined
    case 'live':
      return item !== undefined && item.deleting === undefined
    case 'lasting':
      return item !== undefined && !(String(item[condition.expires] ?? '\u{10FFFF}') <= condition.now.toISOString())
    case 'version':
      return isOfVersion(item, condition.version)
    case 'unchanged':
      return (
        isOfVersion(item, condition.version) &&
        isEqual(item, writeIdName, condition.writeId) &&
        Object.entries(condition.read ?? {}).every(([attribute, value]) => isEqual(asStored(item), attribute, value))
      )
    case 'settled':
      return item !== undefined
    case 'equal':
      return item !== undefined && isEqual(item, condition.attribute, condition.value)
    case 'of':
      return (
        item !== undefined &&
        (isEqual(item, condition.attribute, condition.value) || (condition.orNone && item[condition.attribute] === undefined))
      )
    case 'where':
    case 'allowed':
      return item !== undefined && holdsFor(condition.term, item)
    case 'type':
      return item?.Type === condition.name
    case 'fitting':
      return item !== undefined && isFitting(item[condition.attribute], condition)
    case 'own':
      return item !== undefined && isEqual(item, condition.attribute, condition.tenant)
    case 'unwritten':
      return item?.[writeIdName] !== condition.writeId
    case 'owned':
      return item === undefined || Object.entries(condition.attributes).every(([attribute, value]) => isEqual(item, attribute, value))
  }
}

function isFitting(
  value: unknown,
  { type, membersMax = Number.POSITIVE_INFINITY }: Extract<Condition, { readonly is: 'fitting' }>,
): boolean {
  if (value === undefined) return true
  if (type === 'L') return Array.isArray(value) && value.length <= membersMax
  return value instanceof Set && [...value].every((member) => typeof member === (type === 'SS' ? 'string' : 'number'))
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
