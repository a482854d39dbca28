import { type Drafts, type Importer, isOfRows, type Looked, lookAt, type Part, type Place } from '@freehold/frame/exchange'
import { FreeholdError } from '@freehold/table'
import { Role, RoleName, User, UserEmail, UserRoleAssignment } from '../design.ts'
import { grantedByRole } from '../flows/roles/role-ancestry.ts'
import type { PermissionPattern } from '../permission/permission.ts'
import { type FoundId, type FoundIds, foundIds, idsThere, type MatrixChunk, matrixImporter } from './matrix-importer.ts'
import { audited, confirmedRow, type MatrixImport } from './plan-audit.ts'

/** A row: the user of this address has the role of this name, at the client of the import as a whole. */
export interface AssignmentRow {
  readonly email: string
  readonly name: string
}

interface Chunk extends MatrixChunk {
  /** Made once for each assignment, however many rows say it. */
  readonly assignmentIds: Map<string, string>
  /** The permissions that a role grants, by its id, or why they cannot be told; not looked at while nothing is dangerous. */
  readonly granted: ReadonlyMap<string, readonly PermissionPattern[] | FreeholdError>
  readonly users: FoundIds
  /** Users, roles and assignments that are there. */
  readonly looked: Looked
}

const guardsOf = (client_id: string, { email, name }: AssignmentRow): Place[] => [
  [UserEmail, { email }],
  [RoleName, { client_id, name }],
]

const assignmentAt = (client_id: string, user_id: string, role_id: string) => ({
  user_id,
  role_id,
  scope_type: 'client' as const,
  scope_id: client_id,
})

/** The permissions that roles grant with those above them. */
async function grantedBy({ context, client_id }: MatrixImport, ids: readonly string[]): Promise<Chunk['granted']> {
  const granted = new Map<string, readonly PermissionPattern[] | FreeholdError>()
  for (const id of ids) {
    const orFault = grantedByRole(context, client_id, id).catch((error: unknown) => {
      if (isOfRows(error)) return error
      throw error
    })
    granted.set(id, await orFault)
  }
  return granted
}

async function readChunk(chunk: MatrixChunk, rows: readonly AssignmentRow[]): Promise<Chunk> {
  const { matrix, dangerous, guards, roles } = chunk
  const { client_id } = matrix
  const emails = rows.map(({ email }) => email)
  const users = foundIds(matrix, emails, (email) => guards.at(UserEmail, { email }))
  const assignments = rows.flatMap(({ email, name }): Place[] => {
    const [user, role] = [users.get(email), roles.get(name)]
    return user?.isThere && role?.isThere ? [[UserRoleAssignment, assignmentAt(client_id, user.id, role.id)]] : []
  })
  const looked = await lookAt(matrix.context.table.runtime, [
    ...idsThere(users).map((id): Place => [User, { id }]),
    ...idsThere(roles).map((id): Place => [Role, { client_id, id }]),
    ...assignments,
  ])
  const granted = await grantedBy(matrix, dangerous.length === 0 ? [] : idsThere(roles))
  return { ...chunk, assignmentIds: new Map(), granted, users, looked }
}

/** The parts that a role of the client still needs. Imported roles are linked: their number of permissions has no bound. */
export function roleParts(matrix: MatrixImport, name: string, { id, isThere }: FoundId, looked: Looked, drafts: Drafts): Part[] {
  const { client_id } = matrix
  if (isThere && looked.has(Role, { client_id, id })) return []
  const role = { id, client_id, name, permission_form: 'linked' } as const
  return audited(matrix, drafts.create(Role, role), { entity: Role, id, tenant: client_id, after: role })
}

function userParts({ matrix, looked }: Chunk, email: string, { id, isThere }: FoundId, drafts: Drafts): Part[] {
  const { client_id } = matrix
  if (!isThere || !looked.has(User, { id })) {
    const user = { id, client_id, email, user_type: 'external_customer' } as const
    return audited(matrix, drafts.create(User, user), { entity: User, id, tenant: client_id, after: user })
  }
  if (looked.at(User, { id })?.client_id === client_id) return []
  throw new FreeholdError('AlreadyExists', `There is a user '${email}' who is not of this client.`, {
    entity: User.name,
    attribute: 'email',
  })
}

function assignmentParts({ matrix, assignmentIds, dangerous, granted }: Chunk, user_id: string, role_id: string, drafts: Drafts): Part[] {
  const { client_id, context } = matrix
  const patterns = granted.get(role_id) ?? []
  if (patterns instanceof FreeholdError) throw patterns
  const confirmed = confirmedRow(matrix, dangerous, patterns)
  const key = `${user_id} ${role_id}`
  const id = assignmentIds.get(key) ?? context.table.runtime.making().uuid()
  assignmentIds.set(key, id)
  const assignment = { id, ...assignmentAt(client_id, user_id, role_id), role_owner: client_id }
  const related = { user: user_id, role: role_id }
  const entry = { entity: UserRoleAssignment, id, tenant: client_id, after: assignment, related, ...confirmed }
  return audited(matrix, drafts.create(UserRoleAssignment, assignment, { client_id }), entry)
}

function partsOf({ email, name }: AssignmentRow, chunk: Chunk, drafts: Drafts): Part[] {
  const { matrix, users, roles, looked } = chunk
  const [user, role] = [users.get(email), roles.get(name)]
  if (user === undefined || role === undefined) return []
  const parts = [...userParts(chunk, email, user, drafts), ...roleParts(matrix, name, role, looked, drafts)]
  const isThere = looked.has(UserRoleAssignment, assignmentAt(matrix.client_id, user.id, role.id))
  return isThere ? parts : [...parts, ...assignmentParts(chunk, user.id, role.id, drafts)]
}

/** How the roles of users are imported: with user and role, one row in one transaction. */
export const assignmentImporter = (matrix: MatrixImport): Importer<AssignmentRow> =>
  matrixImporter(matrix, { guardsOf, read: readChunk, partsOf })
