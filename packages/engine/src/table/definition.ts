import type { KeyType } from '../value/attribute-value.ts'

export interface KeySchemaElement {
  readonly AttributeName: string
  readonly KeyType: 'HASH' | 'RANGE'
}

export interface AttributeDefinition {
  readonly AttributeName: string
  readonly AttributeType: KeyType
}

export interface Projection {
  readonly ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
  readonly NonKeyAttributes?: readonly string[]
}

export interface Throughput {
  readonly ReadCapacityUnits: number
  readonly WriteCapacityUnits: number
}

export interface IndexDefinition {
  readonly name: string
  readonly isGlobal: boolean
  /** The number by which the keys of its entries begin. */
  readonly space: number
  readonly keySchema: readonly KeySchemaElement[]
  readonly projection: Projection
  readonly throughput?: Throughput
  /** True until it has an entry for each item. */
  readonly isFilling?: boolean
}

/** A table as the store keeps it. */
export interface TableDefinition {
  readonly name: string
  readonly id: string
  readonly space: number
  readonly created_ms: number
  readonly attributes: readonly AttributeDefinition[]
  readonly keySchema: readonly KeySchemaElement[]
  readonly indexes: readonly IndexDefinition[]
  /** Absent for a table that pays per request. */
  readonly throughput?: Throughput
  readonly isProtected?: boolean
  readonly tableClass?: string
  /** The attribute by which items expire. */
  readonly timeToLive?: string
  readonly tags?: Readonly<Record<string, string>>
}
