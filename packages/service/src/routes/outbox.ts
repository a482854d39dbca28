import { FreeholdError } from '@freehold/table'
import type { Route } from '../http/route.ts'
import { valueOfText } from '../http/text-value.ts'
import type { Outbox } from '../mail/outbox.ts'

/** The mails of an answer, by default and at most. */
const limitUnlessGiven = 20
const limitMax = 100

function limitOf(text: string | undefined): number {
  if (text === undefined) return limitUnlessGiven
  const limit = valueOfText(text, 'number')
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= limitMax) return limit
  const message = `is a whole number from 1 to ${limitMax}`
  throw new FreeholdError('InvalidInput', `The limit ${message}.`, { issues: [{ path: ['limit'], message }] })
}

/** `GET /v1/outbox`: the mails of a trial, the newest first. */
export function outboxRoute(outbox: Pick<Outbox, 'list'>): Route {
  return {
    method: 'GET',
    path: '/v1/outbox',
    query: ['limit'],
    takesBody: false,
    answer: async ({ query }) => ({ status: 200, body: { items: await outbox.list({ limit: limitOf(query.get('limit')) }) } }),
  }
}
