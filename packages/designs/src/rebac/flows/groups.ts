import { type CreatingItem, ensureItem, itemOf, liveItem, naming, waiting } from '@freehold/frame/flow'
import { checking, type Steps, updating } from '@freehold/table'
import { GroupRole, Role, UserGroup } from '../design.ts'
import { opens } from './flow-pages.ts'
import { checkHeld, checkHeldOfNewGroup, readHeld } from './grant-ceiling.ts'
import { type AtLocation, atGroup, atLocation, flow, itemFlows, type RebacContext } from './rebac-host.ts'
import { checkNotRenamed } from './roles.ts'

interface RoleOfGroup {
  readonly groupId: string
  readonly roleName: string
}

/**
 * The steps of each change of a group's roles. The change is a write of the group, whose version a flow that adds members checks. The role must not be
 * about to get another name. Throws `NotFound`, `BeingDeleted`, `CheckFailed`.
 */
async function touchGroup(context: RebacContext, { groupId, roleName }: RoleOfGroup): Promise<Steps> {
  const [{ version }, role] = [
    await liveItem(context, UserGroup, { groupId }),
    await context.table.Role.get({ roleName }, { consistent: true }),
  ]
  if (role !== undefined) checkNotRenamed(role)
  const isLive = role !== undefined && role.deleting === undefined
  return {
    group: updating(UserGroup, { groupId }, {}, { version }),
    ...(isLive ? { named: checking(Role, { roleName }, { where: { renaming: null } }) } : {}),
  }
}

/** Gives a group a role and records it; a group that has it keeps it as it is. */
export function addRole(context: RebacContext, pair: RoleOfGroup, at: AtLocation) {
  const alongside = async (): Promise<CreatingItem> => {
    await checkHeld(context, at, [pair.roleName])
    return { steps: await touchGroup(context, pair), entry: { related: { ...at } } }
  }
  return ensureItem(context, GroupRole, pair, alongside)
}

const groups = itemFlows(UserGroup, { scope: atGroup })

/** The flows of groups and of their roles. */
export const groupFlows = {
  createGroup: groups.create({
    name: 'createGroup',
    summary: 'Creates a group at a location.',
    given: ['groupId', 'locationId', 'groupType', 'name'],
    needs: opens('manage-groups'),
    scope: atLocation,
    check: async ({ context, input: { groupId }, scope }) =>
      typeof groupId === 'string' ? checkHeldOfNewGroup(context, scope, groupId) : undefined,
  }),
  updateGroup: groups.update({
    name: 'updateGroup',
    summary: 'Changes the name or the type of a group, also where its members show it.',
    may: ['name', 'groupType'],
    needs: opens('manage-groups'),
  }),
  deleteGroup: groups.remove({
    name: 'deleteGroup',
    summary: 'Deletes a group, with its memberships and roles. From the start it grants nothing.',
    input: waiting,
    needs: opens('manage-groups'),
  }),
  giveRole: flow({
    name: 'giveRole',
    summary: 'Gives a group a role. A calling user must be allowed every page that the role allows.',
    input: naming(GroupRole, 'groupId', 'roleName'),
    needs: opens('manage-group-roles'),
    effect: 'write',
    returns: itemOf(GroupRole),
    writes: { create: GroupRole },
    errors: ['NotFound', 'BeingDeleted', 'MissingEnd', 'CheckFailed'],
    scope: atGroup,
    reads: (pair) => [
      [GroupRole, pair],
      [Role, pair],
    ],
    ahead: (context, { roleName }, at) => readHeld(context, at, [roleName]),
    run: addRole,
  }),
  takeRole: itemFlows(GroupRole, { scope: atGroup }).remove({
    name: 'takeRole',
    summary: 'Takes a role from a group.',
    needs: opens('manage-group-roles'),
    errors: ['CheckFailed'],
    reads: (pair) => [[Role, pair]],
    alongside: async ({ context, input }) => ({ steps: await touchGroup(context, input) }),
  }),
}
