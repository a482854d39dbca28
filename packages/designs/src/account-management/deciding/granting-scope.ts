import { type Granting, grantOf } from './access.ts'
import { isLiveScope } from './live-checks.ts'
import type { GrantingScope } from './question.ts'
import type { ScopeFacts } from './situation.ts'

/** The item of a list for a live scope of the assignment's client; undefined for any other scope. */
export function grantingScope(place: ScopeFacts, granting: Granting): GrantingScope | undefined {
  const { path, client, project, building } = place
  if (!isLiveScope(place) || path.client_id !== granting.assignment.client_id) return undefined
  const { client_id, project_id, building_id } = path
  const node = building ?? project ?? client
  if (node.state !== 'found') return undefined
  const { name } = node.item
  const own: Pick<GrantingScope, 'scope_type' | 'scope_id'> =
    building_id !== undefined
      ? { scope_type: 'building', scope_id: building_id }
      : project_id !== undefined
        ? { scope_type: 'project', scope_id: project_id }
        : { scope_type: 'client', scope_id: client_id }
  return {
    ...own,
    client_id,
    ...(project_id === undefined ? {} : { project_id }),
    ...(building_id === undefined ? {} : { building_id }),
    name,
    grantedBy: grantOf(granting),
  }
}
