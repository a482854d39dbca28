import type { accountManagement } from '@freehold/designs/account-management'
import * as entities from '@freehold/designs/account-management'
import { creating, type Step, type Table } from '@freehold/table'
import { loadSample } from './load-sample.ts'
import { property } from './property.ts'

const { Building, Client, Project, Role, User, UserRoleAssignment } = entities

function steps(): readonly Step[] {
  const { client, project, building, role, users } = property
  const client_id = client.id
  return [
    creating(Client, client),
    creating(Project, { ...project, client_id }),
    creating(Building, { ...building, project_id: project.id }),
    creating(Role, { ...role, permissions: [...role.permissions], client_id }),
    ...users.flatMap(({ id, email, first_name, ...more }) => [
      creating(User, { id, email, first_name, client_id, user_type: 'external_customer' }),
      creating(UserRoleAssignment, {
        ...{ user_id: id, role_id: role.id, role_owner: client_id, scope_type: 'building', scope_id: building.id },
        ...('until' in more ? { expires_at: more.until } : {}),
      }),
    ]),
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
