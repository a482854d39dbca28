import { type Entity, FreeholdError } from '@freehold/table'
import { isExpired, keyPlaceholders, keyText, readItems, type Stored, subjectAt, tableKeyIfPresent } from '@freehold/table/runtime'
import type { FlowContext } from '../flow-host.ts'
import type { View } from '../records/recorded-changes.ts'

/** A uniqueness guard that is there, under the key that a change asks for. */
export interface NamedGuard {
  readonly guard: Entity
  readonly found: Stored
}

/**
 * The uniqueness guards of an entity that are there, of those whose keys the input alone names. They are read of every tenant, as the write sees
 * them.
 */
export async function guardsNamed({ unscoped: { runtime } }: FlowContext, entity: Entity, input: View): Promise<readonly NamedGuard[]> {
  const named = runtime.design.form.derivedItemsOf(entity).flatMap((guard) => {
    const key = guard.form.part.kind === 'guard' ? tableKeyIfPresent(guard, input) : undefined
    return key === undefined ? [] : [{ guard, key }]
  })
  const keys = named.map(({ key }) => key)
  const items = await readItems(runtime, keys, { consistent: true })
  return named.flatMap(({ guard, key }): NamedGuard[] => {
    const found = items.get(keyText(key))
    return found === undefined || isExpired(guard, found, runtime.now()) ? [] : [{ guard, found }]
  })
}

/** Throws `AlreadyExists`, as the write would, if the item as it will be needs a guard that another item has. The write still decides who is first. */
export function checkGuardsFree(entity: Entity, after: View, guards: readonly NamedGuard[]): void {
  for (const { guard, found } of guards) {
    const key = tableKeyIfPresent(guard, after)
    const isOwn = keyPlaceholders(entity).every((name) => found[name] === after[name])
    if (key === undefined || isOwn || key.PK !== found.PK || key.SK !== found.SK) continue
    const { words, details } = subjectAt(guard, key)
    throw new FreeholdError('AlreadyExists', `The ${words} exists already.`, { ...details, guard: guard.name })
  }
}
