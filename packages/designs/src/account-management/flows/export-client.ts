import {
  type CursorBinding,
  isFreeholdError,
  isOver,
  type Malformed,
  number,
  openCursor,
  type Page,
  sealCursor,
  text,
  uuid,
} from '@freehold/table'
import { type ExportedItem, exportedItem } from '../../exchange/export-items.ts'
import { Client } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { writeAudited } from './audited.ts'
import { clientPlace } from './place.ts'
import { type Turn, type Walked, walkClient } from './walk-client.ts'

const pageDefault = 100
const pageMax = 1000

/** Of an item: exported, malformed, or left out because it is on its way out or another client's. */
function exportedOf(
  context: AccountContext,
  client_id: string,
  { entity, item }: Walked,
): { readonly items: readonly ExportedItem[]; readonly malformed: readonly Malformed[] } | undefined {
  const { now } = context.table.runtime
  const owner = entity === Client ? item.id : item.client_id
  if (item.deleting !== undefined || owner !== client_id || isOver(entity, item, now())) return undefined
  try {
    return { items: [exportedItem(entity, item)], malformed: [] }
  } catch (error) {
    if (!isFreeholdError(error, 'MalformedItem')) throw error
    return { items: [], malformed: [{ key: { PK: String(item.PK), SK: String(item.SK) }, reason: error.message }] }
  }
}

/** Only this file seals these cursors. */
function wayOf(context: AccountContext, binding: CursorBinding, cursor: string | null | undefined): readonly Turn[] | undefined {
  return cursor === undefined || cursor === null ? undefined : (openCursor(context.table.runtime, binding, cursor).way as readonly Turn[])
}

async function page(context: AccountContext, id: string, limit: number, cursor: string | null | undefined): Promise<Page<ExportedItem>> {
  const { runtime } = context.table
  const binding: CursorBinding = { kind: 'question', name: context.flow, parameters: { id } }
  const items: ExportedItem[] = []
  const malformed: Malformed[] = []
  let last = wayOf(context, binding, cursor)
  let isMore = false
  for await (const walked of walkClient(runtime, id, last, 'parents')) {
    const exported = exportedOf(context, id, walked)
    if (exported !== undefined && items.length + malformed.length === limit) {
      isMore = true
      break
    }
    items.push(...(exported?.items ?? []))
    malformed.push(...(exported?.malformed ?? []))
    last = walked.way
  }
  return {
    items,
    ...(isMore ? { cursor: sealCursor(runtime, binding, { way: last }) } : {}),
    ...(malformed.length === 0 ? {} : { malformed }),
  }
}

export const exportClient = accountFlow({
  name: 'exportClient',
  summary:
    'Everything that a client has, a page at a time, without secrets, in an order in which it can be imported where the system roles, permissions and internal users are that it names.',
  input: { id: uuid(), limit: number({ integer: true, min: 1, max: pageMax }).optional(), cursor: text().optional() },
  place: async (context, { id }) => clientPlace(context, id),
  run: async (context, { id, limit, cursor }): Promise<Page<ExportedItem>> => {
    // Who took what away is told once, before anything is given.
    if (cursor === undefined || cursor === null) await writeAudited(context, {}, { entity: Client, id, client_id: id })
    return page(context, id, limit ?? pageDefault, cursor)
  },
})
