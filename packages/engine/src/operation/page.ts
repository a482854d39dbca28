import { invalid, invalidValues } from '../errors.ts'
import type { Bindings } from '../expression/bindings.ts'
import { type Condition, conditionOf, meets } from '../expression/condition.ts'
import type { Path } from '../expression/path.ts'
import { attributesOf, projected, projectionOf } from '../expression/projection.ts'
import type { Range, Reading } from '../store/store.ts'
import { itemAt, storedItem } from '../table/rows.ts'
import { attributesOfKey, entryOf, type Index, type Keyed, keyOf, namesOf, type Table } from '../table/table.ts'
import { type Item, typeOf } from '../value/attribute-value.ts'
import { checkedItem } from '../value/checked-value.ts'
import { Consumption, readUnits, type Told } from './capacity.ts'

export type Select = 'SPECIFIC_ATTRIBUTES' | 'COUNT' | 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES'

/** "A single Query operation can retrieve a maximum of 1 MB of data. This limit applies before any FilterExpression" (API Reference, Query; Scan alike). */
const page_bytes_max = 1024 * 1024

export interface PageInput {
  readonly Select?: Select
  readonly FilterExpression?: string
  readonly ProjectionExpression?: string
  readonly IndexName?: string
  readonly ConsistentRead?: boolean
  readonly ExclusiveStartKey?: unknown
  readonly Limit?: number
  readonly ReturnConsumedCapacity?: Told
}

/** What is read: the table or one of its indexes. */
export interface Source {
  readonly table: Table
  readonly index: Index | undefined
  readonly keyed: Keyed
}

/** @throws ServiceError for an index that is not there, or cannot be read so */
export function sourceOf(table: Table, { IndexName: name, ConsistentRead = false, Select: select }: PageInput): Source {
  const index = name === undefined ? undefined : table.indexes.find((each) => each.name === name)
  if (name !== undefined && index === undefined) throw invalid(`The table does not have the specified index: ${name}`)
  if (index?.definition.isFilling === true) throw invalid(`Cannot read from backfilling global secondary index: ${index.name}`)
  if (index?.isGlobal === true && ConsistentRead) throw invalid('Consistent reads are not supported on global secondary indexes')
  if (index?.isGlobal === true && select === 'ALL_ATTRIBUTES' && index.attributes !== undefined) {
    throw invalidValues(
      `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    )
  }
  return { table, index, keyed: index ?? table }
}

/** @throws ServiceError for a `Select` that does not fit the other members */
function checkSelect({ Select: select, ProjectionExpression: projection, IndexName: index }: PageInput): void {
  if (select === 'SPECIFIC_ATTRIBUTES' && projection === undefined) {
    throw invalid('Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES')
  }
  if (projection !== undefined && select !== undefined && select !== 'SPECIFIC_ATTRIBUTES') {
    const what = select === 'COUNT' ? 'only the Count' : select
    throw invalid(`Cannot specify the ProjectionExpression when choosing to get ${what}`)
  }
  if (select === 'ALL_PROJECTED_ATTRIBUTES' && index === undefined) {
    throw invalid('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName')
  }
}

export interface Asked {
  readonly input: PageInput
  readonly filter: Condition | undefined
  readonly paths: readonly Path[] | undefined
}

/** What a Query or Scan asks for beside its range. All expressions are parsed with it. @throws ServiceError */
export function askedOf(input: PageInput, bindings: Bindings): Asked {
  const { FilterExpression, ProjectionExpression } = input
  const filter = FilterExpression === undefined ? undefined : conditionOf(bindings, 'FilterExpression', FilterExpression)
  const paths = projectionOf(bindings, ProjectionExpression)
  bindings.finish()
  checkSelect(input)
  return { input, filter, paths }
}

/**
 * A page of a Query or Scan.
 * @param outside what is said of a start key that is not in the range
 */
export function pageIn(reading: Reading, source: Source, asked: Asked, range: Range, outside: string): object {
  const { ExclusiveStartKey: start } = asked.input
  if (start === undefined) return pageOf(reading, source, asked, range)
  const place = startPlace(source, start)
  if (place < range.start || place >= range.end) throw invalid(outside)
  return pageOf(reading, source, asked, rangeAfter(range, place))
}

function pageOf(reading: Reading, source: Source, { input, filter, paths }: Asked, range: Range): object {
  const { Limit: limit = Number.POSITIVE_INFINITY, Select: select, ConsistentRead: isConsistent = false } = input
  const fetches = fetchesFor(source, { select, filter, paths })
  const consumption = new Consumption()
  const items: Item[] = []
  let [count, scanned, bytes] = [0, 0, 0]
  let last: Item | undefined
  let isEnded = true
  for (const { value } of reading.range(range)) {
    const [entryBytes, entry] = storedItem(value) ?? [0, {}]
    if (scanned > 0 && bytes + entryBytes > page_bytes_max) {
      isEnded = false
      break
    }
    bytes += entryBytes
    scanned += 1
    last = entry
    const item = fetches ? fetched(reading, source, entry, consumption, isConsistent) : entry
    if (filter === undefined || meets(filter, item)) {
      count += 1
      if (select !== 'COUNT') items.push(paths === undefined ? item : projected(item, paths))
    }
    if (scanned >= limit) {
      isEnded = false
      break
    }
  }
  consumption.add(source.table, source.index === undefined ? readUnits(bytes, isConsistent) : 0)
  if (source.index !== undefined) consumption.add(source.table, readUnits(bytes, isConsistent), source.index)
  return {
    ...(select === 'COUNT' ? {} : { Items: items }),
    Count: count,
    ScannedCount: scanned,
    ...(isEnded || last === undefined ? {} : { LastEvaluatedKey: attributesOf(last, keyNames(source)) }),
    ...consumption.ofOne(input.ReturnConsumedCapacity),
  }
}

/**
 * True if the items have to be read from the table, too: a local index does that for attributes that it lacks, and a global index refuses
 * (Developer Guide, "Using Global Secondary Indexes in DynamoDB": "queries … cannot fetch attributes from the parent table").
 */
function fetchesFor(
  { index }: Source,
  { select, filter, paths }: Pick<Asked, 'filter' | 'paths'> & { readonly select: Select | undefined },
): boolean {
  if (index?.attributes === undefined) return false
  if (select === 'ALL_ATTRIBUTES') return true
  const lacking = (names: readonly string[]): string[] => names.filter((name) => index.attributes?.has(name) === false)
  const asked = lacking((paths ?? []).map(([name]) => String(name)))
  if (!index.isGlobal) return asked.length > 0 || lacking(filter?.attributes ?? []).length > 0
  if (asked.length > 0) throw invalidValues(`Global secondary index ${index.name} does not project [${asked.join(', ')}]`)
  return false
}

function fetched(reading: Reading, { table }: Source, entry: Item, consumption: Consumption, isConsistent: boolean): Item {
  const found = itemAt(reading, keyOf(table, entry))
  consumption.read(table, found?.[0] ?? 0, isConsistent)
  return found?.[1] ?? entry
}

function keyNames({ table, index }: Source): readonly string[] {
  return index === undefined ? table.keyNames : [...new Set([...table.keyNames, ...namesOf(index)])]
}

/** The key in the store from which the page goes on. @throws ServiceError for a start key of another form */
function startPlace(source: Source, given: unknown): string {
  const start = checkedItem(given)
  const names = keyNames(source)
  const wrong = 'The provided starting key is invalid'
  if (Object.keys(start).length !== names.length || names.some((name) => !Object.hasOwn(start, name))) {
    throw invalid(source.index === undefined ? `${wrong}: The provided key element does not match the schema` : wrong)
  }
  for (const { name, type } of [source.table, source.keyed].flatMap(attributesOfKey)) {
    const value = start[name]
    if (value !== undefined && typeOf(value) !== type) throw invalid(`${wrong}: The provided key element does not match the schema`)
  }
  const primary = keyOf(source.table, start)
  const place = source.index === undefined ? primary : entryOf(source.index, start, primary)?.key
  if (place === undefined) throw invalid(wrong)
  return place
}

/** What of a range comes after a place. */
function rangeAfter(range: Range, place: string): Range {
  return range.isReverse === true ? { ...range, end: place } : { ...range, start: `${place}\0` }
}
