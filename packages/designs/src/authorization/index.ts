import type { Runtime } from '@freehold/table'
import type { Decider, DeciderOptions } from '../decision/decision.ts'
import { type DesignModule, type OpenDesign, type OpenOptions, openModule } from '../design-module.ts'
import { authorization } from './design.ts'
import type { FlowActions } from './flows/flow-actions.ts'
import { type AuthorizationFlowTable, offeredAuthorizationFlows } from './flows/flows.ts'

export type { AuthorizationTable } from './authorization-table.ts'
export * from './design.ts'
export type { FlowQuestion } from './flows/authorization-host.ts'
export { type ActionPermission, type FlowActions, flowActions } from './flows/flow-actions.ts'
export type { AuthorizationFlows } from './flows/flows.ts'

type AuthorizationModule = DesignModule<typeof authorization, Decider, AuthorizationFlowTable> &
  Required<Pick<DesignModule<typeof authorization, Decider, AuthorizationFlowTable>, 'flows'>>

export interface AuthorizationOptions {
  /** The actions that a calling user must be allowed, by flow, where they are not those of `flowActions`. */
  readonly actions?: Partial<FlowActions> | undefined
  /** Decides what a user may do; flows ask it `why` with a `FlowQuestion`. Without it flows deny users everything: `NoDecider`. */
  readonly decider?: ((runtime: Runtime, options?: DeciderOptions) => Decider) | undefined
}

/** The module of authorization, for a program that has a decider or actions of its own. Throws `InvalidInput`. */
export function authorizationModuleWith({ actions, decider }: AuthorizationOptions = {}): AuthorizationModule {
  return Object.freeze({
    design: authorization,
    summary: 'Tenants, unique users, roles and tenant grants, with policies that decide: data for an authorizer.',
    ...(decider === undefined ? {} : { decider }),
    flows: offeredAuthorizationFlows({ actions, decider }),
  })
}

export const authorizationModule: AuthorizationModule = authorizationModuleWith()

/** Opens authorization for a program. */
export const open = ({ actions, decider, ...options }: OpenOptions & AuthorizationOptions = {}): OpenDesign<AuthorizationModule> =>
  openModule(actions === undefined && decider === undefined ? authorizationModule : authorizationModuleWith({ actions, decider }), options)
