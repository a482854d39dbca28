import { type Permission, wildcard } from '../permission/permission.ts'
import type { AccessData, ScopeIds } from './access-data.ts'
import { type AskedScope, knownScopes } from './known-scopes.ts'

/** What a user may do, as it was read at one moment and for a short while after. It learns nothing that happens meanwhile. */
export interface AccessSnapshot extends Omit<AccessData, 'format'> {
  /**
   * May the user do this? Answered at once from what was read, and with no once the snapshot has expired, or before it was issued. A wildcard and
   * malformed input are denied. Its own code makes no value; the clock makes one.
   * @param permission three names as the catalogue has them: they are compared as they stand
   * @param place may be left out where the snapshot is about one place; ids in any case. It holds for what lies beneath, too: a path must
   *   come from a trusted read, such as a list of buildings, and never from a request
   */
  can(permission: Permission, place?: AskedScope): boolean
  /** What `JSON.stringify` writes, and `readAccess` reads. */
  toJSON(): AccessData
}

/** A scope, in the words of a question. */
function asAsked({ client_id: client, project_id: project, building_id: building }: ScopeIds): AskedScope {
  return { client, project, building }
}

const isName = (part: unknown) => typeof part === 'string' && part !== '' && part !== wildcard

function isAsked(permission: Permission): boolean {
  return (
    typeof permission === 'object' &&
    permission !== null &&
    isName(permission.module) &&
    isName(permission.action) &&
    isName(permission.resource)
  )
}

/**
 * @param data trusted, or checked by `readAccess`
 * @param now_ms the clock: milliseconds since the epoch, by which the snapshot was issued
 */
export function accessSnapshot(data: AccessData, now_ms: () => number): AccessSnapshot {
  const { format: _, ...shown } = data
  const issued_ms = Date.parse(data.issued_at)
  const expires_ms = Date.parse(data.expires_at)
  const places = knownScopes(data.grants)
  const own = data.place === undefined ? undefined : asAsked(data.place)
  return Object.freeze({
    ...shown,
    can: (permission, place = own) => {
      if (typeof place !== 'object' || place === null || !isAsked(permission)) return false
      const at_ms = now_ms()
      return at_ms >= issued_ms && at_ms < expires_ms && places.grants(place, permission)
    },
    toJSON: () => data,
  } satisfies AccessSnapshot)
}
