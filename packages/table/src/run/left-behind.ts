import type { Entity } from '../design/form.ts'
import type { Dependant } from '../design/relations.ts'
import { FreeholdError } from '../errors.ts'
import type { Stored } from '../plan/stored.ts'
import { tenantOfItem } from '../plan/tenant-scope.ts'
import { dependantItems } from './jobs/enumerate.ts'
import type { Runtime } from './runtime.ts'

/** True if the dependant's tenant is a copy of its target's, so that it comes along. */
function comesAlong({ design: { form } }: Runtime, { entity, reference }: Dependant): boolean {
  const attribute = form.tenantOf?.(entity).attribute
  return attribute === undefined || entity.attributes[attribute]?.source?.through === reference?.attribute
}

/**
 * The error for an item that would come to another tenant while items of its former tenant refer to it: each tenant could then read or remove what is the
 * other's (spec rule 22). Undefined if there are none. Between this look and the write another may be created, so operators move items that nobody uses.
 */
export async function leftBehind(runtime: Runtime, entity: Entity, item: Stored): Promise<FreeholdError | undefined> {
  const { form } = runtime.design
  const tenant = tenantOfItem(form, entity, item)
  for (const dependant of form.dependantsOf(entity)) {
    const side = dependant.enumeration?.side
    if (side === undefined || comesAlong(runtime, dependant)) continue
    for await (const page of dependantItems(runtime, entity, item, dependant, 1)) {
      if (!page.some((found) => tenantOfItem(form, side, found) === tenant)) continue
      const user = dependant.entity.name
      return new FreeholdError('InUse', `This ${entity.name} is in use by a ${user} of the tenant that it would leave.`, {
        entity: entity.name,
        user,
      })
    }
  }
  return undefined
}
