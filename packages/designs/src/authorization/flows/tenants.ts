import { guardTaken, waiting } from '@freehold/frame/flow'
import { Tenant, TenantName } from '../design.ts'
import { atTenant, inSystem, itemFlows } from './authorization-host.ts'
import { allows, type FlowActions } from './flow-actions.ts'

const tenants = itemFlows(Tenant, { scope: atTenant })
const nameTaken = guardTaken(Tenant, TenantName, 'Another tenant has this name.')

/** The flows of tenants. */
export function tenantFlows(actions: FlowActions) {
  return {
    createTenant: tenants.create({
      name: 'createTenant',
      summary: 'Creates a tenant, which is active. Its name is its own among all tenants.',
      given: ['tenantId', 'name'],
      needs: 'operator',
      scope: inSystem,
      refusal: nameTaken,
    }),
    renameTenant: tenants.update({
      name: 'renameTenant',
      summary: 'Gives a tenant another name, and frees the one that it had.',
      may: ['name'],
      needs: allows(actions.renameTenant),
      refusal: nameTaken,
    }),
    suspendTenant: tenants.update({
      name: 'suspendTenant',
      summary: 'Suspends a tenant: from then on every decision about it denies.',
      needs: 'operator',
      change: () => ({ status: 'suspended' }),
    }),
    activateTenant: tenants.update({
      name: 'activateTenant',
      summary: 'Makes a suspended tenant active again.',
      needs: 'operator',
      change: () => ({ status: 'active' }),
    }),
    deleteTenant: tenants.remove({
      name: 'deleteTenant',
      summary: 'Deletes a tenant with all grants in it, by a durable job. From the start it allows nothing. Its users stay.',
      input: waiting,
      needs: 'operator',
      cascades: () => true,
    }),
  }
}
