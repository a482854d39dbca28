import type { AnyDesign, Entity } from '@freehold/table'
import { type Stored, tableKeyIfPresent } from '@freehold/table/runtime'
import { work } from './design.ts'

type Fields = Readonly<Record<string, unknown>>

/** An item with the other sides of its edge, or its guards and lookup items, as they lie in the table. */
export function stored(entity: Entity, values: Fields, design: AnyDesign = work): readonly Stored[] {
  const { part } = entity.form
  const all = part.kind === 'edge' ? part.edge.sides : [entity, ...design.form.derivedItemsOf(entity)]
  return all.flatMap((each): readonly Stored[] => {
    const key = tableKeyIfPresent(each, values)
    const own = Object.entries(values).filter(
      ([name, value]) => value !== undefined && (each.attributes[name] !== undefined || name === 'deleting'),
    )
    return key === undefined ? [] : [{ ...key, Type: each.name, version: 1, ...Object.fromEntries(own) }]
  })
}

/** The n-th id of a kind, in an organisation of its own. */
export const idOf = (kind: number, number: number, organisation = 0): string =>
  `${String(kind).repeat(8)}-0000-4000-8000-${String(organisation).padStart(8, '0')}${String(number).padStart(4, '0')}`
