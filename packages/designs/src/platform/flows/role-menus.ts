import {
  askedVersion,
  changeEdges,
  changeErrors,
  changing,
  checkNamedVersion,
  collected,
  edgesAtOnce,
  edgesOf,
  itemOf,
  liveItem,
  naming,
  onceFor,
  readErrors,
  replaceEdges,
  requireDone,
  retryOnConflict,
  setItem,
  touched,
} from '@freehold/frame/flow'
import { type Item, list, opaqueId, record } from '@freehold/table'
import { consistent, invalidInput, parallel } from '@freehold/table/runtime'
import { Role, RolePermission } from '../design.ts'
import { actions, type Flags, flagOf } from '../snapshot/menu-flags.ts'
import { type MenuPermission, on } from './flow-menus.ts'
import { allowedBy, checkHeld, permissionWords, readHeld } from './grant-ceiling.ts'
import { atRole, flow, itemFlows, job, type PlatformContext, scopeOf } from './platform-host.ts'

const flags = actions.map((action) => flagOf[action])

/** What a role allows in a menu. */
export interface MenuSetting extends Flags {
  readonly menuKey: string
}

/** A menu with its flags; those that are left out are as they were, or false. */
function settingOf(menuKey: string, asked: { readonly [F in keyof Flags]?: boolean | null | undefined }, before?: Flags): MenuSetting {
  const of = (name: keyof Flags) => asked[name] ?? before?.[name] ?? false
  return { menuKey, canView: of('canView'), canCreate: of('canCreate'), canEdit: of('canEdit'), canDelete: of('canDelete') }
}

/** A role that is created, with its lookup item, or its source; its account, the record with its lookup item, and that of the call. */
const besideMenus = 3 + 1 + 2 + 1

/** The menu permissions of a role: each is an item and its lookup item. */
export const roleMenus = edgesOf<PlatformContext, typeof Role, MenuSetting, MenuSetting>({
  end: Role,
  edge: RolePermission,
  atOnceMax: edgesAtOnce(besideMenus, 2),
  told: { added: 'granted', removed: 'withdrawn' },
  words: (setting) => allowedBy(setting).map(permissionWords).join(', ') || `nothing in ${setting.menuKey}`,
  edgeOf: (_, { id: roleId }, setting) => ({ roleId, ...setting }),
  differs: (there, setting) => flags.some((name) => there[name] !== setting[name]),
  read: ({ table }, { id: roleId }, settings) => {
    const ids = settings.map(({ menuKey }) => ({ roleId, menuKey }))
    return table.RolePermission.getMany(ids, consistent)
  },
  find: async (_, change) => change,
  isOpen: () => true,
})

export const menusOfRole = ({ table }: PlatformContext, roleId: string): Promise<readonly MenuSetting[]> =>
  collected(table.permissionsOfRole.all({ roleId }, consistent), (permission) => settingOf(permission.menuKey, permission))

/** The menus of a role, begun ahead of their use: with the version of the role, which is read first, since each change of them counts as a write of it. */
const menusAhead = (context: PlatformContext, id: string) =>
  onceFor(context, `menus of role ${id}`, async () => {
    const { version } = await liveItem(context, Role, { id })
    return { version, menus: await menusOfRole(context, id) }
  })

/** The menus of a role as it was read. */
export async function menusAsRead(context: PlatformContext, { id, version }: Item<typeof Role>): Promise<readonly MenuSetting[]> {
  const ahead = await menusAhead(context, id)
  return ahead.version === version ? ahead.menus : menusOfRole(context, id)
}

/** Reads what a calling user has, and the menus of a role, side by side with the decision on the permission of its flow. */
export const readHeldAndMenus = (context: PlatformContext, id: string): Promise<unknown> =>
  parallel(
    () => readHeld(context),
    () => menusAhead(context, id),
  )

/** The permissions that a role does not allow yet. The holders of the role get them. */
async function newlyAllowed(
  context: PlatformContext,
  roleId: string,
  settings: readonly MenuSetting[],
): Promise<readonly MenuPermission[]> {
  const there = await roleMenus.kind.read(context, { id: roleId }, settings)
  return settings.flatMap((setting, index) => {
    const had = new Set(allowedBy(settingOf(setting.menuKey, { ...there[index] })).map(permissionWords))
    return allowedBy(setting).filter((permission) => !had.has(permissionWords(permission)))
  })
}

/** Holds a caller that adds permissions to a role to its own. Throws `Denied`. */
export async function checkMenus(context: PlatformContext, roleId: string, settings: readonly MenuSetting[]): Promise<void> {
  if (context.user !== undefined) await checkHeld(context, await newlyAllowed(context, roleId, settings))
}

/** Tells that a durable job did not do all that it was started for. */
export const notAllChanged = 'Not all permissions were changed: others changed this role meanwhile, or its caller may not do so any more.'

const menus = list(record(naming(RolePermission, 'menuKey', ...flags)))
/** The input by which a job knows its role. */
const ofRole = { roleId: opaqueId(), accountId: opaqueId().optional() }

/** Each menu once. Throws `InvalidInput`. */
function checkDistinct(flow: string, settings: readonly MenuSetting[]): void {
  const menuKeys = new Set<string>()
  const twice = settings.find(({ menuKey }) => menuKeys.size === menuKeys.add(menuKey).size)
  if (twice !== undefined) throw invalidInput(flow, [{ path: ['permissions'], message: `has the menu ${twice.menuKey} twice` }], { flow })
}

/** Each change of a role's permissions counts as a write of the role, since a flow that gives the role names its version. */
const touchRole = (context: PlatformContext, id: string) => touched(context, Role, { id })

const scope = (context: PlatformContext, { roleId }: { readonly roleId: string }) => atRole(context, roleId)

/** The durable job of a large change of a role. */
export const replacingMenus = job(
  replaceEdges(roleMenus, {
    name: 'replaceMenuPermissions',
    input: { ...ofRole, add: menus, remove: menus },
    subject: ({ roleId }) => `ROLE#${roleId}`,
    within: ({ accountId }) => scopeOf({ accountId: accountId ?? undefined }),
    needs: [on('role-permissions', 'edit')],
    endOf: ({ roleId: id }) => ({ id }),
    asked: ({ add, remove }) => ({ add, remove }),
    check: (context, { roleId }, add) => checkMenus(context, roleId, add),
  }),
)
/** The flows of the menu permissions of roles. */
export const menuPermissionFlows = {
  setMenuPermission: flow({
    name: 'setMenuPermission',
    summary:
      'Says what a role allows in a menu. Flags that are left out stay as they are. A caller needs itself all that the role allows anew.',
    input: { ...naming(RolePermission, 'roleId', 'menuKey'), ...changing(RolePermission, ...flags) },
    needs: on('role-permissions', 'edit'),
    effect: 'write',
    returns: itemOf(RolePermission),
    writes: { create: RolePermission, update: RolePermission },
    errors: [...readErrors, 'MissingEnd'],
    scope,
    reads: ({ roleId, menuKey }) => [
      [Role, { id: roleId }],
      [RolePermission, { roleId, menuKey }],
    ],
    ahead: (context) => readHeld(context),
    run: (context, { roleId, menuKey, ...asked }, at) =>
      setItem(
        context,
        RolePermission,
        { roleId, menuKey },
        async () => ({ ...(await touchRole(context, roleId)), tenant: at === 'system' ? undefined : at.accountId }),
        async (before) => {
          const { menuKey: _, ...said } = settingOf(menuKey, asked, before)
          await checkMenus(context, roleId, [{ menuKey, ...said }])
          return said
        },
      ),
  }),
  removeMenuPermission: itemFlows(RolePermission, { scope }).remove({
    name: 'removeMenuPermission',
    summary: 'Takes from a role what it allows in a menu.',
    needs: on('role-permissions', 'edit'),
    reads: ({ roleId }) => [[Role, { id: roleId }]],
    alongside: ({ context, input: { roleId } }) => touchRole(context, roleId),
  }),
  replaceMenuPermissions: flow({
    name: 'replaceMenuPermissions',
    summary: 'Says what a role allows in all menus: it allows nothing else then. Many at once are a durable job.',
    input: { ...naming(RolePermission, 'roleId'), version: askedVersion, permissions: menus },
    needs: on('role-permissions', 'edit'),
    effect: 'write',
    returns: itemOf(Role),
    writes: { create: RolePermission, update: Role, remove: RolePermission },
    errors: [...changeErrors, 'MissingEnd'],
    scope,
    reads: ({ roleId, permissions }) => [
      [Role, { id: roleId }],
      ...permissions.map(({ menuKey }) => [RolePermission, { roleId, menuKey }] as const),
    ],
    ahead: (context, { roleId }) => readHeldAndMenus(context, roleId),
    run: async (context, { roleId: id, version, permissions: add }) => {
      checkDistinct(context.flow, add)
      return retryOnConflict(context.table.runtime, async () => {
        const before = await liveItem(context, Role, { id })
        checkNamedVersion(Role, before.version, version)
        const wanted = new Set(add.map(({ menuKey }) => menuKey))
        const remove = (await menusAsRead(context, before)).filter(({ menuKey }) => !wanted.has(menuKey))
        const byJob = async () => {
          const why = await replacingMenus.start(context, { roleId: id, accountId: before.accountId, add, remove })
          return requireDone(roleMenus, context, { id }, { add, remove }, notAllChanged, why)
        }
        return changeEdges(roleMenus, context, before, { add, remove }, () => checkMenus(context, id, add), byJob)
      })
    },
  }),
}
