import {
  chunkDrafts,
  type Drafts,
  fitting,
  type GoodRow,
  type Importer,
  type ImportOptions,
  type ImportReport,
  importRows,
  type Looked,
  lookAt,
  lookable,
  naming,
  type Part,
  type Place,
  type Planned,
  rowError,
  rowFault,
  type SourceRow,
} from '@freehold/frame/exchange'
import { FreeholdError } from '@freehold/table'
import { GroupRole, RolePagePermission, UserGroup, UserGroupEdge, UserLocationEdge } from '../design.ts'
import type { RebacTable } from '../rebac-table.ts'

/** A user joins a group and its location, a group gets a role, or a role a permission for a page (`ALLOW` unless given). */
export type Assignment =
  | { readonly userId: string; readonly groupId: string }
  | { readonly groupId: string; readonly roleName: string }
  | { readonly roleName: string; readonly pageName: string; readonly permission?: 'ALLOW' | 'DENY' }

type Row = GoodRow<Assignment>

const forms: readonly (readonly string[])[] = [
  ['userId', 'groupId'],
  ['groupId', 'roleName'],
  ['roleName', 'pageName'],
  ['roleName', 'pageName', 'permission'],
]

/** Normalised. Throws `InvalidInput` for what is no assignment: its fields are checked, since rows come from anywhere. */
export function assignmentOf(row: Readonly<Record<string, unknown>>): Assignment {
  const names = Object.keys(row).filter((name) => row[name] !== undefined)
  if (!forms.some((form) => form.length === names.length && form.every((name) => names.includes(name))))
    throw rowError(
      `has ${names.join(', ') || 'nothing'}; an assignment has userId and groupId, groupId and roleName, or roleName and pageName`,
    )
  const { userId, groupId, roleName, pageName, permission = 'ALLOW' } = row
  if (userId !== undefined) {
    const { attributes } = UserGroupEdge
    return { userId: fitting(attributes.userId, 'userId', userId), groupId: fitting(attributes.groupId, 'groupId', groupId) }
  }
  const role = naming(RolePagePermission.attributes.roleName, 'roleName', roleName)
  if (groupId !== undefined) return { groupId: fitting(GroupRole.attributes.groupId, 'groupId', groupId), roleName: role }
  return {
    roleName: role,
    pageName: naming(RolePagePermission.attributes.pageName, 'pageName', pageName),
    permission: fitting(RolePagePermission.attributes.permission, 'permission', permission),
  }
}

/** The assignment itself, and the group of a user who joins one, which says where. */
function placesOf(row: Assignment): Place[] {
  if ('userId' in row)
    return [
      [UserGroupEdge, row],
      [UserGroup, { groupId: row.groupId }],
    ]
  if ('groupId' in row) return [[GroupRole, row]]
  return [[RolePagePermission, { roleName: row.roleName, pageName: row.pageName }]]
}

function locationOf(row: Assignment, found: Looked): string | undefined {
  const locationId = 'userId' in row ? found.at(UserGroup, { groupId: row.groupId })?.locationId : undefined
  return typeof locationId === 'string' ? locationId : undefined
}

function joinParts(row: Extract<Assignment, { userId: string }>, found: Looked, atLocations: Looked, drafts: Drafts): Part[] {
  const { userId, groupId } = row
  const locationId = locationOf(row, found)
  if (locationId === undefined || !found.has(UserGroup, { groupId }))
    throw new FreeholdError('MissingEnd', `There is no group '${groupId}'.`, { entity: UserGroup.name, guard: UserGroup.name })
  const isAtLocation = atLocations.has(UserLocationEdge, { userId, locationId })
  return [
    ...(isAtLocation ? [] : [drafts.create(UserLocationEdge, { userId, locationId })]),
    ...(found.has(UserGroupEdge, row) ? [] : [drafts.create(UserGroupEdge, { userId, groupId }, { locationId })]),
  ]
}

function permissionParts(row: Extract<Assignment, { pageName: string }>, found: Looked, drafts: Drafts): Part[] {
  const { roleName, pageName, permission = 'ALLOW' } = row
  const stated = found.at(RolePagePermission, { roleName, pageName })?.permission
  if (stated === permission) return []
  if (stated === undefined) return [drafts.create(RolePagePermission, { roleName, pageName, permission })]
  throw new FreeholdError('AlreadyExists', `The role '${roleName}' has ${String(stated)} for the page '${pageName}': update it instead.`, {
    entity: RolePagePermission.name,
  })
}

function partsOf(row: Assignment, found: Looked, atLocations: Looked, drafts: Drafts): Part[] {
  if ('userId' in row) return joinParts(row, found, atLocations, drafts)
  if ('pageName' in row) return permissionParts(row, found, drafts)
  return found.has(GroupRole, row) ? [] : [drafts.create(GroupRole, row)]
}

async function planAssignments(table: RebacTable, rows: readonly Row[]): Promise<Planned<Assignment>[]> {
  const places = rows.map(({ values }) => rowFault(() => lookable(placesOf(values))))
  const good = places.flatMap((each) => (each instanceof FreeholdError ? [] : each))
  const found = await lookAt(table.runtime, good)
  const joins = rows.flatMap(({ values }): Place[] => {
    const locationId = locationOf(values, found)
    return locationId === undefined || !('userId' in values) ? [] : [[UserLocationEdge, { userId: values.userId, locationId }]]
  })
  const atLocations = await lookAt(table.runtime, joins)
  const drafts = chunkDrafts(table.design)
  return rows.map((row, index) => {
    const fault = places[index]
    if (fault instanceof FreeholdError) return fault
    const parts = rowFault(() => partsOf(row.values, found, atLocations, drafts))
    return parts instanceof FreeholdError ? parts : { row, parts }
  })
}

function assignmentImporter(table: RebacTable): Importer<Assignment> {
  return {
    awaitsEnds: false,
    plan: (rows) => planAssignments(table, rows),
    again: async (row, cause) => {
      if (cause.code === 'MissingEnd' && cause.details.entity !== UserLocationEdge.name) return cause
      const [planned = 'skipped'] = await planAssignments(table, [row])
      return planned
    },
  }
}

async function* numbered(rows: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<SourceRow<Assignment>, void, void> {
  let line = 0
  for await (const row of rows) {
    line++
    const isObject = typeof row === 'object' && row !== null
    // Its fields are checked one by one.
    const values = rowFault(() => assignmentOf(isObject ? (row as Readonly<Record<string, unknown>>) : {}))
    yield values instanceof FreeholdError ? { line, error: values } : { line, values }
  }
}

/**
 * Assigns many at once. Each assignment is made whole or not at all; each that fails is reported with its number, from 1, and the rest carries
 * on. What is assigned already stays as it is. Throws what is no assignment's fault: `Busy`, `Unavailable`.
 */
export function assignMany(
  table: RebacTable,
  assignments: Iterable<Assignment> | AsyncIterable<Assignment>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  return importRows(table.runtime, numbered(assignments), assignmentImporter(table), options)
}
