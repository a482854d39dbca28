import { type Entity, FreeholdError, isFreeholdError, type Malformed, number, type Page, text } from '@freehold/table'
import { type CursorBinding, checkAdopted, day_ms, isExpired, openCursor, type Stored, sealCursor } from '@freehold/table/runtime'
import { pageOfAny } from '../decision/returns.ts'
import { readErrors } from '../flow/flow-errors.ts'
import type { FlowContext } from '../flow/flow-host.ts'
import type { InputOf } from '../flow/input/input-attributes.ts'
import { paging } from '../flow/paging.ts'
import { tenantOfItem, writeRecorded } from '../flow/records/recorded-write.ts'
import { type ExportedItem, exportedAs, exportedItem } from './export-items.ts'
import { tenantTree } from './tenant-tree.ts'
import { type Turn, walkTenant } from './walk-tenant.ts'

const pageDefault = 100
const pageMax = 1000
/** Items that a page passes over, since they are left out or come later: then it is short, and goes on with its cursor. */
const passedMax = 1000

/** More input of a flow that exports a tenant, and its other parts. */
export const exportInput = {
  limit: number({ integer: true, min: 1, max: pageMax }).optional().describe('Items that a call looks at, at most.'),
  cursor: paging.cursor,
}
/** The effect, result and errors of each flow that exports a tenant. */
export const exporting = {
  effect: 'read',
  returns: pageOfAny<ExportedItem>({ Type: text().describe('The entity of the item.') }),
  errors: [...readErrors, 'InvalidCursor'],
} as const

/** Items of the tenant that nothing leads to from it: read by an index. */
type Beside = (how: { readonly limit: number; readonly cursor?: string }) => Promise<Page<{ readonly Type: string }>>

type Told = { readonly items: readonly ExportedItem[]; readonly malformed: readonly Malformed[] }

/** Of an item: exported, malformed, or left out because it is on its way out, over, or another tenant's. */
function exportedOf(context: FlowContext, tenant: string, entity: Entity, item: Stored | undefined): Told | undefined {
  const { now } = context.table.runtime
  if (item === undefined || item.deleting !== undefined || isExpired(entity, item, now())) return undefined
  if (tenantOfItem(context, entity, item) !== tenant) return undefined
  try {
    // The items of an edge say the same.
    const own = exportedAs(entity)
    return { items: [exportedItem(own, { ...item, Type: own.name })], malformed: [] }
  } catch (error) {
    if (!isFreeholdError(error, 'MalformedItem')) throw error
    return { items: [], malformed: [{ key: { PK: String(item.PK), SK: String(item.SK) }, reason: error.message }] }
  }
}

/** How far an export is. Only this file seals these. */
interface Progress {
  readonly way?: readonly Turn[] | undefined
  /** The cursor of the items beside the tenant's tree, null for their first page. Absent while the tree is walked. */
  readonly beside?: string | null
  /** Until when it may be gone on with, in epoch milliseconds: the record tells of an export when it begins. */
  readonly until: number
}

/** Throws `InvalidCursor` for a cursor of another's, or of an export that began too long ago. */
function progressOf({ table: { runtime }, flow }: FlowContext, binding: CursorBinding, cursor: string | null | undefined): Progress {
  const now = runtime.now().getTime()
  if (cursor === undefined || cursor === null) return { until: now + day_ms }
  const progress = openCursor(runtime, binding, cursor) as unknown as Progress
  if (progress.until > now) return progress
  throw new FreeholdError('InvalidCursor', 'This export began more than a day ago: start another, without a cursor.', { flow })
}

/** The caller to whom a cursor belongs: the record of the export names that one. */
function exporterOf({ caller: { actor } }: FlowContext): string {
  return actor.kind === 'user' ? `user ${actor.user_id}` : `operator ${actor.name ?? ''}`
}

/** A page of the items of a tenant; `next`: where it goes on. */
type Part = Told & { readonly next?: Omit<Progress, 'until'> }

async function walked(context: FlowContext, entity: Entity, id: string, limit: number, way: Progress['way']): Promise<Part> {
  const { runtime } = context.table
  const items: ExportedItem[] = []
  const malformed: Malformed[] = []
  let last = way
  let passed = 0
  for await (const each of walkTenant(runtime, tenantTree(runtime.design, entity), { entity, id }, last, 'parents-first')) {
    const told = exportedOf(context, id, each.entity, each.item)
    if (told === undefined ? passed === passedMax : items.length + malformed.length === limit)
      return { items, malformed, next: { way: last } }
    if (told === undefined) passed++
    items.push(...(told?.items ?? []))
    malformed.push(...(told?.malformed ?? []))
    last = each.way
  }
  return { items, malformed }
}

async function readBeside(context: FlowContext, id: string, limit: number, at: string | null, read: Beside): Promise<Part> {
  const { items: found, malformed = [], cursor } = await read({ limit, ...(at === null ? {} : { cursor: at }) })
  const told = found.flatMap((item) => {
    const entity = context.table.runtime.design.form.entities.get(item.Type)
    // An item as it is read has all its attributes.
    return entity === undefined ? [] : (exportedOf(context, id, entity, item as unknown as Stored) ?? [])
  })
  return {
    items: told.flatMap(({ items }) => items),
    malformed: [...told.flatMap((each) => each.malformed), ...malformed],
    ...(cursor === undefined ? {} : { next: { beside: cursor } }),
  }
}

/**
 * A page of all items of a tenant, without secrets, in an order in which they can be imported. The first page is recorded before anything is given.
 * @param entity of the tenants
 */
export async function exportTenant(
  context: FlowContext,
  entity: Entity,
  id: string,
  { limit: asked, cursor }: InputOf<typeof exportInput>,
  beside?: Beside,
): Promise<Page<ExportedItem>> {
  const { runtime } = context.table
  await checkAdopted(runtime, 'It is not known what belongs to it')
  if (cursor === undefined || cursor === null) await writeRecorded(context, {}, { entity, id, tenant: id })
  const binding: CursorBinding = { kind: 'question', name: context.flow, parameters: { id, by: exporterOf(context) } }
  const { way, beside: at, until } = progressOf(context, binding, cursor)
  const limit = asked ?? pageDefault
  const part =
    at === undefined || beside === undefined
      ? await walked(context, entity, id, limit, way)
      : await readBeside(context, id, limit, at, beside)
  const next = part.next ?? (at === undefined && beside !== undefined ? { beside: null } : undefined)
  return {
    items: part.items,
    ...(next === undefined ? {} : { cursor: sealCursor(runtime, binding, { ...next, until }) }),
    ...(part.malformed.length === 0 ? {} : { malformed: part.malformed }),
  }
}
