import { keyNames } from '../design/compiled-pattern.ts'
import type { Entity, KeyTemplates } from '../design/form.ts'
import { FreeholdError } from '../errors.ts'
import { formatKey, type PlaceholderValues } from '../key/format.ts'
import { checkKeySize } from '../key/size.ts'

/** The primary key of an item. */
export interface TableKey {
  readonly PK: string
  readonly SK: string
}

function formatPair(
  { partition, sort }: KeyTemplates,
  values: PlaceholderValues,
  entity: Entity,
  names: readonly [string, string],
): readonly [string, string] | undefined {
  const first = formatKey(partition, values, entity.name)
  if (first === undefined) return undefined
  const second = formatKey(sort, values, entity.name)
  if (second === undefined) return undefined
  checkKeySize(first, 'partition', entity.name, names[0])
  checkKeySize(second, 'sort', entity.name, names[1])
  return [first, second]
}

const tableNames = keyNames(undefined)

/** The table key for these normalised values. Undefined if it needs an absent attribute, as does the guard of an absent value. */
export function tableKeyIfPresent(entity: Entity, values: PlaceholderValues): TableKey | undefined {
  const pair = formatPair(entity.form.key, values, entity, tableNames)
  return pair === undefined ? undefined : { PK: pair[0], SK: pair[1] }
}

/** The table key for these normalised values. Throws `InvalidKey` if a value is missing or would make the key ambiguous. */
export function tableKey(entity: Entity, values: PlaceholderValues): TableKey {
  const key = tableKeyIfPresent(entity, values)
  if (key === undefined) {
    const templates = [entity.form.key.partition, entity.form.key.sort]
    const absent = templates
      .flatMap(({ alternatives }) => alternatives.at(-1)?.placeholders ?? [])
      .filter((placeholder) => values[placeholder] === undefined || values[placeholder] === null)
    throw new FreeholdError('InvalidKey', `${entity.name} needs ${absent.join(' and ')} for its key '${entity.key.join("' / '")}'.`, {
      entity: entity.name,
      ...(absent[0] === undefined ? {} : { attribute: absent[0] }),
    })
  }
  return key
}

/** The key attributes of every index that the item is in (spec rule 4: both or neither). */
export function indexKeys(entity: Entity, values: PlaceholderValues): Record<string, string> {
  const keys: Record<string, string> = {}
  for (const [index, templates] of Object.entries(entity.form.indexes)) {
    const names = keyNames(index)
    const pair = formatPair(templates, values, entity, names)
    if (pair !== undefined) {
      keys[names[0]] = pair[0]
      keys[names[1]] = pair[1]
    }
  }
  return keys
}

/** Names of all index key attributes of an entity, whether or not an item has them. */
export function indexKeyNames(entity: Entity): readonly string[] {
  return Object.keys(entity.form.indexes).flatMap((index) => keyNames(index))
}

/** A table key as one text, for use in maps. */
export function keyText({ PK, SK }: TableKey): string {
  // No key contains a control character (spec rule 1), so the text is unambiguous.
  return `${PK}\u0000${SK}`
}
