import { type Drafts, type GoodRow, type Importer, type Looked, lookAt, type Part, type Place, planChunk } from '@freehold/frame/exchange'
import { FreeholdError } from '@freehold/table'
import { GroupRole, Page, Role, RolePagePermission } from '../design.ts'
import type { RebacTable } from '../rebac-table.ts'
import { type FoundGroups, foundGroups, type NamedGroup } from './found-groups.ts'
import { groupParts } from './plan-people.ts'

/** That a role may open a page. At the location of the import, the group of the role's name has that role. */
export interface PermissionRow {
  readonly roleName: string
  readonly pageName: string
}

const permission = 'ALLOW'

function placesOf({ roleName, pageName }: PermissionRow): Place[] {
  return [
    [Role, { roleName }],
    [RolePagePermission, { roleName, pageName }],
  ]
}

interface Chunk {
  readonly found: Looked
  readonly pages: Looked
  readonly groupRoles: Looked
  readonly groups: ReadonlyMap<string, NamedGroup>
}

async function readChunk({ runtime }: RebacTable, groups: FoundGroups, locationId: string, rows: readonly PermissionRow[]): Promise<Chunk> {
  const found = await lookAt(runtime, rows.flatMap(placesOf))
  const named = await groups.named(locationId, [...new Set(rows.map(({ roleName }) => roleName))])
  // A permission that is there has its page: only those of the others are looked at.
  const pages = rows
    .filter((row) => found.at(RolePagePermission, { ...row }) === undefined)
    .map(({ pageName }): Place => [Page, { pageName }])
  const roles = [...named].flatMap(([roleName, { groupId, isThere }]): Place[] => (isThere ? [[GroupRole, { groupId, roleName }]] : []))
  return { found, pages: await lookAt(runtime, pages), groupRoles: await lookAt(runtime, roles), groups: named }
}

function partsOf(
  { roleName, pageName }: PermissionRow,
  locationId: string,
  { found, pages, groupRoles, groups }: Chunk,
  drafts: Drafts,
): Part[] {
  const named = groups.get(roleName)
  const parts = named === undefined ? [] : groupParts({ name: roleName, roleName }, named, locationId, found, groupRoles, drafts)
  const stated = found.at(RolePagePermission, { roleName, pageName })?.permission
  if (stated === permission) return parts
  if (stated !== undefined) {
    const message = `The role '${roleName}' has ${String(stated)} for the page '${pageName}', which an import does not change.`
    throw new FreeholdError('AlreadyExists', message, { entity: RolePagePermission.name })
  }
  if (!pages.has(Page, { pageName })) parts.push(drafts.create(Page, { pageName }))
  return [...parts, drafts.create(RolePagePermission, { roleName, pageName, permission })]
}

/** How the permissions of roles are imported: with role, group and page, one row in one transaction. */
export function permissionImporter(table: RebacTable, locationId: string): Importer<PermissionRow> {
  const groups = foundGroups(table)
  const plan = (rows: readonly GoodRow<PermissionRow>[]) =>
    planChunk(table.design, rows, {
      placesOf,
      read: (good) => readChunk(table, groups, locationId, good),
      partsOf: (row, chunk, drafts) => partsOf(row, locationId, chunk, drafts),
    })
  return {
    awaitsEnds: false,
    plan,
    again: async (row) => {
      groups.forget()
      return (await plan([row]))[0] ?? 'skipped'
    },
  }
}
