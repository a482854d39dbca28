import { type Steps, updating } from '@freehold/table'
import { checkChosenId } from '../../flow/chosen-id.ts'
import { readErrors } from '../../flow/flow-errors.ts'
import { naming } from '../../flow/input-attributes.ts'
import { waiting } from '../../flow/item-flows.ts'
import { liveItem } from '../../flow/live-item.ts'
import { ensureItem } from '../../flow/write-item.ts'
import { itemOf } from '../../returns.ts'
import { Group, GroupMember, GroupRole } from '../design.ts'
import { allows, type FlowMenus } from './flow-menus.ts'
import { checkHeldOfGroup, checkHeldRoles } from './held.ts'
import { atAccount, atGroup, flow, itemFlows, type PlatformContext } from './platform-host.ts'

const groups = itemFlows(Group, { scope: (context, { id }) => atGroup(context, id) })
const inGroup = { scope: (context: PlatformContext, { groupId }: { readonly groupId: string }) => atGroup(context, groupId) }

/** Each change of a group's roles counts as a write of the group, since a flow that adds members names its version. */
async function touchGroup(context: PlatformContext, id: string): Promise<{ readonly steps: Steps }> {
  const { version } = await liveItem(context, Group, { id })
  return { steps: { group: updating(Group, { id }, {}, { version }) } }
}

/** The flows of groups, their members and roles. */
export function groupFlows(menus: FlowMenus) {
  return {
    createGroup: groups.create({
      name: 'createGroup',
      summary: 'Creates a group in an account. Only operators choose its id.',
      given: ['accountId', 'id', 'name', 'description'],
      needs: allows(menus.createGroup),
      scope: atAccount,
      check: ({ context, input }) => checkChosenId(context, 'group', input.id),
    }),
    updateGroup: groups.update({
      name: 'updateGroup',
      summary: 'Changes the name or the description of a group.',
      may: ['name', 'description'],
      needs: allows(menus.updateGroup),
    }),
    deleteGroup: groups.remove({
      name: 'deleteGroup',
      summary: 'Deletes a group, with its memberships and roles. From the start it grants nothing.',
      input: waiting,
      needs: allows(menus.deleteGroup),
    }),
    addToGroup: flow({
      name: 'addToGroup',
      summary: 'Adds a user to a group of its account. A caller needs itself all that the roles of the group allow.',
      input: naming(GroupMember, 'groupId', 'userId'),
      needs: allows(menus.addToGroup),
      effect: 'write',
      returns: itemOf(GroupMember),
      writes: { create: GroupMember },
      errors: [...readErrors, 'MissingEnd'],
      ...inGroup,
      run: (context, pair, { accountId: tenant }) =>
        ensureItem(context, GroupMember, pair, async () => {
          await checkHeldOfGroup(context, await liveItem(context, Group, { id: pair.groupId }))
          return { tenant }
        }),
    }),
    removeFromGroup: itemFlows(GroupMember, inGroup).remove({
      name: 'removeFromGroup',
      summary: 'Removes a user from a group.',
      needs: allows(menus.removeFromGroup),
    }),
    giveRole: flow({
      name: 'giveRole',
      summary: 'Gives a group a role of its account, or one of no account. A caller needs itself all that the role allows.',
      input: naming(GroupRole, 'groupId', 'roleId'),
      needs: allows(menus.giveRole),
      effect: 'write',
      returns: itemOf(GroupRole),
      writes: { create: GroupRole },
      errors: [...readErrors, 'MissingEnd'],
      ...inGroup,
      run: (context, pair, { accountId: tenant }) =>
        ensureItem(context, GroupRole, pair, async () => {
          await checkHeldRoles(context, [pair.roleId])
          return { tenant, ...(await touchGroup(context, pair.groupId)) }
        }),
    }),
    takeRole: itemFlows(GroupRole, inGroup).remove({
      name: 'takeRole',
      summary: 'Takes a role from a group.',
      needs: allows(menus.takeRole),
      alongside: ({ context, input: { groupId } }) => touchGroup(context, groupId),
    }),
  }
}
