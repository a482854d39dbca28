import type { Entity } from '@freehold/table'
import { type Place, placeOf } from '../../decision/sources.ts'
import {
  AuditLog,
  AuthToken,
  Building,
  Client,
  ClientUser,
  Device,
  LoginSession,
  Project,
  Role,
  RolePermissionLink,
  ScopeAssignment,
  ServiceSubscription,
  Setting,
  User,
  UserRoleAssignment,
  Zone,
} from '../design.ts'

/** Items that lie together beneath one of a client's: where, and what they are. */
export interface Collection extends Place {
  /** What the items are; where they are mirrors, of what. */
  readonly owner: Entity
}

function collection(entity: Entity, values: Readonly<Record<string, string>>, owner = entity): Collection {
  return { owner, ...placeOf(entity, values) }
}

/** What lies at a scope, of any kind. Assignments are found from here: a user of no client may have one, too. */
function ofScope(scope_type: string, scope_id: string): readonly Collection[] {
  const scope = { scope_type, scope_id }
  return [collection(ServiceSubscription, scope), collection(Setting, scope), collection(ScopeAssignment, scope, UserRoleAssignment)]
}

/** What is of no client, and ends: the system's audit, and what internal users have. */
export const collectionsOfSystem: readonly Collection[] = [collection(ClientUser, {}, User), collection(AuditLog, {})]

/** The audit of a client, which is left when that is deleted. */
export const auditOf = (client_id: string): readonly Collection[] => [collection(AuditLog, { client_id })]

/**
 * What lies beneath an item, by its entity: consistent queries of one partition each, in an order in which the items can be created again.
 * Together they are all that a client has.
 */
export const collectionsBeneath: Readonly<Record<string, (id: string) => readonly Collection[]>> = {
  [Client.name]: (id) => [
    collection(Role, { client_id: id }),
    collection(ClientUser, { client_id: id }, User),
    collection(Project, { client_id: id }),
    ...ofScope('client', id),
    collection(AuditLog, { client_id: id }),
  ],
  [Role.name]: (id) => [collection(RolePermissionLink, { role_id: id })],
  [User.name]: (id) => [
    collection(Setting, { scope_type: 'user', scope_id: id }),
    collection(AuthToken, { user_id: id }),
    collection(LoginSession, { user_id: id }),
  ],
  [Project.name]: (id) => [collection(Building, { project_id: id }), ...ofScope('project', id)],
  [Building.name]: (id) => [collection(Zone, { building_id: id }), collection(Device, { building_id: id }), ...ofScope('building', id)],
}
