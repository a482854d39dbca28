import { type NeededPermission, permissionTable } from '@freehold/frame/flow'
import { text } from '@freehold/table'

/** An action of the policies, and the type of the resource that it is asked of. */
export interface ActionPermission {
  readonly action: string
  readonly resource: string
}

const on = (action: string, resource: string): ActionPermission => Object.freeze({ action, resource })

/**
 * The action that a calling user must be allowed in the tenant, by flow. `grantRole` is asked besides, of each role that a flow gives. All other flows are
 * for operators, since users, roles and policies are of every tenant. A deployer may name other actions.
 */
export const flowActions = Object.freeze({
  renameTenant: on('renameTenant', 'Tenant'),
  createGrant: on('createGrant', 'Tenant'),
  changeGrantRoles: on('changeGrantRoles', 'Tenant'),
  removeGrant: on('removeGrant', 'Tenant'),
  grantsOfTenant: on('grantsOfTenant', 'Tenant'),
  createResource: on('createResource', 'Tenant'),
  updateResource: on('updateResource', 'Tenant'),
  removeResource: on('removeResource', 'Tenant'),
  resourcesOfType: on('resourcesOfType', 'Tenant'),
  grantRole: on('grant', 'Role'),
})

export type FlowActions = Readonly<Record<keyof typeof flowActions, ActionPermission>>

const actionName = text({ max: 200 }).schema
/** The name of an entity type, as Cedar writes it. */
const typeForm = /^[A-Za-z_]\w*(::[A-Za-z_]\w*)*$/

function readPermission(given: unknown): { readonly value: ActionPermission } | { readonly problem: string } {
  const { action, resource }: { readonly action?: unknown; readonly resource?: unknown } =
    typeof given === 'object' && given !== null ? given : {}
  const read = actionName.safeParse(action)
  if (!read.success || read.data === '') return { problem: `: its action ${read.error?.issues[0]?.message ?? 'is empty'}` }
  if (typeof resource !== 'string' || !typeForm.test(resource)) return { problem: ': its resource is no type of an entity, such as Tenant' }
  return { value: on(read.data, resource) }
}

/** The table of actions with a deployer's own. Throws `InvalidInput` for a flow that needs no action, and for what is no action or type. */
export const flowActionsWith = (own: Partial<FlowActions> = {}): FlowActions => permissionTable(flowActions, own, 'action', readPermission)

/** That a calling user is allowed an action in the tenant. */
export const allows = ({ action, resource }: ActionPermission): NeededPermission =>
  Object.freeze({ module: 'authorization', action, resource, at: 'tenant' })
