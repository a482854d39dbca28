import {
  chunkDrafts,
  type Drafts,
  type GoodRow,
  type Importer,
  type Looked,
  lookAt,
  lookable,
  type Part,
  type Place,
  type Planned,
  rowFault,
} from '@freehold/frame/exchange'
import { FreeholdError } from '@freehold/table'
import { parallelMap, type Stored } from '@freehold/table/runtime'
import {
  EmailIdentity,
  GroupRole,
  Location,
  LocationCodeLookup,
  Role,
  User,
  UserGroup,
  UserGroupEdge,
  UserLocationEdge,
} from '../design.ts'
import type { RebacTable } from '../rebac-table.ts'
import { type FoundGroups, foundGroups, type NamedGroup } from './found-groups.ts'
import type { PersonGroup, PersonPlace, PersonRow } from './person-row.ts'

type Row = GoodRow<PersonRow>

/** The id of something that a row names otherwise: found, or made for this chunk. */
interface Named {
  readonly id: string
  readonly isThere: boolean
}

interface Chunk {
  readonly nodes: Looked
  readonly users: ReadonlyMap<string, Named>
  readonly locations: ReadonlyMap<string, Named>
  /** By location id, then by name. */
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, NamedGroup>>
}

function nodesOf({ email, place }: PersonRow): Place[] {
  const roleName = place?.group?.roleName
  return [
    [EmailIdentity, { email }],
    ...(place === undefined ? [] : [[LocationCodeLookup, { locationCode: place.locationCode }] as const]),
    ...(roleName === undefined ? [] : [[Role, { roleName }] as const]),
  ]
}

function ids(table: RebacTable, names: Iterable<string>, foundId: (name: string) => unknown): Map<string, Named> {
  const making = table.runtime.making()
  return new Map(
    [...new Set(names)].map((name): [string, Named] => {
      const found = foundId(name)
      return [name, typeof found === 'string' ? { id: found, isThere: true } : { id: making.ulid(), isThere: false }]
    }),
  )
}

async function groupsOf(found: FoundGroups, locations: ReadonlyMap<string, Named>, places: readonly PersonPlace[]) {
  const names = new Map<string, Set<string>>()
  for (const { locationCode, group } of places) {
    const location = locations.get(locationCode)
    if (location === undefined || group === undefined) continue
    names.set(location.id, (names.get(location.id) ?? new Set()).add(group.name))
  }
  const named = await parallelMap([...names], ([locationId, wanted]) => found.named(locationId, [...wanted]))
  return new Map([...names.keys()].map((locationId, index) => [locationId, named[index] ?? new Map<string, NamedGroup>()]))
}

async function readChunk(table: RebacTable, found: FoundGroups, rows: readonly PersonRow[], places: readonly Place[]): Promise<Chunk> {
  const nodes = await lookAt(table.runtime, places)
  const idAt = (item: Stored | undefined, name: string) => item?.[name]
  const users = ids(
    table,
    rows.map(({ email }) => email),
    (email) => idAt(nodes.at(EmailIdentity, { email }), 'userId'),
  )
  const at = rows.flatMap(({ place }) => place ?? [])
  const locations = ids(
    table,
    at.map(({ locationCode }) => locationCode),
    (locationCode) => idAt(nodes.at(LocationCodeLookup, { locationCode }), 'locationId'),
  )
  return { nodes, users, locations, groups: await groupsOf(found, locations, at) }
}

/** The edges that a row asks for, of which all ends are there: what has no end yet has no edge either. */
function edgesOf({ email, place }: PersonRow, { users, locations, groups }: Chunk): Place[] {
  const user = users.get(email)
  const location = place === undefined ? undefined : locations.get(place.locationCode)
  const group = place?.group === undefined || location === undefined ? undefined : groups.get(location.id)?.get(place.group.name)
  const roleName = place?.group?.roleName
  const groupId = group?.isThere === true ? group.groupId : undefined
  const userId = user?.isThere === true ? user.id : undefined
  return [
    ...(userId === undefined || location?.isThere !== true ? [] : [[UserLocationEdge, { userId, locationId: location.id }] as const]),
    ...(userId === undefined || groupId === undefined ? [] : [[UserGroupEdge, { userId, groupId }] as const]),
    ...(groupId === undefined || roleName === undefined ? [] : [[GroupRole, { groupId, roleName }] as const]),
  ]
}

/** The parts that a group still needs: itself, its role, and the edge between them. */
export function groupParts(
  { name, groupType, roleName }: PersonGroup,
  { groupId, isThere }: NamedGroup,
  locationId: string,
  roles: Looked,
  edges: Looked,
  drafts: Drafts,
): Part[] {
  const own = isThere ? [] : [drafts.create(UserGroup, { groupId, locationId, name, ...(groupType === undefined ? {} : { groupType }) })]
  if (roleName === undefined) return own
  return [
    ...own,
    ...(!roles.has(Role, { roleName }) ? [drafts.create(Role, { roleName })] : []),
    ...(!edges.has(GroupRole, { groupId, roleName }) ? [drafts.create(GroupRole, { groupId, roleName })] : []),
  ]
}

function userParts({ email, displayName, userType }: PersonRow, { id: userId, isThere }: Named, drafts: Drafts): Part[] {
  if (isThere) return []
  return [
    drafts.create(User, { userId, displayName, ...(userType === undefined ? {} : { userType }) }),
    drafts.create(EmailIdentity, { email, userId, provider: 'import' }),
  ]
}

function partsOf(row: PersonRow, chunk: Chunk, edges: Looked, drafts: Drafts): Part[] {
  const { email, place } = row
  const user = chunk.users.get(email)
  if (user === undefined) return []
  const parts = userParts(row, user, drafts)
  const location = place === undefined ? undefined : chunk.locations.get(place.locationCode)
  if (place === undefined || location === undefined) return parts
  const { locationCode, locationName: name, group } = place
  const userId = user.id
  const locationId = location.id
  if (!location.isThere) parts.push(drafts.create(Location, { locationId, locationCode, name }))
  if (!edges.has(UserLocationEdge, { userId, locationId })) parts.push(drafts.create(UserLocationEdge, { userId, locationId }))
  const named = group === undefined ? undefined : chunk.groups.get(locationId)?.get(group.name)
  if (group === undefined || named === undefined) return parts
  const { groupId } = named
  parts.push(...groupParts(group, named, locationId, chunk.nodes, edges, drafts))
  // A group edge lies within the location edge, whose location it copies from its group.
  if (!edges.has(UserGroupEdge, { userId, groupId })) parts.push(drafts.create(UserGroupEdge, { userId, groupId }, { locationId }))
  return parts
}

async function planPeople(table: RebacTable, found: FoundGroups, rows: readonly Row[]): Promise<Planned<PersonRow>[]> {
  const places = rows.map(({ values }) => rowFault(() => lookable(nodesOf(values))))
  const good = rows.filter((_, index) => !(places[index] instanceof FreeholdError)).map(({ values }) => values)
  const nodes = places.flatMap((each) => (each instanceof FreeholdError ? [] : each))
  const chunk = await readChunk(table, found, good, nodes)
  const asked = good.flatMap((row) => edgesOf(row, chunk))
  const edges = await lookAt(table.runtime, asked)
  const drafts = chunkDrafts(table.design)
  return rows.map((row, index) => {
    const fault = places[index]
    if (fault instanceof FreeholdError) return fault
    const parts = rowFault(() => partsOf(row.values, chunk, edges, drafts))
    return parts instanceof FreeholdError ? parts : { row, parts }
  })
}

/** How people are imported: with what their rows name on the way, one row in one transaction. */
export function peopleImporter(table: RebacTable): Importer<PersonRow> {
  const groups = foundGroups(table)
  return {
    awaitsEnds: false,
    plan: (rows) => planPeople(table, groups, rows),
    again: async (row) => {
      groups.forget()
      const [planned = 'skipped'] = await planPeople(table, groups, [row])
      return planned
    },
  }
}
