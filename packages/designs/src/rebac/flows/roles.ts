import { itemOf, liveItem, naming, setItem, stateConflict, waiting } from '@freehold/frame/flow'
import { type Item, type Steps, updating } from '@freehold/table'
import { Page, Role, RolePagePermission } from '../design.ts'
import { flow, inSystem, itemFlows, type RebacContext } from './rebac-host.ts'

/** Throws `CheckFailed` for a role or a page that is being renamed, under its old name and its new one. */
export function checkNotRenamed(item: Item<typeof Role> | Item<typeof Page>): void {
  if (item.renaming === undefined) return
  const [entity, name] = item.Type === 'Role' ? [Role, item.roleName] : [Page, item.pageName]
  throw stateConflict(entity, 'BeingRenamed', `The ${item.Type} ${name} is being renamed. Try again when that is done.`)
}

/**
 * The step of each change of a role's pages. The change is a write of the role, whose version a flow that gives the role checks. Throws
 * `NotFound`, `BeingDeleted`, `CheckFailed`.
 */
export async function touchRole(context: RebacContext, roleName: string): Promise<Steps> {
  const role = await liveItem(context, Role, { roleName })
  checkNotRenamed(role)
  return { role: updating(Role, { roleName }, {}, { version: role.version }) }
}

interface Permission {
  readonly roleName: string
  readonly pageName: string
  readonly permission: 'ALLOW' | 'DENY'
}

/** Lets a role allow or deny a page, and records it. A change that alters nothing writes nothing. */
export function allowOrDeny(
  context: RebacContext,
  { roleName, pageName, permission }: Permission,
): Promise<Item<typeof RolePagePermission>> {
  const alongside = async () => {
    const steps = await touchRole(context, roleName)
    checkNotRenamed(await liveItem(context, Page, { pageName }))
    return { steps }
  }
  return setItem(context, RolePagePermission, { roleName, pageName }, alongside, () => ({ permission }))
}

const roles = itemFlows(Role, { scope: inSystem })
const pages = itemFlows(Page, { scope: inSystem })
const permissions = itemFlows(RolePagePermission, { scope: inSystem })

const created = { needs: 'operator', scope: inSystem } as const
const unlessRenamed = {
  needs: 'operator',
  errors: ['CheckFailed'],
  check: (_: unknown, before: Item<typeof Role> | Item<typeof Page>) => checkNotRenamed(before),
} as const

/** The flows of roles, pages, and what the ones say of the others: for operators, since they hold at all locations. */
export const definitionFlows = {
  createRole: roles.create({
    name: 'createRole',
    summary: 'Creates a role.',
    given: ['roleName', 'description'],
    ...created,
  }),
  updateRole: roles.update({
    name: 'updateRole',
    summary: 'Changes the description of a role.',
    may: ['description'],
    ...unlessRenamed,
  }),
  deleteRole: roles.remove({
    name: 'deleteRole',
    summary: 'Deletes a role, and takes it from all groups. From the start it grants nothing.',
    input: waiting,
    ...unlessRenamed,
  }),
  createPage: pages.create({
    name: 'createPage',
    summary: 'Creates a page.',
    given: ['pageName', 'description'],
    ...created,
  }),
  updatePage: pages.update({
    name: 'updatePage',
    summary: 'Changes the description of a page.',
    may: ['description'],
    ...unlessRenamed,
  }),
  deletePage: pages.remove({
    name: 'deletePage',
    summary: 'Deletes a page, and takes it from all roles. From the start nobody may open it.',
    input: waiting,
    ...unlessRenamed,
  }),
  setPermission: flow({
    name: 'setPermission',
    summary: 'Lets a role allow or deny a page.',
    input: naming(RolePagePermission, 'roleName', 'pageName', 'permission'),
    needs: 'operator',
    effect: 'write',
    returns: itemOf(RolePagePermission),
    writes: { create: RolePagePermission, update: RolePagePermission },
    errors: ['NotFound', 'BeingDeleted', 'MissingEnd', 'CheckFailed'],
    scope: inSystem,
    reads: (pair) => [
      [RolePagePermission, pair],
      [Role, pair],
      [Page, pair],
    ],
    run: allowOrDeny,
  }),
  removePermission: permissions.remove({
    name: 'removePermission',
    summary: 'Takes from a role what it says of a page.',
    needs: 'operator',
    errors: ['CheckFailed'],
    reads: (pair) => [[Role, pair]],
    alongside: async ({ context, input: { roleName } }) => ({ steps: await touchRole(context, roleName) }),
  }),
}
