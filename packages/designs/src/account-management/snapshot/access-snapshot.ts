import { inTime } from '@freehold/frame/snapshot'
import { type Permission, wildcard } from '../permission/permission.ts'
import type { AccessData, ScopeIds } from './access-data.ts'
import { type AskedScope, knownScopes } from './known-scopes.ts'

/** The permissions of a user, as they were read at one moment, and for a short while after. A snapshot learns of no later change. */
export interface AccessSnapshot extends Omit<AccessData, 'format'> {
  /**
   * May the user do this? Answered at once from what was read, and with no once the snapshot has expired, or before it was issued. A wildcard and
   * malformed input are denied. Its own code makes no value; the clock makes one.
   * @param permission three names as the catalogue has them: they are compared as they stand
   * @param scope may be left out if the snapshot is about one scope; ids in any case. It holds for all beneath it, too: a path must
   *   come from a trusted read, such as a list of buildings, and never from a request
   */
  can(permission: Permission, scope?: AskedScope): boolean
  /** The data that `JSON.stringify` writes, and `readAccess` reads. */
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
  const holds = inTime(data, now_ms)
  const scopes = knownScopes(data.grants)
  const own = data.place === undefined ? undefined : asAsked(data.place)
  return Object.freeze({
    ...shown,
    can: (permission, scope = own) => {
      if (typeof scope !== 'object' || scope === null || !isAsked(permission)) return false
      return holds() && scopes.grants(scope, permission)
    },
    toJSON: () => data,
  } satisfies AccessSnapshot)
}
