import type { AnyDesign } from '../../design/design.ts'
import { grouped } from './grouped.ts'
import { code, codes, table } from './markdown.ts'

/** Whose the items are, and what goes across tenants. */
export function tenantSection({ tenants, form }: AnyDesign): string[] {
  const { tenantOf } = form
  if (tenants === undefined || tenantOf === undefined) return []
  const { shared = [], guests = [], crossing = [] } = tenants
  const byAttribute = grouped(form.entities.values(), (entity) => tenantOf(entity).attribute ?? '')
  const rows = [...byAttribute].map(([attribute, entities]) => [
    attribute === '' ? 'of no tenant' : code(attribute),
    codes(entities.map(({ name }) => name)),
  ])
  return [
    '## Tenants',
    'What is done for one tenant reads and writes no items of another. An item names its tenant by an attribute:',
    table(['tenant', 'entities'], rows),
    ...(shared.length === 0
      ? []
      : [`Items of no tenant are there for all to read, and only operators write them: ${codes(shared.map(({ name }) => name))}.`]),
    ...(guests.length === 0
      ? []
      : [
          `Who is of no tenant may be given something by any, and decisions made for one know of it: ${codes(guests.map(({ name }) => name))}.`,
        ]),
    ...(crossing.length === 0 ? [] : [`Access patterns that read items of many tenants, which only operators may: ${codes(crossing)}.`]),
  ]
}
