import type { Item } from '@freehold/table'
import type { UserRoleAssignment } from '../design.ts'
import type { ScopeIds } from '../snapshot/access-data.ts'

/** A scope and those above it: building > project > client. */
export interface Path {
  readonly client_id: string
  readonly project_id?: string | undefined
  readonly building_id?: string | undefined
}

export type ScopeType = Item<typeof UserRoleAssignment>['scope_type']

export interface Scope {
  readonly scope_type: ScopeType
  readonly scope_id: string
}

/** The text by which a scope is told from others: `{scope_type}#{scope_id}`. */
export const scopeText = ({ scope_type, scope_id }: Scope) => `${scope_type}#${scope_id}`

/** The ids of a path, without those that it lacks. */
export function scopeIds({ client_id, project_id, building_id }: Path): ScopeIds {
  return {
    client_id,
    ...(project_id === undefined ? {} : { project_id }),
    ...(building_id === undefined ? {} : { building_id }),
  }
}

/** The scope chain, the nearest scope first. An assignment at any of them counts for the first. */
export function scopesOf({ client_id, project_id, building_id }: Path): readonly Scope[] {
  const scopes: (Scope | undefined)[] = [
    building_id === undefined ? undefined : { scope_type: 'building', scope_id: building_id },
    project_id === undefined ? undefined : { scope_type: 'project', scope_id: project_id },
    { scope_type: 'client', scope_id: client_id },
  ]
  return scopes.flatMap((scope) => scope ?? [])
}

/** True for an item beneath a scope, unless it says that it is of another client. */
export const isAt = ({ client_id = undefined }: { readonly client_id?: string | undefined }, path: Path): boolean =>
  client_id === undefined || client_id === path.client_id
