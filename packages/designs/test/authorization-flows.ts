import type { ConnectOptions, Runtime } from '@freehold/table'
import { tableOn } from '@freehold/table/runtime'
import type { Decider, Evidence } from '../../frame/src/decision/decision.ts'
import { operator } from '../../frame/src/flow/actor.ts'
import type { ChangeLine } from '../../frame/src/flow/flow-host.ts'
import type { OfferedFlows } from '../../frame/src/flow/offered-flows.ts'
import type { AuthorizationTable } from '../src/authorization/authorization-table.ts'
import { authorization } from '../src/authorization/design.ts'
import type { FlowQuestion } from '../src/authorization/flows/authorization-host.ts'
import { flowActions } from '../src/authorization/flows/flow-actions.ts'
import {
  type AuthorizationFlows,
  type AuthorizationFlowTable,
  authorizationFlowsWith,
  offeredAuthorizationFlows,
} from '../src/authorization/flows/flows.ts'
import { withDeclaredErrors } from './declared-errors.ts'
import { answering } from './flow-decider.ts'
import { type Interruption, interruptible } from './interruptible.ts'
import { ownTableOf } from './own-table.ts'

/**
 * Decisions for tests, before there are policies. An admin of an active tenant may do everything there, and grant the roles that it has. The evidence is
 * the grant and the role, as they were read.
 */
export function adminDecider(runtime: Runtime): Decider {
  // Flows of authorization are asked about on its own tables.
  const table = tableOn(runtime) as unknown as AuthorizationTable
  const denied = { allowed: false, reason: { kind: 'policy', code: 'NoGrant', message: 'No.' }, chains: [], missing: [] } as const
  const decider: Decider = {
    ...answering(() => ({ allowed: false })).decider,
    canMany: (questions) => Promise.all(questions.map((question) => decider.why(question))),
    why: async (question) => {
      const { user: userId, tenant: tenantId, action, resource } = question as FlowQuestion
      const [tenant, grant, admin] = await Promise.all([
        table.Tenant.get({ tenantId }, { consistent: true }),
        table.TenantGrant.get({ tenantId, userId }, { consistent: true }),
        table.Role.get({ scope: 'tenant', name: 'admin' }, { consistent: true }),
      ])
      const roles = tenant?.status === 'active' && grant !== undefined ? grant.roles : []
      const asked = action === 'grant' ? resource.id : admin?.roleId
      if (asked === undefined || !roles.includes(asked)) return denied
      const found = (entity: string, id: Evidence['id'], as: NonNullable<Evidence['as']>): Evidence => {
        return { step: entity, entity, id, state: 'found', message: 'It is there.', as }
      }
      const version = grant?.version ?? 0
      return {
        allowed: true,
        chains: [[found('TenantGrant', { tenantId, userId }, { version }), found('RoleById', { roleId: asked }, {})]],
        missing: [],
      }
    },
  }
  return decider
}

export { type AuthorizationScene, authorizationScene } from '../src/authorization/flows/samples.ts'

/** A table on which the flows of authorization are at work, and what they logged. An error that its flow does not declare fails the test that meets it. */
export interface AuthorizationWork extends Interruption {
  readonly table: AuthorizationTable
  readonly offered: OfferedFlows<AuthorizationFlowTable>
  /** An operator's. */
  readonly flows: AuthorizationFlows
  as(user_id: string): AuthorizationFlows
  /** The lines that were logged since the last call. */
  lines(): readonly ChangeLine[]
}

/** @param decider undefined for the module as it is without one */
export async function authorizationWork(
  options: ConnectOptions = {},
  decider: typeof adminDecider | undefined = adminDecider,
): Promise<AuthorizationWork> {
  const logged: ChangeLine[] = []
  const offered = withDeclaredErrors(
    authorizationFlowsWith(flowActions),
    offeredAuthorizationFlows({ decider }).loggedBy((line) => logged.push(line)),
  )
  const interruption: Interruption = { meanwhile: undefined }
  const table = await ownTableOf(authorization, {
    jobHandlers: offered.jobHandlers,
    ...interruptible(options, interruption),
  })
  return Object.assign<Interruption, Omit<AuthorizationWork, keyof Interruption>>(interruption, {
    table,
    offered,
    flows: offered.of(table, { actor: { ...operator, name: 'test' } }),
    as: (user_id) => offered.of(table, { actor: { kind: 'user', user_id }, via: 'a key' }),
    lines: () => logged.splice(0),
  })
}
