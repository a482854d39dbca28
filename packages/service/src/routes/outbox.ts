import { FreeholdError } from '@freehold/table'
import type { Route } from '../http/route.ts'
import { valueOfText } from '../http/text-value.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Describe } from '../openapi/operation.ts'
import { listOf, object, saying, string } from '../openapi/schemas.ts'

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

const mail = {
  id: string,
  from: string,
  // An address, or several.
  to: {},
  subject: string,
  text: saying(string, 'The text of the mail.'),
  html: saying(string, 'The same as HTML.'),
  sentAt: { ...string, format: 'date-time' },
  messageId: string,
}

const describe: Describe = (components) => ({
  id: 'service.outbox',
  tag: 'service',
  summary: 'The mails of a trial, the newest first.',
  query: {
    limit: { schema: { type: 'integer', minimum: 1, maximum: limitMax }, description: `How many; ${limitUnlessGiven} unless given.` },
  },
  answers: [
    {
      status: 200,
      summary: 'The mails.',
      schema: components.named('Outbox', () =>
        saying(
          object({
            items: saying(
              listOf({ type: 'object', required: ['to', 'subject', 'text'], properties: mail, additionalProperties: true }),
              'The mails.',
            ),
          }),
          'The mails of a trial.',
        ),
      ),
    },
  ],
  errors: [],
})

/** `GET /v1/outbox`: the mails of a trial, the newest first. */
export function outboxRoute(outbox: Pick<Outbox, 'list'>): Route {
  return {
    method: 'GET',
    path: '/v1/outbox',
    kind: 'operation',
    query: ['limit'],
    takesBody: false,
    describe,
    answer: async ({ query }) => ({ status: 200, body: { items: await outbox.list({ limit: limitOf(query.get('limit')) }) } }),
  }
}
