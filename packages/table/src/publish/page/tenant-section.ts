import type { AnyDesign } from '../../design/design.ts'
import { grouped } from '../../grouped.ts'
import { code, codes, table } from './markdown.ts'

/** The tenants of the items, and the access patterns across tenants. */
export function tenantSection({ tenants, form }: AnyDesign): string[] {
  const { tenantOf } = form
  if (tenants === undefined || tenantOf === undefined) return []
  const { shared = [], guests = [], crossing = [] } = tenants
  const byAttribute = grouped(form.entities.values(), (entity) => tenantOf(entity).attribute ?? '')
  const rows = [...byAttribute].map(([attribute, entities]) => [
    attribute === '' ? 'no tenant' : code(attribute),
    codes(entities.map(({ name }) => name)),
  ])
  return [
    '## Tenants',
    'A caller that acts for a tenant reads and writes no items of another. An attribute names the tenant of an item:',
    table(['tenant', 'entities'], rows),
    ...(shared.length === 0
      ? []
      : [`Every tenant reads items without a tenant, and only operators write them: ${codes(shared.map(({ name }) => name))}.`]),
    ...(guests.length === 0
      ? []
      : [
          `Any tenant may grant something to items without a tenant, and its decisions use them: ${codes(guests.map(({ name }) => name))}.`,
        ]),
    ...(crossing.length === 0 ? [] : [`Access patterns that read items of many tenants, for operators only: ${codes(crossing)}.`]),
  ]
}
