import type { Runtime } from '@freehold/table'
import { collection, type TenantTree, tenantTree } from '../../../exchange/tenant-tree.ts'
import { type Turn, type Walked, walkCollections } from '../../../exchange/walk-tenant.ts'
import { AuditLog, Client, ClientUser, User } from '../../design.ts'

/** The flow whose entry in the system's audit names the client that was deleted: the audit that is left of the client is found by it. */
const deletingClient = 'deleteClient'

/** Beneath such an entry lies the audit of its client. The entry comes last, since nothing else leads there. */
function systemTree(tree: TenantTree): TenantTree {
  return {
    idBeneath: (entity, item) => {
      if (entity !== AuditLog) return tree.idBeneath(entity, item)
      const isOfDeletion = item.action === deletingClient && item.client_id === undefined
      const deleted = isOfDeletion ? Client.attributes.id.schema.safeParse(item.entity_id) : undefined
      return deleted?.success === true ? deleted.data : undefined
    },
    beneath: (entity, id) => (entity === AuditLog ? [collection(AuditLog, { client_id: id })] : tree.beneath(entity, id)),
    isAfterItsOwn: (entity) => entity === AuditLog,
  }
}

/** The items of no client that expire or end: internal users with all that they have, and the system's audit with that of deleted clients. */
export function walkSystem(runtime: Runtime, way?: readonly Turn[]): AsyncGenerator<Walked, void, void> {
  const collections = [collection(ClientUser, {}, User), collection(AuditLog, {})]
  return walkCollections(runtime, { tree: systemTree(tenantTree(runtime.design, Client)), collections }, way)
}
