import type { Stored } from '@freehold/table/runtime'
import type { AccountAccessQuestion } from '../src/account-management/decide.ts'
import type { AccountTable } from '../src/account-management/flows/account-host.ts'
import type { AccountFlows } from '../src/account-management/flows/flows.ts'
import type { AccessAnswers } from './access-answers.ts'
import { assignment, client, idOf, link, permission, project, role, subscription } from './account-items.ts'
import { acme, ada, adaAtHarbour, camera, granting, harbour, pier, reader } from './account-organisation.ts'

// Each way to take access away, as items that give it and what takes it.

const zenith = idOf('client', 9)
const quay = idOf('project', 2)
const entry = idOf('permission', 1)
const child = idOf('role', 2)
const linked = idOf('role', 3)
const powerless = idOf('role', 4)
const ofSystem = idOf('role', 5)
const rented = idOf('module', 1)
const email = 'ada@example.org'

/** Ada may look at the cameras of the pier, which is in the harbour; by her role there, one of several kinds. */
export function itemsWith(role_id: string): readonly Stored[] {
  const assigned = assignment(acme, ada, role_id, 'project', harbour)
  const owner = role_id === ofSystem ? 'SYSTEM' : acme
  return [
    ...adaAtHarbour.filter(({ Type }) => !/Assignment|RoleHolder/.test(String(Type))),
    ...client(zenith),
    ...project(acme, quay),
    ...role(acme, child, 'child', { parent: reader }),
    ...granting(role(acme, linked, 'linked')).map((item) => (item.Type === 'Role' ? { ...item, permission_form: 'linked' } : item)),
    ...role(acme, powerless, 'powerless'),
    ...granting(role(undefined, ofSystem, 'of the system'), camera),
    ...permission(entry, camera.module, camera.action, camera.resource),
    ...link(acme, linked, entry),
    subscription(acme, 'project', harbour, rented),
    ...assigned.map((item) => ({ ...item, role_owner: owner })),
  ]
}

export interface Revoking {
  readonly table: AccountTable
  /** An operator's. */
  readonly flows: AccountFlows
}

export interface Revocation {
  /** The item that is taken away. */
  readonly what: string
  /** The role that ada has. */
  readonly role: string
  /** True where it is a definition, which a bounded decision may be late to see (spec rule 18). */
  readonly isDefinition: boolean
  /** The fields of the question besides ada, the pier and the cameras. */
  readonly question?: Partial<AccountAccessQuestion>
  /** Questions that are answered alike before and after: ada is not who loses it, or not all that she has at the harbour. */
  readonly unchanged?: readonly (keyof AccessAnswers)[]
  revoke(by: Revoking): Promise<unknown>
}

const at = (role_id: string) => ({ user_id: ada, scope_type: 'project' as const, scope_id: harbour, role_id })
const ofAcme = (id: string) => ({ id, client_id: acme })
const entitlement = { scope_type: 'project' as const, scope_id: harbour, module_id: rented }
/** Before every clock of these tests, and after it. */
const past = '2026-02-01T00:00:00.000Z'
const future = '2199-01-01T00:00:00.000Z'

const read = (revocation: Pick<Revocation, 'what' | 'revoke'> & Partial<Revocation>): Revocation => ({
  role: reader,
  isDefinition: false,
  ...revocation,
})
const definition = (revocation: Pick<Revocation, 'what' | 'revoke'> & Partial<Revocation>): Revocation =>
  read({ isDefinition: true, ...revocation })

const assignments: readonly Revocation[] = [
  read({ what: 'the assignment', revoke: ({ flows }) => flows.revokeRole(at(reader)) }),
  read({ what: 'the assignment, without a flow', revoke: ({ table }) => table.UserRoleAssignment.remove(at(reader)) }),
  read({ what: 'all assignments', revoke: ({ flows }) => flows.revokeAllRoles({ user_id: ada }) }),
  read({ what: 'the time of the assignment', revoke: ({ table }) => table.UserRoleAssignment.update(at(reader), { expires_at: past }) }),
  read({ what: 'its having started', revoke: ({ table }) => table.UserRoleAssignment.update(at(reader), { start_at: future }) }),
  read({
    what: 'the role, of which another is given instead',
    revoke: ({ flows }) => flows.deleteRole({ ...ofAcme(linked), reassign_to: powerless }),
    role: linked,
  }),
  read({
    what: 'the role with all that have it',
    revoke: ({ flows }) => flows.deleteRole({ ...ofAcme(linked), in_use: 'cascade' }),
    role: linked,
  }),
]

const usersAndPlaces: readonly Revocation[] = [
  read({ what: 'the user', revoke: ({ flows }) => flows.deleteUser({ id: ada }) }),
  read({ what: "the user's being active", revoke: ({ flows }) => flows.disableUser({ id: ada }) }),
  read({ what: "the user's being of the client", revoke: ({ table }) => table.User.update({ id: ada }, { client_id: zenith }) }),
  read({
    what: 'the e-mail address that is asked by',
    revoke: ({ flows }) => flows.changeUserEmail({ id: ada, email: 'countess@example.org' }),
    question: { user: email },
    unchanged: ['who'],
  }),
  read({ what: "the client's being active", revoke: ({ flows }) => flows.suspendClient({ id: acme }) }),
  read({ what: 'the client', revoke: ({ flows }) => flows.deleteClient({ id: acme }) }),
  read({ what: 'the project', revoke: ({ flows }) => flows.deleteProject({ id: harbour }) }),
  read({ what: 'the building', revoke: ({ flows }) => flows.deleteBuilding({ id: pier }), unchanged: ['where', 'snapshotOfAll'] }),
  read({
    what: "the building's being in the project",
    revoke: ({ flows }) => flows.moveBuilding({ id: pier, project_id: quay }),
    unchanged: ['where', 'snapshotOfAll'],
  }),
]

const ofModule = { question: { module_id: rented }, unchanged: ['snapshotOfAll'] } as const
const entitlements: readonly Revocation[] = [
  read({
    what: 'the subscription of the module',
    revoke: ({ flows }) => flows.expireSubscription(entitlement),
    ...ofModule,
  }),
  read({
    what: 'the subscription, by cancelling it',
    revoke: ({ flows }) => flows.cancelSubscription(entitlement),
    ...ofModule,
  }),
  read({
    what: 'the time of the subscription',
    revoke: ({ table }) => table.ServiceSubscription.update(entitlement, { end_date: past }),
    ...ofModule,
  }),
]

const definitions: readonly Revocation[] = [
  definition({
    what: 'the permission of the role',
    revoke: ({ flows }) => flows.changeRolePermissions({ ...ofAcme(reader), remove: [camera] }),
  }),
  definition({
    what: 'the permission of the role above',
    revoke: ({ flows }) => flows.changeRolePermissions({ ...ofAcme(reader), remove: [camera] }),
    role: child,
  }),
  definition({
    what: 'the role above',
    revoke: ({ flows }) => flows.setParentRole({ ...ofAcme(child), parent_role_id: null }),
    role: child,
  }),
  definition({
    what: 'the role above, in place of which there is another',
    revoke: ({ flows }) => flows.setParentRole({ ...ofAcme(child), parent_role_id: powerless }),
    role: child,
  }),
  definition({
    what: 'the form by which the role grants',
    revoke: ({ table }) => table.Role.update(ofAcme(reader), { permission_form: 'linked' }),
  }),
  definition({
    what: 'the permission of a role of the system',
    revoke: ({ flows }) => flows.changeRolePermissions({ id: ofSystem, system: true, remove: [camera] }),
    role: ofSystem,
  }),
  definition({
    what: 'the permission of the linked role',
    revoke: ({ flows }) => flows.changeRolePermissions({ ...ofAcme(linked), remove: [camera] }),
    role: linked,
  }),
  definition({
    what: 'the link of the role',
    revoke: ({ table }) => table.RolePermissionLink.remove({ role_id: linked, permission_id: entry }),
    role: linked,
  }),
  definition({
    what: 'what the catalogue says of the permission',
    revoke: ({ flows }) => flows.updatePermission({ id: entry, action: 'write' }),
    role: linked,
  }),
  definition({
    what: 'the permission in the catalogue',
    revoke: ({ flows }) => flows.deletePermission({ id: entry, in_use: 'cascade' }),
    role: linked,
  }),
  // A process that resumes jobs takes the assignments sooner or later. Until then only the role is marked.
  definition({
    what: 'the role, whose assignments a job has yet to take',
    revoke: ({ flows }) => flows.deleteRole({ ...ofAcme(linked), in_use: 'cascade', wait: false }),
    role: linked,
  }),
]

export const revocations: readonly Revocation[] = [...assignments, ...usersAndPlaces, ...entitlements, ...definitions]
