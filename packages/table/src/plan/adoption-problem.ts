import type { Entity } from '../design/form.ts'
import type { ErrorCode, FreeholdError } from '../errors.ts'
import type { Put } from './action.ts'
import { type TableKey, tableKey, tableKeyIfPresent } from './keys.ts'
import type { Stored } from './stored.ts'

/** Something that the design cannot add by itself. */
export interface AdoptionProblem {
  readonly entity: string
  readonly key: TableKey
  readonly code: ErrorCode
  /** Names the item, and says why. */
  readonly message: string
  /** The items of which a person has to remove one, in place of that at `key`. */
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
