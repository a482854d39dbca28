import { FreeholdError } from '@freehold/table'
import { type Drafts, type Looked, lookAt, type Place } from '../exchange/chunk-drafts.ts'
import type { GoodRow, Importer } from '../exchange/import-rows.ts'
import type { Part } from '../exchange/part.ts'
import { planChunk } from '../exchange/plan-chunk.ts'
import { Role, RoleName, User, UserEmail, UserRoleAssignment } from './design.ts'
import type { AccountTable } from './flows/account-table.ts'
import { type FoundId, foundIds } from './found-ids.ts'

/** That the user of this address has the role of this name, at the client of the import as a whole. */
export interface AssignmentRow {
  readonly email: string
  readonly name: string
}

interface Chunk {
  readonly client_id: string
  readonly users: ReadonlyMap<string, FoundId>
  readonly roles: ReadonlyMap<string, FoundId>
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

async function readChunk({ runtime }: AccountTable, client_id: string, rows: readonly AssignmentRow[]): Promise<Chunk> {
  const guards = await lookAt(
    runtime,
    rows.flatMap((row) => guardsOf(client_id, row)),
  )
  const { uuid } = runtime.making()
  const users = foundIds(
    rows.map(({ email }) => email),
    (email) => guards.at(UserEmail, { email }),
    uuid,
  )
  const roles = foundIds(
    rows.map(({ name }) => name),
    (name) => guards.at(RoleName, { client_id, name }),
    uuid,
  )
  const there = (ids: ReadonlyMap<string, FoundId>) => [...ids.values()].filter(({ isThere }) => isThere).map(({ id }) => id)
  const assignments = rows.flatMap(({ email, name }): Place[] => {
    const [user, role] = [users.get(email), roles.get(name)]
    return user?.isThere && role?.isThere ? [[UserRoleAssignment, assignmentAt(client_id, user.id, role.id)]] : []
  })
  const looked = await lookAt(runtime, [
    ...there(users).map((id): Place => [User, { id }]),
    ...there(roles).map((id): Place => [Role, { client_id, id }]),
    ...assignments,
  ])
  return { client_id, users, roles, looked }
}

/** What a role of the client still needs to be there. Imported roles are linked: their number of permissions has no bound. */
export function roleParts(client_id: string, name: string, { id, isThere }: FoundId, looked: Looked, drafts: Drafts): Part[] {
  return isThere && looked.has(Role, { client_id, id }) ? [] : [drafts.create(Role, { id, client_id, name, permission_form: 'linked' })]
}

function userParts({ client_id, looked }: Chunk, email: string, { id, isThere }: FoundId, drafts: Drafts): Part[] {
  if (!isThere || !looked.has(User, { id })) return [drafts.create(User, { id, client_id, email, user_type: 'external_customer' })]
  if (looked.at(User, { id })?.client_id === client_id) return []
  throw new FreeholdError('AlreadyExists', `There is a user '${email}' who is not of this client.`, {
    entity: User.name,
    attribute: 'email',
  })
}

function partsOf({ email, name }: AssignmentRow, chunk: Chunk, drafts: Drafts): Part[] {
  const { client_id, users, roles, looked } = chunk
  const [user, role] = [users.get(email), roles.get(name)]
  if (user === undefined || role === undefined) return []
  const parts = [...userParts(chunk, email, user, drafts), ...roleParts(client_id, name, role, looked, drafts)]
  const assignment = assignmentAt(client_id, user.id, role.id)
  if (!looked.has(UserRoleAssignment, assignment))
    parts.push(drafts.create(UserRoleAssignment, { ...assignment, role_owner: client_id }, { client_id }))
  return parts
}

/** How the roles of users are imported: with user and role, one row in one transaction. */
export function assignmentImporter(table: AccountTable, client_id: string): Importer<AssignmentRow> {
  const plan = (rows: readonly GoodRow<AssignmentRow>[]) =>
    planChunk(table.design, rows, {
      placesOf: (row) => guardsOf(client_id, row),
      read: (good) => readChunk(table, client_id, good),
      partsOf,
    })
  return { awaitsEnds: false, plan, again: async (row) => (await plan([row]))[0] ?? 'skipped' }
}
