import type { Runtime } from '@freehold/table'
import type { AuthzenServed } from '../authzen/mapping.ts'
import type { Decider, DeciderOptions } from '../decision/decision.ts'
import { type DesignModule, type ModuleFolder, type OpenDesign, type OpenOptions, openModule } from '../design-module.ts'
import { authorizationAuthzen } from './authzen.ts'
import { decideAuthorization } from './decide.ts'
import { authorization } from './design.ts'
import type { FlowActions } from './flows/flow-actions.ts'
import { type AuthorizationFlowTable, offeredAuthorizationFlows } from './flows/flows.ts'
import { isPolicyFile, policiesOf } from './policies/policies-of.ts'
import type { PolicyEngine, PolicySource } from './policies/policy-engine.ts'

export type { AuthorizationTable } from './authorization-table.ts'
export { type AuthorizationDecider, decideAuthorization } from './decide.ts'
export type { AskedProperties } from './deciding/properties.ts'
export type {
  AskedResource,
  AuthorizationCan,
  AuthorizationQuestion,
  AuthorizationWhatQuestion,
  AuthorizationWhereQuestion,
  AuthorizationWhoQuestion,
  AuthorizationWhy,
  PermittedAction,
  PermittedTenant,
  PermittedUser,
} from './deciding/question.ts'
export * from './design.ts'
export type { FlowQuestion } from './flows/authorization-host.ts'
export { type ActionPermission, type FlowActions, flowActions } from './flows/flow-actions.ts'
export type { AuthorizationFlows } from './flows/flows.ts'

type AuthorizationModule = DesignModule<typeof authorization, Decider, AuthorizationFlowTable> &
  Required<Pick<DesignModule<typeof authorization, Decider, AuthorizationFlowTable>, 'flows'>>

export interface AuthorizationOptions {
  /** The actions that a calling user must be allowed, by flow, where they are not those of `flowActions`. */
  readonly actions?: Partial<FlowActions> | undefined
  /** Decide what a user may do: `localEngine` reads a folder of them. Without policies or a decider flows deny users everything: `NoDecider`. */
  readonly policies?: PolicyEngine | PolicySource | undefined
  /** Decides in place of policies; flows ask it `why` with a `FlowQuestion`. */
  readonly decider?: ((runtime: Runtime, options?: DeciderOptions) => Decider) | undefined
}

/** The module of authorization, for a program that has policies, a decider or actions of its own. Throws `InvalidInput`. */
export function authorizationModuleWith({ actions, policies, decider: own }: AuthorizationOptions = {}): AuthorizationModule {
  const decider = own ?? (policies && decideAuthorization(policies))
  return Object.freeze({
    design: authorization,
    summary: 'Tenants, unique users, roles and tenant grants, with policies that decide: data for an authorizer.',
    ...(decider === undefined ? {} : { decider }),
    flows: offeredAuthorizationFlows({ actions, decider }),
    authzen: (served: AuthzenServed) =>
      authorizationAuthzen(served, () => (policies && 'current' in policies ? policies.current() : policies)),
    ...(decider === undefined ? { folder: policiesFolder(actions) } : {}),
  })
}

/** A module without policies gets them from a folder. */
const policiesFolder = (actions: AuthorizationOptions['actions']): ModuleFolder => ({
  name: 'policies',
  holds: 'the Cedar policies of authorization',
  takes: isPolicyFile,
  open: async (files) => {
    const policies = await policiesOf(files)
    return { module: authorizationModuleWith({ actions, policies }), replace: policies.replace }
  },
})

export const authorizationModule: AuthorizationModule = authorizationModuleWith()

/** Opens authorization for a program. */
export const open = ({
  actions,
  policies,
  decider,
  ...options
}: OpenOptions & AuthorizationOptions = {}): OpenDesign<AuthorizationModule> => {
  const isOwn = [actions, policies, decider].some((each) => each !== undefined)
  return openModule(isOwn ? authorizationModuleWith({ actions, policies, decider }) : authorizationModule, options)
}
