import { createHash } from 'node:crypto'
import { recentlyUsed } from '@freehold/frame/decision'
import type { RebacTable } from '../rebac-table.ts'

/** A group that an import names: its id, and whether it is there or has to be made. */
export interface NamedGroup {
  readonly groupId: string
  readonly isThere: boolean
}

/** Groups by name at their locations, as imports find them again. */
export interface FoundGroups {
  /** Each name's group at a location that is there; of several groups of one name, the oldest. */
  named(locationId: string, names: readonly string[]): Promise<ReadonlyMap<string, NamedGroup>>
  /** Forgets what was read of every location. */
  forget(): void
}

/** Locations whose groups are kept in memory. */
const locationsMax = 100

/** Reads the groups of a location when it is first asked about it, and keeps their names and ids: memory for the groups there are, not for rows. */
export function foundGroups(table: RebacTable): FoundGroups {
  const known = recentlyUsed<Map<string, string>>(locationsMax)
  const at = async (locationId: string) => {
    const before = known.get(locationId)
    if (before !== undefined) return before
    const groups = new Map<string, string>()
    for await (const { groupId, name, deleting } of table.groupsOfLocation.all({ locationId }, { consistent: true })) {
      if (deleting === undefined && !groups.has(name)) groups.set(name, groupId)
    }
    known.set(locationId, groups)
    return groups
  }
  const named = async (locationId: string, names: readonly string[]) => {
    const groups = await at(locationId)
    const unknown = names.filter((name) => !groups.has(name))
    // A group that this import made since lies at the id that its name gives.
    const ids = unknown.map((name) => ({ groupId: groupIdOf(locationId, name) }))
    const made = await table.UserGroup.getMany(ids, { consistent: true })
    const others = new Map<string, NamedGroup>()
    for (const [index, name] of unknown.entries()) {
      const group = made[index]
      if (group?.name === name && group.deleting === undefined) groups.set(name, group.groupId)
      else if (group === undefined) others.set(name, { groupId: groupIdOf(locationId, name), isThere: false })
      else {
        // That group has been renamed: another is made in its place, to be found by its name next time.
        others.set(name, { groupId: table.runtime.making().ulid(), isThere: false })
        known.delete(locationId)
      }
    }
    return new Map(
      names.map((name): [string, NamedGroup] => {
        const groupId = groups.get(name)
        return [name, others.get(name) ?? { groupId: groupId ?? groupIdOf(locationId, name), isThere: groupId !== undefined }]
      }),
    )
  }
  return { named, forget: () => known.clear() }
}

/** Crockford's base 32, as ULIDs are written in. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const timeLength = 10
const randomLength = 16

/**
 * The id of a group that an import makes: a ULID of the location's time, whose random part is taken from the name. Two imports of one file at
 * the same time make one group, since no guard keeps the names of groups apart.
 */
export function groupIdOf(locationId: string, name: string): string {
  const hash = createHash('sha256').update(`${locationId}#${name}`).digest()
  const random = Array.from(hash.subarray(0, randomLength), (byte) => digits[byte % digits.length])
  return locationId.slice(0, timeLength) + random.join('')
}
