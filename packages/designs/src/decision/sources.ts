import type { Entity, Runtime } from '@freehold/table'
import { formatKey, type KeyRange, literalPrefix, prefixRange, tableKey } from '@freehold/table/runtime'
import type { Definitions } from './definitions.ts'
import type { NameMemory } from './name-memory.ts'

/** What one question reads from. */
export interface Sources {
  readonly runtime: Runtime
  readonly definitions: Definitions
  readonly names: NameMemory
}

/** A range of one partition. */
export interface Place {
  readonly partition: string
  readonly range: KeyRange
}

/** The range of all items of an entity with this partition key. */
export function placeOf(entity: Entity, values: Readonly<Record<string, string>> = {}): Place {
  const { partition, sort } = entity.form.key
  const [alternative] = sort.alternatives
  return {
    // Questions are normalised and stored ids are checked, so there is a value for each placeholder.
    partition: formatKey(partition, values, entity.name) ?? '',
    range: prefixRange(alternative === undefined ? '' : literalPrefix(alternative)),
  }
}

/** The range of all items of an entity whose keys differ in their last placeholder only. */
export function placeBefore(entity: Entity, values: Readonly<Record<string, string | undefined>>, last: string): Place {
  const { PK, SK } = tableKey(entity, { ...values, [last]: '-' })
  return { partition: PK, range: prefixRange(SK.slice(0, -1)) }
}
