import type { Decider, Reason } from '@freehold/frame/decision'
import {
  type ActingUser,
  type BasisItem,
  changeRecorder,
  denied,
  evidenceBasis,
  type FlowContext,
  type FlowHost,
  type Foreseen,
  flowsFor,
  liveItem,
  type NeededPermission,
} from '@freehold/frame/flow'
import { checking } from '@freehold/table'
import { consistent } from '@freehold/table/runtime'
import type { AuthorizationTable } from '../authorization-table.ts'
import { authorization, Change, Resource, Role, RoleById, Tenant, TenantGrant, User } from '../design.ts'

const reason: Reason = {
  kind: 'policy',
  code: 'NoDecider',
  message: 'Nothing decides here what a user may do: give the command --policies DIR or --store ID, or the module policies or a decider.',
}

const denying = async () => ({ allowed: false, reason })
const empty = async () => ({ items: [], reason })

/** Denies everything: flows fail closed for calling users where a program gives no decider. */
const noDecider: Decider = Object.freeze({
  fields: { can: [], why: [], what: [], who: [], where: [] },
  can: denying,
  canMany: async (questions: readonly unknown[]) => Promise.all(questions.map(denying)),
  why: async () => ({ allowed: false, reason, chains: [], missing: [] }),
  what: empty,
  who: empty,
  where: empty,
})

/** The scope of a flow: a tenant. `roleId`: the role in it that is asked about. */
export interface AtTenant {
  readonly tenantId: string
  readonly roleId?: string
}

/** The context of a flow of authorization. */
export interface AuthorizationContext extends FlowContext<AuthorizationTable, ActingUser, AtTenant> {}

/** The question whether a user may call a flow. A decider of authorization answers `why` to it. */
export interface FlowQuestion {
  readonly user: string
  readonly tenant: string
  readonly action: string
  /** The tenant itself, or the role that the flow gives. */
  readonly resource: { readonly type: string; readonly id: string }
}

/** A calling user is told by the decision alone whether there is such a tenant: so it learns as much of another's as of none. */
export async function atTenant(context: AuthorizationContext, { tenantId }: AtTenant): Promise<AtTenant> {
  if (context.user === undefined) await liveItem(context, Tenant, { tenantId })
  return { tenantId }
}

export const inSystem = async () => 'system' as const

/** The items of a chain that allows. */
export const basisOf = evidenceBasis(
  [User, 'grant'], // its global roles
  [TenantGrant, 'grant'],
  [Role, 'definition'],
  [RoleById, 'definition'],
  [Resource, 'definition'],
)

export const authorizationHost: FlowHost<AuthorizationTable, ActingUser, AtTenant> = Object.freeze({
  design: authorization,
  decide: () => noDecider,
  reads: (input: Readonly<Record<string, unknown>>): Foreseen => [[Tenant, input]],
  actingUser: async (table: AuthorizationTable, id: string) => {
    const user = await table.User.get({ userId: id }, consistent)
    if (user === undefined) throw denied(undefined, 'UnknownUser', 'There is no such user here.')
    if (user.deleting !== undefined) throw denied(undefined, 'BeingDeleted', 'This user is being deleted.')
    return { ...user, id: user.userId }
  },
  questionOf: ({ id: user }: ActingUser, { action, resource: type }: NeededPermission, { tenantId: tenant, roleId }: AtTenant) => ({
    question: { user, tenant, action, resource: { type, id: roleId ?? tenant } } satisfies FlowQuestion,
    level: 'tenant',
  }),
  basisOfUser: ({ id }: ActingUser): BasisItem => ({ kind: 'user', name: `user ${id}`, check: checking(User, { userId: id }) }),
  tenants: {
    // Users are of every tenant: they work at that of each flow's scope.
    ofUser: () => undefined,
    of: ({ tenantId }: AtTenant) => tenantId,
    scope: (tenantId: string) => ({ tenantId }),
    basis: (tenantId: string): BasisItem => ({
      kind: 'tenant',
      name: `tenant ${tenantId}`,
      check: checking(Tenant, { tenantId }, { where: { status: 'active' } }),
    }),
    check: async ({ table, flow }: AuthorizationContext, tenantId: string) => {
      const tenant = await table.Tenant.get({ tenantId }, consistent)
      if (tenant?.status !== 'active' || tenant.deleting !== undefined) throw denied(flow, 'TenantNotActive', 'This tenant is not active.')
    },
  },
  basisOf,
  ...changeRecorder(Change),
})

/** Each flow and durable job of authorization is written with these. */
export const { flow, itemFlows, job, listFlow } = flowsFor<AuthorizationContext>(authorizationHost)
