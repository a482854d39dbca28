import type { Entity } from '../design/form.ts'
import type { ErrorCode, FreeholdError } from '../errors.ts'
import type { Action, Put } from './action.ts'
import { type TableKey, tableKey, tableKeyIfPresent } from './keys.ts'
import type { Stored } from './stored.ts'

/** What an item lacks that a creation by the design would have written with it. */
export interface Adoption {
  readonly needs?: undefined
  readonly wants?: undefined
  /** By entity: derived items and sides of an edge that are missing, and the item itself if it lacks additional attributes. */
  readonly missing: readonly string[]
  /** By entity: what no program of this version needs, and one of a former version does. */
  readonly former: readonly string[]
  /** Writes what is missing, if the item and what it refers to are still as they were read. Empty if nothing can be written. */
  readonly actions: readonly Action[]
  readonly problems: readonly AdoptionProblem[]
}

export const nothing: Adoption = { missing: [], former: [], actions: [], problems: [] }

/** Something that the design cannot add by itself. */
export interface AdoptionProblem {
  readonly entity: string
  readonly key: TableKey
  readonly code: ErrorCode
  /** Names the item, and says why. */
  readonly message: string
  /** A person has to remove one of these items, in place of that at `key`. */
  readonly oneOf?: readonly TableKey[]
}

export function problemOf(entity: Entity, key: TableKey, { code, message }: Pick<FreeholdError, 'code' | 'message'>): AdoptionProblem {
  return { entity: entity.name, key, code, message }
}

export const placeOf = ({ PK, SK }: TableKey) => `'${PK}' / '${SK}'`

export const keyOf = ({ PK, SK }: Stored): TableKey => ({ PK: String(PK), SK: String(SK) })
export const itemAt = ({ name }: Entity, item: Stored) => `The ${name} at ${placeOf(keyOf(item))}`

/** The item of the owner that a derived item names, for a person. */
function ownerAt(owner: Entity, values: Stored): string {
  const key = tableKeyIfPresent(owner, values)
  return key === undefined ? `another ${owner.name}` : `the ${owner.name} at ${placeOf(key)}`
}

export function takenBy(entity: Entity, owner: Entity, { key, item }: Put, there: Stored): AdoptionProblem {
  const isOfOther = there.Type === entity.name
  const whose = isOfOther ? `another owner, ${ownerAt(owner, there)}` : `a ${String(there.Type)}`
  const message = `The ${entity.name} at ${placeOf(key)} is of ${whose}, and ${ownerAt(owner, item)} needs it, too.`
  const other = isOfOther ? tableKeyIfPresent(owner, there) : key
  return {
    ...problemOf(entity, key, { code: 'AlreadyExists', message }),
    oneOf: [...(other === undefined ? [] : [other]), tableKey(owner, item)],
  }
}

export function lost(entity: Entity, item: Stored, attribute: string, found = 0) {
  const message =
    found === 0
      ? `names in ${attribute} what is not there`
      : `names in ${attribute} ${found} items of different tenants, and nothing tells of which it is`
  return { code: 'MissingEnd', message: `${itemAt(entity, item)} ${message}.` } as const
}

export function misplaced(entity: Entity, item: Stored, key: TableKey) {
  const message = `${itemAt(entity, item)} does not lie where its attributes say: that is ${placeOf(key)}.`
  return { code: 'MalformedItem', message } as const
}
