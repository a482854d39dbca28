import type { Entity, Item, Repository } from '@freehold/table'
import type { Opened } from './open-table.ts'

/** An entity's items as a command handles them: names from outside, values checked inside. */
export interface PlainRepository {
  create(item: unknown): Promise<Item<Entity>>
  get(id: unknown, how?: { consistent?: boolean; secrets?: readonly string[] }): Promise<Item<Entity> | undefined>
  update(id: unknown, change: unknown, how?: { version?: number }): Promise<Item<Entity>>
  remove(id: unknown, how?: { version?: number }): Promise<void>
}

/** The repository of one entity of an opened table. Each of its methods validates what it is given. */
export function repositoryOf({ table }: Opened, { name }: Entity): PlainRepository {
  // A connected table has a repository under the name of each entity; its types cannot say so for a name that is not known before.
  return (table as unknown as Readonly<Record<string, Repository>>)[name] as unknown as PlainRepository
}
