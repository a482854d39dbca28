import { checkChosenId, waiting } from '@freehold/frame/flow'
import { Role } from '../design.ts'
import { copyRole } from './copy-role.ts'
import { on } from './flow-menus.ts'
import { accountMeant, atAccountMeant, atRole, itemFlows } from './platform-host.ts'
import { menuPermissionFlows } from './role-menus.ts'

const roles = itemFlows(Role, { scope: (context, { id }) => atRole(context, id) })

/** The flows of roles. */
export const roleFlows = {
  createRole: roles.create({
    name: 'createRole',
    summary: 'Creates a role of an account; of an operator who names none, a role for all accounts. Only operators choose its id.',
    given: ['accountId', 'id', 'name', 'description'],
    needs: on('roles', 'create'),
    scope: atAccountMeant,
    check: ({ context, input }) => checkChosenId(context, 'role', input.id),
    values: ({ context, input }) => ({ accountId: accountMeant(context, input.accountId) }),
  }),
  updateRole: roles.update({
    name: 'updateRole',
    summary: 'Changes the name or the description of a role.',
    may: ['name', 'description'],
    needs: on('roles', 'edit'),
  }),
  deleteRole: roles.remove({
    name: 'deleteRole',
    summary: 'Deletes a role with its permissions, and takes it from all groups. From the start it grants nothing.',
    input: waiting,
    needs: on('roles', 'delete'),
  }),
  copyRole,
  ...menuPermissionFlows,
}
