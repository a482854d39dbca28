import { type Entity, FreeholdError, type Id, type Item } from '@freehold/table'
import type { FlowContext } from './flow-host.ts'
import { viewOf } from './new-item.ts'
import type { View } from './recorded-changes.ts'

/** An item that is there and stays. Throws `NotFound`, `BeingDeleted`. */
export function requireLive<T extends { readonly deleting?: string }>(entity: string, id: string, found: T | undefined): T {
  if (found === undefined) throw new FreeholdError('NotFound', `There is no ${entity} ${id} here.`, { entity, id })
  if (found.deleting !== undefined)
    throw new FreeholdError('BeingDeleted', `This ${entity} is being deleted (job ${found.deleting}).`, { entity, id })
  return found
}

/** The same, read consistently by its entity. Throws `NotFound`, `BeingDeleted`. */
export async function liveItem<E extends Entity>({ table }: Pick<FlowContext, 'table'>, entity: E, id: Id<E>): Promise<Item<E>> {
  const found = await table.repositoryNamed(entity.name).get(id, { consistent: true })
  const named: View = id
  return viewOf<E>(requireLive(entity.name, String(named.id ?? Object.values(named).join(' ')), found))
}

/** A caller that names a version loses to any other writer (spec rule 8): its flow is not retried. Throws `VersionConflict`. */
export function checkNamedVersion({ name }: Entity, version: number, named: number | null | undefined): void {
  if (named === undefined || named === null || named === version) return
  throw new FreeholdError('VersionConflict', `This ${name} has version ${version}, not ${named}: read it again and decide anew.`, {
    entity: name,
    version,
    named: true,
  })
}
