import { type LoadResult, malformedRecord, policy, type Reason } from '@freehold/frame/decision'
import { compareKeys, grouped } from '@freehold/table/runtime'
import { type Permission, permissionText } from '../permission/permission.ts'
import { type Hierarchy, ownPatterns } from './hierarchy.ts'
import { type RoleAt, roleText } from './roles.ts'
import type { Path } from './scope.ts'
import type { Assignment } from './situation.ts'

/** An assignment that counts, and the scope at which its permissions are held. */
export interface Holding {
  readonly assignment: Assignment
  readonly at: Path
}

/** The permissions that a role of the user gives, with all above it. */
export interface Held {
  readonly role: RoleAt
  /** It and all above it, itself first, as they were read. */
  readonly roles: readonly { readonly role_id: string; readonly version: number }[]
  readonly permissions: readonly Permission[]
  readonly holdings: readonly Holding[]
}

/** The findings about a user, at a scope or everywhere. */
export interface Found {
  /** Undefined if there is no such user. Within a tenant scope that includes the users of other clients. */
  readonly user_id: string | undefined
  /** The one scope that was asked about, if something is held there. */
  readonly scope?: Path | undefined
  readonly held: readonly Held[]
  /** Ends besides those of assignments, as they are stored. */
  readonly ends: readonly string[]
  readonly reason: Reason | undefined
}

/** By role, in the order of their ids; a role that grants nothing is left out. */
export function heldBy(hierarchy: Hierarchy, holdings: readonly Holding[]): readonly Held[] {
  return [...grouped(holdings, ({ assignment }) => roleText(hierarchy.roleOf(assignment)))]
    .sort(([a], [b]) => compareKeys(a, b))
    .flatMap(([, of]): Held[] => {
      const [first] = of
      if (first === undefined) return []
      const role = hierarchy.roleOf(first.assignment)
      const chain = hierarchy.chain(role)
      const roles = chain.flatMap(({ role_id: id, definition: { node } }) =>
        node.state === 'found' ? [{ role_id: id, version: node.item.version }] : [],
      )
      const patterns = chain.flatMap((step) => [...ownPatterns(step, hierarchy.catalogue)])
      const permissions = [...new Map(patterns.map((each) => [permissionText(each), each]))]
        .sort(([a], [b]) => compareKeys(a, b))
        .map(([, { module, action, resource }]) => ({ module, action, resource }))
      return permissions.length === 0 ? [] : [{ role, roles, permissions, holdings: of }]
    })
}

const nothingGranted = policy('NoGrant', 'No role that the user has grants anything.')

/** Why nothing is held, or why the answer might lack something. */
export function reasonFor(
  held: readonly Held[],
  looked: readonly LoadResult<unknown>[],
  nothing: () => Reason | undefined,
): Reason | undefined {
  if (looked.some(({ state }) => state === 'malformed')) return malformedRecord
  return held.length > 0 ? undefined : (nothing() ?? nothingGranted)
}
