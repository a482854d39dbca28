import { decideAccountManagement } from './account-management/decide.ts'
import { accountManagement } from './account-management/design.ts'
import { offeredAccountFlows } from './account-management/flows/flows.ts'
import { authorization } from './authorization/design.ts'
import type { Offer } from './offer.ts'
import { platform } from './platform/design.ts'
import { decideRebac } from './rebac/decide.ts'
import { rebac } from './rebac/design.ts'

/** The finished designs, by name. */
export const offers: ReadonlyMap<string, Offer> = new Map<string, Offer>([
  [
    accountManagement.name,
    {
      design: accountManagement,
      summary: 'Clients, projects and buildings: scoped, time-bound roles, modules, settings, devices, audit, sign-ins.',
      decider: decideAccountManagement,
      flows: offeredAccountFlows,
    },
  ],
  [
    authorization.name,
    {
      design: authorization,
      summary: 'Tenants, unique users, roles and tenant grants, with policies that decide: data for an authorizer.',
    },
  ],
  [
    platform.name,
    {
      design: platform,
      summary: 'Accounts, enterprises, licences with seats, workstreams: permissions for menus, an audit of notifications.',
    },
  ],
  [
    rebac.name,
    {
      design: rebac,
      summary: 'People, locations, groups, roles and pages: relationship-based access without an index.',
      decider: decideRebac,
    },
  ],
])
