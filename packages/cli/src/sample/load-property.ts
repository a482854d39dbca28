import type { accountManagement } from '@freehold/designs/account-management'
import * as entities from '@freehold/designs/account-management'
import { creating, type Step, type Table } from '@freehold/table'
import { loadSample } from './load-sample.ts'
import { property } from './property.ts'

const { Building, Client, Project, Role, User, UserRoleAssignment } = entities

function steps(): readonly Step[] {
  const { client, project, building, role, doors, users } = property
  const client_id = client.id
  const atBuilding = { role_owner: client_id, scope_type: 'building', scope_id: building.id } as const
  return [
    creating(Client, client),
    creating(Project, { ...project, client_id }),
    creating(Building, { ...building, project_id: project.id }),
    creating(Role, { ...role, permissions: [...role.permissions], client_id }),
    ...users.flatMap(({ id, email, first_name, ...more }) => [
      creating(User, { id, email, first_name, client_id, user_type: 'external_customer' }),
      creating(UserRoleAssignment, {
        ...{ user_id: id, role_id: role.id, ...atBuilding },
        ...('until' in more ? { expires_at: more.until } : {}),
      }),
    ]),
    creating(Role, { ...doors.role, permissions: [...doors.role.permissions], client_id }),
    creating(User, { ...doors.user, client_id, user_type: 'external_customer' }),
    creating(UserRoleAssignment, {
      ...{ user_id: doors.user.id, role_id: doors.role.id, ...atBuilding },
      ...{ start_at: doors.start_at, created_by: doors.created_by },
    }),
  ]
}

/** Loads the sample company into an empty table. @returns true if it was loaded */
export function loadProperty(table: Table<typeof accountManagement>): Promise<boolean> {
  return loadSample(table, [table.clients({}, { limit: 1 })], steps)
}

/** True if the sample company is there. */
export async function hasProperty(table: Table<typeof accountManagement>): Promise<boolean> {
  const { id } = property.client
  return (await table.Client.get({ id }))?.name === property.client.name
}
