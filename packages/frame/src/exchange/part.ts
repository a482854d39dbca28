import type { AnyDesign, Entity, Step } from '@freehold/table'
import { type TableKey, tableKeyIfPresent, targetKeys } from '@freehold/table/runtime'

type Values = Readonly<Record<string, unknown>>

/** One thing that a row needs and that is not there yet: a step of the row's transaction, which other rows may need as well. */
export interface Part {
  /** The same for the same thing in all rows of one import. */
  readonly name: string
  readonly step: Step
  /** Every place in the table that the step touches; those whose key is not known yet have a text of their own. */
  readonly places: readonly string[]
}

/** DynamoDB's limit of one transaction. */
export const transactionPlacesMax = 100

function placeOf(name: string, what: string, key: TableKey | undefined): string {
  return key === undefined ? `${what} of ${name}` : JSON.stringify([key.PK, key.SK])
}

/** The entity of the items from which these are derived: guards and mirrors have one. */
export const ownerOf = ({ form: { part } }: Entity): Entity | undefined =>
  part.kind === 'guard' || part.kind === 'mirror' ? part.owner : undefined

/** The items that creating one writes: its guards and mirrors, or its sides, with it. */
export function ownItems({ form }: AnyDesign, entity: Entity): readonly Entity[] {
  const { part } = entity.form
  return part.kind === 'edge' ? part.edge.sides : [entity, ...form.derivedItemsOf(entity)]
}

/**
 * A part that creates an item. `values` are normalised, and hold what keys need as far as it is known. Throws `InvalidKey` where a value
 * cannot stand in a key.
 */
export function part(design: AnyDesign, name: string, step: Step, values: Values): Part {
  const { entity } = step
  const { part: kind, references } = entity.form
  const own = ownItems(design, entity).map((item) => placeOf(name, item.name, tableKeyIfPresent(item, values)))
  const ends = (kind.kind === 'edge' ? kind.edge.ends : references).flatMap((reference) => {
    const { to, by, attribute, isEach } = reference
    if (isEach) return targetKeys(reference, values).map((key) => placeOf(name, attribute, key))
    const placeholders = Object.fromEntries(Object.entries(by).map(([placeholder, own]) => [placeholder, values[own]]))
    return [placeOf(name, attribute, tableKeyIfPresent(to, placeholders))]
  })
  const within =
    kind.kind === 'edge' && kind.edge.within !== undefined ? [placeOf(name, 'within', tableKeyIfPresent(kind.edge.within, values))] : []
  return { name, step, places: [...own, ...ends, ...within] }
}
