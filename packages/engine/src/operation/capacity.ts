import type { IndexChange } from '../table/rows.ts'
import { writeUnits } from '../table/rows.ts'
import type { Index, Table } from '../table/table.ts'

export type Told = 'INDEXES' | 'TOTAL' | 'NONE'

/** "One read request unit … for an item up to 4 KB", and half of one if the read is eventually consistent (Developer Guide, "DynamoDB read and write operations"). */
export function readUnits(bytes: number, isConsistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5)
}

interface Counts {
  table: number
  readonly indexes: Map<Index, number>
}

/** The units of one request, by table and index. */
export class Consumption {
  readonly #counts = new Map<Table, Counts>()
  readonly #kind: 'ReadCapacityUnits' | 'WriteCapacityUnits' | undefined

  /** @param transaction the kind of units that a transaction tells beside their sum; those of its items count twice */
  constructor(transaction?: 'ReadCapacityUnits' | 'WriteCapacityUnits') {
    this.#kind = transaction
  }

  read(table: Table, bytes: number, isConsistent: boolean): void {
    this.add(table, readUnits(bytes, isConsistent))
  }

  /** A write of an item that was so large, or that becomes so large. */
  write(table: Table, bytes: number, changes: readonly IndexChange[]): void {
    this.add(table, writeUnits(bytes))
    for (const { index, units } of changes) this.add(table, units, index)
  }

  add(table: Table, units: number, index?: Index): void {
    const counts = this.#counts.get(table) ?? { table: 0, indexes: new Map() }
    this.#counts.set(table, counts)
    // An index follows the commit by an ordinary write.
    if (index === undefined) counts.table += this.#kind === undefined ? units : units * 2
    else counts.indexes.set(index, (counts.indexes.get(index) ?? 0) + units)
  }

  /** As an answer about one table has it; nothing if it was not asked for. */
  ofOne(told: Told | undefined): object {
    const [consumed] = this.#told(told)
    return consumed === undefined ? {} : { ConsumedCapacity: consumed }
  }

  /** As an answer about several tables has it. */
  ofAll(told: Told | undefined): object {
    return told === 'INDEXES' || told === 'TOTAL' ? { ConsumedCapacity: this.#told(told) } : {}
  }

  #told(told: Told | undefined): object[] {
    if (told !== 'INDEXES' && told !== 'TOTAL') return []
    return [...this.#counts].map(([{ name }, counts]) => {
      const sum = [...counts.indexes.values()].reduce((total, units) => total + units, counts.table)
      const whole = { TableName: name, ...this.#units(sum) }
      if (told === 'TOTAL') return whole
      const of = (isGlobal: boolean): [string, object][] =>
        [...counts.indexes].flatMap(([index, units]) => (index.isGlobal === isGlobal ? [[index.name, this.#units(units)]] : []))
      const [global, local] = [of(true), of(false)]
      return {
        ...whole,
        Table: this.#units(counts.table),
        ...(local.length === 0 ? {} : { LocalSecondaryIndexes: Object.fromEntries(local) }),
        ...(global.length === 0 ? {} : { GlobalSecondaryIndexes: Object.fromEntries(global) }),
      }
    })
  }

  #units(units: number): object {
    return this.#kind === undefined ? { CapacityUnits: units } : { CapacityUnits: units, [this.#kind]: units }
  }
}
