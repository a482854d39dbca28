import type { Entity } from '../../design/form.ts'
import { besideTenant, type Tenants } from '../../plan/adopted-values.ts'
import type { Runtime } from '../runtime.ts'
import { scanItems } from '../scan.ts'

/** Where all items of an entity lie, once they were scanned. */
export interface ScannedTenants extends Tenants {
  learn(entity: Entity): Promise<void>
}

/** Nothing is scanned before an item wants it: no index leads from the rest of a key to the tenant in it. Only ids are kept. */
export function scannedTenants(runtime: Runtime): ScannedTenants {
  const known = new Map<Entity, Map<string, (string | undefined)[]>>()
  return {
    of: (entity, others) => {
      const all = known.get(entity)
      return all === undefined ? 'unread' : (all.get(others) ?? [])
    },
    learn: async (entity) => {
      if (known.has(entity)) return
      const tenant = runtime.design.form.tenantOf?.(entity).attribute ?? ''
      const all = new Map<string, (string | undefined)[]>()
      for await (const page of scanItems(runtime, [entity]))
        for (const item of page) {
          if (item.Type !== entity.name || item.deleting !== undefined) continue
          const others = besideTenant(entity, tenant, item)
          const at = item[tenant]
          all.set(others, [...(all.get(others) ?? []), typeof at === 'string' ? at : undefined])
        }
      known.set(entity, all)
    },
  }
}
