import { type ChangeEntry, type EdgeChange, type InputOf, replaceEdges } from '@freehold/frame/flow'
import { FreeholdError, list, oneOf, record, text, uuid } from '@freehold/table'
import { Role } from '../../design.ts'
import { distinctPatterns } from '../../permission/patterns.ts'
import type { PermissionPattern } from '../../permission/permission.ts'
import { type AccountContext, job } from '../account-host.ts'
import { checkHeld } from '../assignments/grant-ceiling.ts'
import * as needs from '../needs.ts'
import type { LinkedRole } from './linked-permissions.ts'
import { liveRole } from './role-ancestry.ts'
import { linkTaken, roleLinks } from './role-links.ts'
import { scopeOfOwner } from './role-scope.ts'

/**
 * Checks that a job did all that it was started for. Throws `AlreadyExists` if another role of this id is linked to a part of it. Otherwise throws why
 * the job gave up, or `VersionConflict` if that is not known.
 */
export async function checkLinked(
  context: AccountContext,
  { client_id, id }: LinkedRole,
  change: EdgeChange<PermissionPattern>,
  why?: FreeholdError,
) {
  const { add, remove, taken } = await roleLinks.left(context, await liveRole(context, client_id, id), change)
  if (taken.length > 0) throw linkTaken(taken)
  if (add.length + remove.length === 0) return
  if (why !== undefined) throw why
  const message =
    'Not all permissions were changed: others changed this role meanwhile, or its caller may not do so any more. The audit tells more.'
  throw new FreeholdError('VersionConflict', message, { entity: Role.name, named: true })
}

/** Holds a user who adds links to its own permissions, as they are now. The holders of the role have the links at once, and for good. */
export async function checkLinks(context: AccountContext, { client_id }: LinkedRole, add: readonly PermissionPattern[]): Promise<void> {
  await checkHeld(context, [{ granted: add, until: null }], scopeOfOwner(client_id))
}

/** Permissions, as the input of a job keeps them. */
export const patterns = list(record({ module: text(), action: text(), resource: text() }))

/** The input by which a job knows its role. */
export const jobRole = { client_id: uuid().optional(), role_id: uuid() }

/** The role that a job is about. */
export const roleOf = ({ client_id, role_id: id }: InputOf<typeof jobRole>) => ({ client_id: client_id ?? undefined, id })

/** Every durable job of one role declares this. */
export const ofRole = {
  subject: ({ role_id }: InputOf<typeof jobRole>) => `ROLE#${role_id}`,
  within: (input: InputOf<typeof jobRole>) => scopeOfOwner(roleOf(input).client_id),
  endOf: roleOf,
}

/** The durable job of a large change of a linked role. */
export const changingRoleLinks = job(
  replaceEdges(roleLinks, {
    name: 'changeRoleLinks',
    flow: 'changeRolePermissions',
    input: { ...jobRole, add: patterns, remove: patterns, severity: oneOf('info', 'warning', 'critical') },
    ...ofRole,
    needs: [needs.updateRole],
    asked: ({ add, remove }) => ({ add, remove }),
    check: (context, input, add) => checkLinks(context, roleOf(input), add),
    entry: ({ severity }) => ({ severity }),
  }),
)

/** A change that no transaction holds, as a durable job. */
export async function changeLinksByJob(
  context: AccountContext,
  { client_id, id }: LinkedRole,
  { add, remove }: EdgeChange<PermissionPattern>,
  { severity = 'info' }: Partial<ChangeEntry>,
): Promise<void> {
  const input = { client_id, role_id: id, add: distinctPatterns(add), remove: distinctPatterns(remove), severity }
  const why = await changingRoleLinks.start(context, input)
  await checkLinked(context, { client_id, id }, { add, remove }, why)
}
