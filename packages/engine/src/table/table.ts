import { invalid, invalidValues } from '../errors.ts'
import { type AttributeValue, attributeOf, contentOf, type Item, type KeyType, type MutableItem, typeOf } from '../value/attribute-value.ts'
import { binaryBytes } from '../value/item-size.ts'
import type { IndexDefinition, TableDefinition } from './definition.ts'
import { closed, orderedBytes, partitionOf, suffixOf } from './key-bytes.ts'

/** "The minimum length of a partition key value is 1 byte. The maximum length is 2048 bytes", of a sort key value 1024 (Developer Guide, "Quotas in Amazon DynamoDB"). */
const partition_bytes_max = 2048
const sort_bytes_max = 1024

export interface KeyAttribute {
  readonly name: string
  readonly type: KeyType
  readonly bytes_max: number
}

/** A table or an index, as something that is read in the order of its keys. */
export interface Keyed {
  readonly name: string
  /** The first bytes of its keys. */
  readonly space: string
  /** The bytes after all of its keys. */
  readonly end: string
  readonly partition: KeyAttribute
  readonly sort: KeyAttribute | undefined
}

export interface Index extends Keyed {
  readonly definition: IndexDefinition
  readonly isGlobal: boolean
  /** The attributes that it has of each item; undefined for all. */
  readonly attributes: ReadonlySet<string> | undefined
}

/** A table as requests need it, made once for each change of its definition. */
export interface Table extends Keyed {
  readonly definition: TableDefinition
  readonly indexes: readonly Index[]
  readonly keyNames: readonly string[]
}

export function tableOf(definition: TableDefinition): Table {
  const typeOfAttribute = (name: string): KeyType => {
    const found = definition.attributes.find(({ AttributeName }) => AttributeName === name)
    if (found === undefined) throw new Error(`The key attribute ${name} has no type.`)
    return found.AttributeType
  }
  const keyed = (name: string, space: number, schema: TableDefinition['keySchema']): Keyed => {
    const attribute = (KeyType: 'HASH' | 'RANGE', bytes_max: number): KeyAttribute | undefined => {
      const element = schema.find((each) => each.KeyType === KeyType)
      return element && { name: element.AttributeName, type: typeOfAttribute(element.AttributeName), bytes_max }
    }
    const partition = attribute('HASH', partition_bytes_max)
    if (partition === undefined) throw new Error(`${name} has no partition key.`)
    return { name, space: spaceOf(space), end: spaceOf(space + 1), partition, sort: attribute('RANGE', sort_bytes_max) }
  }
  const table = keyed(definition.name, definition.space, definition.keySchema)
  const keyNames = namesOf(table)
  const indexes = definition.indexes.map((index): Index => {
    const own = keyed(index.name, index.space, index.keySchema)
    const { ProjectionType: type, NonKeyAttributes: others = [] } = index.projection
    const attributes = type === 'ALL' ? undefined : new Set([...keyNames, ...namesOf(own), ...others])
    return { ...own, definition: index, isGlobal: index.isGlobal, attributes }
  })
  return { ...table, definition, indexes, keyNames }
}

export function namesOf({ partition, sort }: Keyed): readonly string[] {
  return sort === undefined ? [partition.name] : [partition.name, sort.name]
}

function spaceOf(number: number): string {
  return String.fromCharCode(1, (number >>> 16) & 255, (number >>> 8) & 255, number & 255)
}

/**
 * The key of an item by its primary key attributes.
 * @throws ServiceError for an item without them, or with ones of a wrong type or size
 */
export function keyOf(table: Table, item: Item): string {
  const partition = checkedKey(table.partition, attributeOf(item, table.partition.name))
  const sort = table.sort === undefined ? '' : closed(checkedKey(table.sort, attributeOf(item, table.sort.name)))
  return table.space + partitionOf(partition) + sort
}

/** The key of what was given as a key alone. @throws ServiceError for one with other attributes, too */
export function keyOfKey(table: Table, key: Item): string {
  const names = Object.keys(key)
  const wrong = table.keyNames.some((name) => !Object.hasOwn(key, name))
  if (wrong || names.length !== table.keyNames.length) throw invalid('The provided key element does not match the schema')
  for (const attribute of attributesOfKey(table)) {
    const value = attributeOf(key, attribute.name)
    if (value !== undefined && typeOf(value) !== attribute.type) throw invalid('The provided key element does not match the schema')
  }
  return keyOf(table, key)
}

export function attributesOfKey({ partition, sort }: Keyed): readonly KeyAttribute[] {
  return sort === undefined ? [partition] : [partition, sort]
}

function checkedKey(attribute: KeyAttribute, value: AttributeValue | undefined): string {
  const { name, type, bytes_max } = attribute
  if (value === undefined) throw invalidValues(`Missing the key ${name} in the item`)
  const content = contentOf(value, type)
  if (content === undefined) throw invalidValues(`Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`)
  if (content === '') throw emptyKey(name, type)
  checkKeyBytes(content, type, bytes_max)
  return orderedBytes(content, type)
}

export function emptyKey(name: string, type: KeyType): Error {
  const kind = type === 'B' ? 'binary' : 'string'
  return invalid(
    `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${name}`,
  )
}

function checkKeyBytes(content: string, type: KeyType, bytes_max: number): void {
  // A UTF-16 unit takes at most three bytes.
  if (type === 'N' || content.length * 3 <= bytes_max) return
  const bytes = type === 'B' ? binaryBytes(content) : Buffer.byteLength(content)
  if (bytes <= bytes_max) return
  throw invalidValues(
    bytes_max === partition_bytes_max
      ? `Size of hashkey has exceeded the maximum size limit of${bytes_max} bytes`
      : `Aggregated size of all range keys has exceeded the size limit of ${bytes_max} bytes`,
  )
}

/** Where an item stands in an index, and with which attributes. */
export interface Entry {
  readonly key: string
  readonly item: Item
}

/** The entry of a stored item; undefined for one that lacks a key attribute of the index, which leaves it out. */
export function entryOf(index: Index, item: Item, primary: string): Entry | undefined {
  const partition = bytesFor(index.partition, item)
  const sort = index.sort === undefined ? '' : bytesFor(index.sort, item)
  if (partition === undefined || sort === undefined) return undefined
  const key = index.space + partitionOf(partition) + (index.sort === undefined ? '' : closed(sort)) + suffixOf(primary)
  return { key, item: index.attributes === undefined ? item : only(item, index.attributes) }
}

/** What an index that comes later finds unfit as a key, it leaves out. */
function bytesFor({ name, type, bytes_max }: KeyAttribute, item: Item): string | undefined {
  const value = attributeOf(item, name)
  const content = value === undefined ? undefined : contentOf(value, type)
  const bytes = content === undefined ? '' : orderedBytes(content, type)
  return bytes === '' || bytes.length > bytes_max ? undefined : bytes
}

function only(item: Item, names: ReadonlySet<string>): Item {
  const part: MutableItem = {}
  for (const name of Object.keys(item)) {
    const value = item[name]
    if (names.has(name) && value !== undefined) part[name] = value
  }
  return part
}

/**
 * @throws ServiceError for an item whose attribute is a key of an index, and has another type, no content or too much of it ("the attribute
 * is an index key": Developer Guide, "Using Global Secondary Indexes in DynamoDB")
 */
export function checkIndexKeys(table: Table, item: Item): void {
  for (const index of table.indexes) {
    for (const { name, type, bytes_max } of attributesOfKey(index)) {
      const value = attributeOf(item, name)
      if (value === undefined || table.keyNames.includes(name)) continue
      const content = contentOf(value, type)
      if (content === undefined) {
        throw invalidValues(`Type mismatch for Index Key ${name} Expected: ${type} Actual: ${typeOf(value)} IndexName: ${index.name}`)
      }
      if (content === '') {
        const kind = type === 'B' ? 'binary' : 'string'
        throw invalid(
          `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${kind} value. IndexName: ${index.name}, IndexKey: ${name}`,
        )
      }
      checkKeyBytes(content, type, bytes_max)
    }
  }
}
