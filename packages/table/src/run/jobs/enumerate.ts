import type { Entity } from '../../design/form.ts'
import { keyPlaceholders } from '../../design/reference.ts'
import { type Dependant, type Enumeration, knownValue } from '../../design/relations.ts'
import { FreeholdError } from '../../errors.ts'
import { formatKey } from '../../key/format.ts'
import { prefixRange } from '../../key/range.ts'
import { isOfTarget } from '../../plan/dependants.ts'
import { type TableKey, tableKey } from '../../plan/keys.ts'
import type { Stored } from '../../plan/stored.ts'
import { collectionPages } from '../collection.ts'
import type { Runtime } from '../runtime.ts'

/** How a dependant is found. Throws `InvalidDesign` if no query finds it. */
export function enumerationOf(of: Entity, { enumeration, entity }: Dependant): Enumeration {
  if (enumeration !== undefined) return enumeration
  throw new FreeholdError(
    'InvalidDesign',
    `${entity.name} cannot be found from its ${of.name}, so a ${of.name} cannot be removed: see 'freehold prove'.`,
    { entity: entity.name },
  )
}

/** The partition of an item's dependants. Undefined if the item lacks an attribute by which they would refer to it, or has one that they lack. */
export function partitionOf(of: Entity, item: Stored, dependant: Dependant): string | undefined {
  const { side, partition } = enumerationOf(of, dependant)
  if (dependant.lacking.some((placeholder) => item[placeholder] !== undefined)) return undefined
  const values = Object.fromEntries(Object.entries(partition).map(([placeholder, known]) => [placeholder, knownValue(item, known)]))
  return formatKey(side.form.key.partition, values, side.name)
}

/** The dependants of an item, page by page, read consistently from one partition. */
export async function* dependantItems(
  runtime: Runtime,
  of: Entity,
  item: Stored,
  dependant: Dependant,
  limit?: number,
): AsyncGenerator<Stored[], void, void> {
  const { side, sortPrefix, filters } = enumerationOf(of, dependant)
  const partitionKey = partitionOf(of, item, dependant)
  if (partitionKey === undefined) return
  for await (const page of collectionPages(runtime, partitionKey, prefixRange(sortPrefix), limit)) {
    const ours = page.filter(
      (found) =>
        found.Type === side.name &&
        Object.entries(filters).every(([own, known]) => found[own] === knownValue(item, known)) &&
        isOfTarget(runtime.design.form, side, found, dependant, { entity: of, item }),
    )
    if (ours.length > 0) yield ours
  }
}

/** The key of the owner of a guard or lookup item. */
export function ownerKey(owner: Entity, found: Stored): TableKey {
  return tableKey(owner, Object.fromEntries(keyPlaceholders(owner).map((placeholder) => [placeholder, found[placeholder]])))
}
