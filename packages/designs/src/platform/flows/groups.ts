import { checkChosenId, touched, waiting } from '@freehold/frame/flow'
import { Group, GroupMember, GroupRole, Role } from '../design.ts'
import { on } from './flow-menus.ts'
import { checkHeldOfGroup, checkHeldRoles, readHeld, readHeldOfGroup } from './grant-ceiling.ts'
import { atAccount, atGroup, itemFlows, type PlatformContext } from './platform-host.ts'

const groups = itemFlows(Group, { scope: (context, { id }) => atGroup(context, id) })
const inGroup = { scope: (context: PlatformContext, { groupId }: { readonly groupId: string }) => atGroup(context, groupId) }

const members = itemFlows(GroupMember, inGroup)
const roles = itemFlows(GroupRole, inGroup)

/** Each change of a group's roles counts as a write of the group, since a flow that adds members names its version. */
const touchGroup = (context: PlatformContext, id: string) => touched(context, Group, { id })

/** The flows of groups, their members and roles. */
export const groupFlows = {
  createGroup: groups.create({
    name: 'createGroup',
    summary: 'Creates a group in an account. Only operators choose its id.',
    given: ['accountId', 'id', 'name', 'description'],
    needs: on('groups', 'create'),
    scope: atAccount,
    check: ({ context, input }) => checkChosenId(context, 'group', input.id),
  }),
  updateGroup: groups.update({
    name: 'updateGroup',
    summary: 'Changes the name or the description of a group.',
    may: ['name', 'description'],
    needs: on('groups', 'edit'),
  }),
  setGroupAccount: groups.update({
    name: 'setGroupAccount',
    summary: 'Gives a group an account if it has none, as groups that another program wrote: until then it grants nothing.',
    may: ['accountId'],
    needs: 'operator',
  }),
  deleteGroup: groups.remove({
    name: 'deleteGroup',
    summary: 'Deletes a group, with its memberships and roles. From the start it grants nothing.',
    input: waiting,
    needs: on('groups', 'delete'),
  }),
  addToGroup: members.ensure({
    name: 'addToGroup',
    summary: 'Adds a user to a group of its account. A caller needs itself all that the roles of the group allow.',
    given: ['groupId', 'userId'],
    needs: on('group-members', 'create'),
    errors: ['NotFound'],
    ...inGroup,
    ahead: ({ context, input: { groupId } }) => readHeldOfGroup(context, groupId),
    check: ({ context, input: { groupId } }) => checkHeldOfGroup(context, groupId),
  }),
  removeFromGroup: members.remove({
    name: 'removeFromGroup',
    summary: 'Removes a user from a group.',
    needs: on('group-members', 'delete'),
  }),
  giveRole: roles.ensure({
    name: 'giveRole',
    summary: 'Gives a group a role of its account, or one of no account. A caller needs itself all that the role allows.',
    given: ['groupId', 'roleId'],
    needs: on('group-roles', 'create'),
    errors: ['NotFound'],
    ...inGroup,
    reads: ({ roleId }) => [[Role, { id: roleId }]],
    ahead: ({ context, input: { roleId } }) => readHeld(context, [roleId]),
    check: ({ context, input: { roleId } }) => checkHeldRoles(context, [roleId]),
    alongside: ({ context, input: { groupId } }) => touchGroup(context, groupId),
  }),
  takeRole: roles.remove({
    name: 'takeRole',
    summary: 'Takes a role from a group.',
    needs: on('group-roles', 'delete'),
    alongside: ({ context, input: { groupId } }) => touchGroup(context, groupId),
  }),
}
