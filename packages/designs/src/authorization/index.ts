import { type DesignModule, type OpenDesign, type OpenOptions, openModule } from '../design-module.ts'
import { authorization } from './design.ts'

export * from './design.ts'

type AuthorizationModule = DesignModule<typeof authorization>

export const authorizationModule: AuthorizationModule = Object.freeze({
  design: authorization,
  summary: 'Tenants, unique users, roles and tenant grants, with policies that decide: data for an authorizer.',
})

/** Opens authorization for a program. */
export const open = (options?: OpenOptions): OpenDesign<AuthorizationModule> => openModule(authorizationModule, options)
