import { FreeholdError, isFreeholdError, type Malformed, number, type Page, text, uuid } from '@freehold/table'
import { type CursorBinding, day_ms, isExpired, openCursor, sealCursor } from '@freehold/table/runtime'
import { type ExportedItem, exportedItem } from '../../../exchange/export-items.ts'
import { tenantTree } from '../../../exchange/tenant-tree.ts'
import { type Turn, type Walked, walkTenant } from '../../../exchange/walk-tenant.ts'
import { readErrors } from '../../../flow/flow-errors.ts'
import { writeRecorded } from '../../../flow/recorded-write.ts'
import { pageOfValues } from '../../../returns.ts'
import { Client } from '../../design.ts'
import { type AccountContext, flow } from '../account-host.ts'
import { at } from '../needs.ts'
import { clientScope } from '../scope.ts'

const pageDefault = 100
const pageMax = 1000
/** Items that a page passes over, since they are left out or come later: then it is short, and goes on with its cursor. */
const passedMax = 1000

/** Of an item: exported, malformed, or left out because it is on its way out, over, or another client's. */
function exportedOf(
  context: AccountContext,
  client_id: string,
  { entity, item }: Walked,
): { readonly items: readonly ExportedItem[]; readonly malformed: readonly Malformed[] } | undefined {
  const { now } = context.table.runtime
  if (item === undefined) return undefined
  const owner = entity === Client ? item.id : item.client_id
  if (item.deleting !== undefined || owner !== client_id || isExpired(entity, item, now())) return undefined
  try {
    return { items: [exportedItem(entity, item)], malformed: [] }
  } catch (error) {
    if (!isFreeholdError(error, 'MalformedItem')) throw error
    return { items: [], malformed: [{ key: { PK: String(item.PK), SK: String(item.SK) }, reason: error.message }] }
  }
}

/** How far an export is. Only this file seals these. */
interface Progress {
  readonly way: readonly Turn[] | undefined
  /** Until when it may be gone on with, in epoch milliseconds: the audit tells of an export when it begins. */
  readonly until: number
}

/** Throws `InvalidCursor` for a cursor of another's, or of an export that began too long ago. */
function progressOf({ table: { runtime }, flow }: AccountContext, binding: CursorBinding, cursor: string | null | undefined): Progress {
  const now = runtime.now().getTime()
  if (cursor === undefined || cursor === null) return { way: undefined, until: now + day_ms }
  const progress = openCursor(runtime, binding, cursor) as unknown as Progress
  if (progress.until > now) return progress
  throw new FreeholdError('InvalidCursor', 'This export began more than a day ago: start another, without a cursor.', { flow })
}

/** Whose export it is: whoever goes on with it is told of as who began it. */
function exporterOf({ caller: { actor } }: AccountContext): string {
  return actor.kind === 'user' ? `user ${actor.user_id}` : `operator ${actor.name ?? ''}`
}

async function page(context: AccountContext, id: string, limit: number, cursor: string | null | undefined): Promise<Page<ExportedItem>> {
  const { runtime } = context.table
  const binding: CursorBinding = { kind: 'question', name: context.flow, parameters: { id, by: exporterOf(context) } }
  const items: ExportedItem[] = []
  const malformed: Malformed[] = []
  const { way, until } = progressOf(context, binding, cursor)
  let last = way
  let passed = 0
  let isMore = false
  for await (const walked of walkTenant(runtime, tenantTree(runtime.design, Client), { entity: Client, id }, last, 'parents-first')) {
    const exported = exportedOf(context, id, walked)
    isMore = exported === undefined ? passed === passedMax : items.length + malformed.length === limit
    if (isMore) break
    if (exported === undefined) passed++
    items.push(...(exported?.items ?? []))
    malformed.push(...(exported?.malformed ?? []))
    last = walked.way
  }
  return {
    items,
    ...(isMore ? { cursor: sealCursor(runtime, binding, { way: last, until }) } : {}),
    ...(malformed.length === 0 ? {} : { malformed }),
  }
}

export const exportClient = flow({
  name: 'exportClient',
  summary:
    'Everything that a client has, a page at a time, without secrets, in an order in which it can be imported where the system roles, permissions and internal users are that it names.',
  input: { id: uuid(), limit: number({ integer: true, min: 1, max: pageMax }).optional(), cursor: text().optional() },
  needs: at('client', 'export', 'client'),
  effect: 'read',
  returns: pageOfValues<ExportedItem>({ Type: text() }),
  errors: [...readErrors, 'InvalidCursor'],
  scope: async (context, { id }) => clientScope(context, id),
  run: async (context, { id, limit, cursor }): Promise<Page<ExportedItem>> => {
    // Who took what away is told once, before anything is given.
    if (cursor === undefined || cursor === null) await writeRecorded(context, {}, { entity: Client, id, tenant: id })
    return page(context, id, limit ?? pageDefault, cursor)
  },
})
