import type { Entity, Item } from '@freehold/table'
import { tableOn } from '@freehold/table/runtime'
import type { Sources } from './sources.ts'

/**
 * The items that a documented pattern finds by its index, for names without a lookup item: another program writes none. An index follows the table late, so
 * whoever asks believes an item only once it was read from the table and still says what it was found by.
 * @param entity what the pattern returns
 */
export async function foundByIndex<E extends Entity>(
  { runtime }: Pick<Sources, 'runtime'>,
  entity: E,
  pattern: string,
  parameters: Readonly<Record<string, string>>,
): Promise<readonly Item<E>[]> {
  const found = await tableOn(runtime).patternNamed(pattern)(parameters)
  // A pattern of an index gives pages, of the entity that it returns.
  const { items } = found as unknown as { readonly items: readonly Item<Entity>[] }
  return items.filter(({ Type }) => Type === entity.name) as unknown as readonly Item<E>[]
}
