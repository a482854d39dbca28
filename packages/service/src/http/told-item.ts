import type { Entity } from '@freehold/table'
import { typeName } from '@freehold/table/publish'

/** How answers tell items of some entities: see `typeName`. */
export type TellItem = (item: unknown) => unknown

/**
 * Tells the entity of an item as `entity` where an attribute differs from `Type` by case alone; other items as they are. Undefined if none of the entities has
 * such an attribute.
 */
export function tellItem(entities: Iterable<Entity>): TellItem | undefined {
  const renamed = new Set([...entities].filter(({ attributes }) => typeName(attributes) !== 'Type').map(({ name }) => name))
  if (renamed.size === 0) return undefined
  return (item) => {
    if (typeof item !== 'object' || item === null || !('Type' in item) || typeof item.Type !== 'string' || !renamed.has(item.Type))
      return item
    const { Type: entity, ...others } = item
    return { entity, ...others }
  }
}

/** The same of items anywhere in values, as in a tree. What an item itself holds stays as it is. */
export function tellWithin(tell: TellItem, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => tellWithin(tell, each))
  if (typeof value !== 'object' || value === null) return value
  if ('Type' in value) return tell(value)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tellWithin(tell, each)]))
}

/** The same of a page of items. */
export function tellPage(tell: TellItem | undefined, page: unknown): unknown {
  if (tell === undefined || typeof page !== 'object' || page === null || !('items' in page) || !Array.isArray(page.items)) return page
  return { ...page, items: page.items.map(tell) }
}
