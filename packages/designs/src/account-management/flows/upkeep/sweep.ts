import { placeOf } from '@freehold/frame/decision'
import { collection, type TenantTree, type Turn, tenantTree, type Walked, walkCollections, walkTenant } from '@freehold/frame/exchange'
import { pageOfValues, paging, readErrors } from '@freehold/frame/flow'
import { count, type Malformed, number, type Page, type Runtime, uuid } from '@freehold/table'
import { type CursorBinding, checkAdopted, openCursor, readRange, sealCursor, tableKey } from '@freehold/table/runtime'
import { AuditLog, Client, ClientEntry, ClientUser, User } from '../../design.ts'
import { type AccountContext, type AccountWithin, flow } from '../account-host.ts'
import { clientScope } from '../scope.ts'
import { nothingSwept, type Swept, sweepItem } from './sweep-item.ts'

const itemsDefault = 1000
const itemsMax = 100_000

/** The position at which a sweep continues: a client, or null for the items of none, and the way to the last item. */
interface Position {
  readonly client_id: string | null
  readonly way: readonly Turn[]
}

/** The counts of one client; without `client_id`, those of the items of no client. */
export interface SweptClient extends Swept {
  readonly client_id?: string
  readonly items_looked_at: number
}

const bindingOf = ({ flow }: AccountContext, client_id: string | null): CursorBinding => ({
  kind: 'question',
  name: flow,
  parameters: { client_id },
})

/** Clients that are read ahead. */
const clientsAtOnce = 100

/**
 * The owners to sweep, from the position at which a sweep continues: null for the items of no client, then the clients by their ids.
 * @param itemsLeft how many items are still to be looked at: no more clients are read at once, since each is an item itself
 * @param malformed gets the entries of the directory that name no client
 */
async function* ownersFrom(
  { table: { runtime } }: AccountContext,
  only: string | null,
  from: Position | undefined,
  itemsLeft: () => number,
  malformed: Malformed[],
): AsyncGenerator<string | null, void> {
  const first = only ?? from?.client_id ?? null
  // A client that is gone by now is walked all the same: its audit is left.
  yield first
  if (only !== null) return
  const { partition, range } = placeOf(ClientEntry)
  for (let after = first === null ? undefined : tableKey(ClientEntry, { id: first }).SK; ; ) {
    const { items, isLast } = await readRange(runtime, partition, range, { limit: Math.min(clientsAtOnce, itemsLeft() + 1), after })
    for (const { SK } of items) {
      after = String(SK)
      const { data, success } = Client.attributes.id.schema.safeParse(after.slice(range.from.length))
      if (success) yield data
      else malformed.push({ key: { PK: partition, SK: after }, reason: 'This entry of the directory names no client.' })
    }
    if (isLast || items.length === 0) return
  }
}

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
function walkSystem(runtime: Runtime, way?: readonly Turn[]): AsyncGenerator<Walked, void, void> {
  const collections = [collection(ClientUser, {}, User), collection(AuditLog, {})]
  return walkCollections(runtime, { tree: systemTree(tenantTree(runtime.design, Client)), collections }, way)
}

function walk({ table: { runtime } }: AccountContext, client_id: string | null, way: readonly Turn[] | undefined): AsyncGenerator<Walked> {
  return client_id === null
    ? walkSystem(runtime, way)
    : walkTenant(runtime, tenantTree(runtime.design, Client), { entity: Client, id: client_id }, way)
}

export const sweep = flow({
  name: 'sweep',
  summary:
    'Tidies a client, or what is of none and then one client after another: expired subscriptions and invitations say so, what is past its end goes.',
  input: {
    client_id: uuid().optional(),
    limit: number({ integer: true, min: 1, max: itemsMax }).optional().describe('Items that a call looks at, at most.'),
    cursor: paging.cursor,
  },
  needs: 'operator',
  effect: 'write',
  returns: pageOfValues<SweptClient>({
    client_id: uuid().optional(),
    items_looked_at: count(),
    subscriptions_expired: count(),
    invitations_ended: count(),
    items_removed: count(),
  }),
  errors: [...readErrors, 'InvalidCursor'],
  scope: async (context, { client_id }): Promise<AccountWithin> => {
    if (typeof client_id === 'string') await clientScope(context, client_id)
    return 'system'
  },
  run: async (context, { client_id: only = null, limit, cursor }): Promise<Page<SweptClient>> => {
    const { runtime } = context.table
    await checkAdopted(runtime, 'It is not known what is to be tidied')
    const binding = bindingOf(context, only)
    // Only this flow seals these cursors.
    const from = typeof cursor === 'string' ? (openCursor(runtime, binding, cursor) as unknown as Position) : undefined
    const items: SweptClient[] = []
    const malformed: Malformed[] = []
    let left = limit ?? itemsDefault
    for await (const client_id of ownersFrom(context, only, from, () => left, malformed)) {
      const resumed = from !== undefined && client_id === from.client_id ? from.way : undefined
      const counts = { ...nothingSwept, items_looked_at: 0 }
      let last: readonly Turn[] | undefined
      for await (const { entity, item, way } of walk(context, client_id, resumed)) {
        if (item !== undefined) {
          const { swept, malformed: lost } = await sweepItem(context, { entity, item }, client_id ?? undefined)
          if (lost !== undefined) malformed.push(lost)
          if (swept !== undefined) counts[swept]++
          counts.items_looked_at++
        }
        left--
        last = way
        if (left === 0) break
      }
      if (counts.items_looked_at > 0) items.push({ ...(client_id === null ? {} : { client_id }), ...counts })
      if (left > 0 || last === undefined) continue
      const more = malformed.length === 0 ? {} : { malformed }
      return { items, cursor: sealCursor(runtime, binding, { client_id, way: last }), ...more }
    }
    return { items, ...(malformed.length === 0 ? {} : { malformed }) }
  },
})
