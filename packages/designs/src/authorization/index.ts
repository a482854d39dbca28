import { type DesignModule, type ModuleFolder, type OpenDesign, type OpenOptions, openModule } from '@freehold/frame'
import type { AuthzenServed } from '@freehold/frame/authzen'
import { isPolicyFile, type PolicyEngine, type PolicySource, policiesOf } from '@freehold/frame/cedar'
import type { Decider, DeciderOptions } from '@freehold/frame/decision'
import type { ConnectedTable, Runtime } from '@freehold/table'
import { access } from './access.ts'
import { authorizationAuthzen } from './authzen.ts'
import { decideAuthorization } from './decide.ts'
import type { ResourceSource } from './deciding/resources.ts'
import { authorization } from './design.ts'
import type { FlowActions } from './flows/flow-actions.ts'
import { type AuthorizationFlowTable, offeredAuthorizationFlows } from './flows/flows.ts'
import { words } from './words.ts'

export type { AuthorizationTable } from './authorization-table.ts'
export { type AuthorizationDecider, decideAuthorization } from './decide.ts'
export type { AskedProperties } from './deciding/properties.ts'
export type {
  AskedResource,
  AuthorizationCan,
  AuthorizationQuestion,
  AuthorizationWhatOfTypeQuestion,
  AuthorizationWhatQuestion,
  AuthorizationWhereQuestion,
  AuthorizationWhoQuestion,
  AuthorizationWhy,
  PermittedAction,
  PermittedResource,
  PermittedTenant,
  PermittedUser,
} from './deciding/question.ts'
export type { ResourceName, ResourceSource } from './deciding/resources.ts'
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
  /** Resources that a program keeps elsewhere, in place of those of the table. */
  readonly resources?: ResourceSource | undefined
  /** Decides in place of policies; flows ask it `why` with a `FlowQuestion`. */
  readonly decider?: ((runtime: Runtime, options?: DeciderOptions) => Decider) | undefined
}

/** The module of authorization, for a program that has policies, a decider or actions of its own. Throws `InvalidInput`. */
export function authorizationModuleWith({ actions, policies, resources, decider: own }: AuthorizationOptions = {}): AuthorizationModule {
  const decider = own ?? (policies && decideAuthorization(policies, { resources }))
  return Object.freeze({
    design: authorization,
    summary: 'Tenants, unique users, roles and tenant grants, with policies that decide: data for an authorizer.',
    words,
    access,
    ...(decider === undefined ? {} : { decider }),
    flows: offeredAuthorizationFlows({ actions, decider }),
    samples: async (table: ConnectedTable) => (await import('./flows/samples.ts')).samplesOn(table),
    authzen: (served: AuthzenServed) =>
      authorizationAuthzen(served, () => (policies && 'current' in policies ? policies.current() : policies)),
    ...(decider === undefined ? { folder: policiesFolder({ actions, resources }) } : {}),
  })
}

/** A module without policies gets them from a folder. */
const policiesFolder = (own: Pick<AuthorizationOptions, 'actions' | 'resources'>): ModuleFolder => ({
  name: 'policies',
  holds: 'the Cedar policies of authorization',
  takes: isPolicyFile,
  open: async (files) => {
    const policies = await policiesOf(files)
    return { module: authorizationModuleWith({ ...own, policies }), replace: policies.replace }
  },
  byEngine: (policies) => authorizationModuleWith({ ...own, policies }),
})

export const authorizationModule: AuthorizationModule = authorizationModuleWith()

/** Opens authorization for a program. */
export const open = ({
  actions,
  policies,
  resources,
  decider,
  ...options
}: OpenOptions & AuthorizationOptions = {}): OpenDesign<AuthorizationModule> => {
  const isOwn = [actions, policies, resources, decider].some((each) => each !== undefined)
  return openModule(isOwn ? authorizationModuleWith({ actions, policies, resources, decider }) : authorizationModule, options)
}
