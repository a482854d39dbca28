import type { Permission } from '../permission/permission.ts'
import type { AccessGrant, ScopeIds } from './access-data.ts'
import { isCovered, type PermissionSet, permissionSet } from './permission-set.ts'

/**
 * The scope that the caller asks about: a building is named with its project. The caller has read itself that one lies in the other. Claims that
 * contradict the snapshot are denied, but a snapshot does not know all that lies beneath its scopes.
 */
export interface AskedScope {
  readonly client: string
  readonly project?: string | undefined
  readonly building?: string | undefined
}

/** A client, a project or a building, as far as it is known. */
interface Known {
  /** The scope that it lies in; empty for a client. */
  readonly within: string
  /** The patterns that are granted at it; none if something is granted only beneath it. */
  readonly granted: PermissionSet
}

/** The scopes of a snapshot, by their ids. */
export interface KnownScopes {
  /** True if the permission is granted at the scope or at one that it lies in. Makes nothing where ids are spelled as they are stored. */
  grants(scope: AskedScope, permission: Permission): boolean
}

const nothing: PermissionSet = permissionSet([])

/** Stored ids are in lower case (spec rule 5), and so are those that come from answers: only others are spelled anew. */
function isSpelledOtherwise(id: string): boolean {
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index)
    if (code >= 65 && code <= 70) return true
  }
  return false
}

function found(known: ReadonlyMap<string, Known>, id: string): Known | undefined {
  return known.get(id) ?? (isSpelledOtherwise(id) ? known.get(id.toLowerCase()) : undefined)
}

const isElsewhere = (known: Known | undefined, within: string) =>
  known !== undefined && known.within !== within && known.within !== within.toLowerCase()
const isGranted = (known: Known | undefined, permission: Permission) => known !== undefined && isCovered(known.granted, permission)

const pathText = ({ client_id, project_id = '', building_id = '' }: ScopeIds) => `${client_id}/${project_id}/${building_id}`

/** One set for each combination of roles: thousands of scopes with the same roles share it. */
function setsByPath(grants: readonly AccessGrant[]): ReadonlyMap<string, PermissionSet> {
  const ofPath = new Map<string, Set<number>>()
  for (const [index, { scopes }] of grants.entries()) {
    for (const scope of scopes) {
      const text = pathText(scope)
      ofPath.set(text, (ofPath.get(text) ?? new Set()).add(index))
    }
  }
  const made = new Map<string, PermissionSet>()
  const setOf = (indexes: ReadonlySet<number>) => {
    const text = [...indexes].join()
    const set = made.get(text) ?? permissionSet([...indexes].flatMap((index) => grants[index]?.permissions ?? []))
    made.set(text, set)
    return set
  }
  return new Map([...ofPath].map(([text, indexes]) => [text, setOf(indexes)]))
}

export function knownScopes(grants: readonly AccessGrant[]): KnownScopes {
  const clients = new Map<string, Known>()
  const projects = new Map<string, Known>()
  const buildings = new Map<string, Known>()
  const sets = setsByPath(grants)
  for (const scope of grants.flatMap(({ scopes }) => scopes)) {
    const { client_id, project_id, building_id } = scope
    const granted = sets.get(pathText(scope)) ?? nothing
    if (project_id === undefined) clients.set(client_id, { within: '', granted })
    else if (building_id === undefined) projects.set(project_id, { within: client_id, granted })
    else {
      buildings.set(building_id, { within: project_id, granted })
      // Its project is known by it, too. That says nothing of the grants there.
      if (!projects.has(project_id)) projects.set(project_id, { within: client_id, granted: nothing })
    }
  }
  return {
    grants: ({ client, project, building }, permission) => {
      if (typeof client !== 'string') return false
      const inClient = found(clients, client)
      // A path with a gap cannot be told from one that leaves something out.
      if (project === undefined) return building === undefined && isGranted(inClient, permission)
      if (typeof project !== 'string') return false
      const inProject = found(projects, project)
      if (isElsewhere(inProject, client)) return false
      if (building === undefined) return isGranted(inClient, permission) || isGranted(inProject, permission)
      if (typeof building !== 'string') return false
      const inBuilding = found(buildings, building)
      if (isElsewhere(inBuilding, project)) return false
      return isGranted(inClient, permission) || isGranted(inProject, permission) || isGranted(inBuilding, permission)
    },
  }
}
