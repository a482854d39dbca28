import { isDeepStrictEqual } from 'node:util'
import { requireLive } from '@freehold/frame/flow'
import { type Entity, FreeholdError, isFreeholdError } from '@freehold/table'
import { consistent } from '@freehold/table/runtime'
import { Policy, Role, TenantGrant } from '../design.ts'
import type { AuthorizationContext } from './authorization-host.ts'

/** A role by its id. Its key is its scope and its name. Throws `NotFound`. */
export async function roleOf({ table }: AuthorizationContext, roleId: string) {
  const { scope, name } = requireLive(Role.name, roleId, await table.RoleById.get({ roleId }, consistent))
  return { scope, name }
}

/** A policy by its id. Its key is its name. Throws `NotFound`. */
export async function policyOf({ table }: AuthorizationContext, policyId: string) {
  const { name } = requireLive(Policy.name, policyId, await table.PolicyById.get({ policyId }, consistent))
  return { name }
}

/** A grant by its id. Its key is its tenant and its user. Throws `NotFound`. */
export async function grantOf({ table }: AuthorizationContext, tenantGrantId: string) {
  const { tenantId, userId } = requireLive(TenantGrant.name, tenantGrantId, await table.TenantGrantById.get({ tenantGrantId }, consistent))
  return { tenantId, userId }
}

/** Refuses an item that has got the name of the one that is meant. Throws `NotFound`. */
export function checkId(entity: Entity, id: string, found: string): void {
  if (found !== id) throw new FreeholdError('NotFound', `There is no ${entity.name} ${id} here.`, { entity: entity.name, id })
}

/** Works on an item at its key. If the item was renamed meanwhile, it is looked up again. Throws `NotFound`. */
export async function atKeyOf<K extends object, R>(
  { table }: AuthorizationContext,
  find: () => Promise<K>,
  work: (key: K) => Promise<R>,
): Promise<R> {
  for (let key = await find(); ; ) {
    try {
      return await work(key)
    } catch (error) {
      // Where it was before tells nothing now.
      table.runtime.reads?.end()
      const now = isFreeholdError(error, 'NotFound') ? await find() : key
      if (isDeepStrictEqual(now, key)) throw error
      key = now
    }
  }
}
