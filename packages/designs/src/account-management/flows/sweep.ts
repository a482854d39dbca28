import { type CursorBinding, number, openCursor, sealCursor, text, uuid } from '@freehold/table'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { clientPlace, type Where } from './place.ts'
import { addSwept, nothingSwept, type Swept, sweepItem } from './sweep-client.ts'
import { type Turn, walkClient } from './walk-client.ts'

const day_ms = 86_400_000
const itemsDefault = 1000
const itemsMax = 100_000
const invitationDaysDefault = 30

/** Where a sweep goes on: at a client, after the item that `way` led to; from its beginning without one. */
interface Position {
  readonly client_id: string
  readonly way?: readonly Turn[]
}

const bindingOf = ({ flow }: AccountContext, client_id: string | undefined): CursorBinding => ({
  kind: 'question',
  name: flow,
  parameters: { client_id: client_id ?? null },
})

/** The clients to sweep, in the order of their ids, from the one where a sweep goes on. */
async function* clientsFrom({ table }: AccountContext, only: string | undefined, from: string | undefined): AsyncGenerator<string, void> {
  if (only !== undefined) yield only
  else for await (const { id } of table.clients.all({}, { consistent: true })) if (from === undefined || id >= from) yield id
}

export interface SweepResult extends Swept {
  readonly items_looked_at: number
  /** Present where there is more to look at. */
  readonly cursor?: string
}

export const sweep = accountFlow({
  name: 'sweep',
  summary:
    'Tidies a client, or one after another: expired subscriptions say so, invitations nobody accepted end, what is past its end goes.',
  input: {
    client_id: uuid().optional(),
    invitation_days: number({ integer: true, min: 1 }).optional(),
    limit: number({ integer: true, min: 1, max: itemsMax }).optional(),
    cursor: text().optional(),
  },
  place: async (context, { client_id }): Promise<Where> => {
    if (typeof client_id === 'string') await clientPlace(context, client_id)
    return 'system'
  },
  run: async (context, { client_id: asked, invitation_days, limit, cursor }): Promise<SweepResult> => {
    const { runtime } = context.table
    const only = asked ?? undefined
    const binding = bindingOf(context, only)
    const invitedBefore = new Date(runtime.now().getTime() - (invitation_days ?? invitationDaysDefault) * day_ms).toISOString()
    // Only this flow seals these cursors.
    const from = typeof cursor === 'string' ? (openCursor(runtime, binding, cursor) as unknown as Position) : undefined
    let swept = nothingSwept
    let items_looked_at = 0
    for await (const client_id of clientsFrom(context, only, from?.client_id)) {
      const way = client_id === from?.client_id ? from.way : undefined
      for await (const walked of walkClient(runtime, client_id, way)) {
        swept = addSwept(swept, await sweepItem(context, walked, { client_id, invitedBefore }))
        items_looked_at++
        if (items_looked_at >= (limit ?? itemsDefault))
          return { ...swept, items_looked_at, cursor: sealCursor(runtime, binding, { client_id, way: walked.way }) }
      }
    }
    return { ...swept, items_looked_at }
  },
})
