import type { DesignModule } from '@freehold/frame'
import { instant, list, number, oneOf, text, ulid, verbatim } from '@freehold/table'
import { attributeSchema, type JsonSchema, objectSchema } from '@freehold/table/publish'
import { refuseIdempotencyKey } from '../http/idempotency-key.ts'
import { refuseIfNoneMatch } from '../http/if-match.ts'
import { readBody } from '../http/read-body.ts'
import type { Route } from '../http/route.ts'
import type { ApiKeys } from '../keys/api-keys.ts'
import { checkKeyDesigns } from '../keys/key-designs.ts'
import { type KeyLimits, purposes } from '../keys/purpose.ts'
import type { Components, Describe, Operation } from '../openapi/operation.ts'
import { listOf, object, saying, string } from '../openapi/schemas.ts'

const path = '/v1/api-keys'

const howToRepeat = 'After a lost answer, GET /v1/api-keys tells whether this was done'

/** A new key says what it is for, so that none is an operator's by mistake. */
const newKeyInput = {
  name: text({ max: 200 }).optional().describe('Its name, for people.'),
  purpose: oneOf(...purposes).describe('What it is for: which kinds of routes it may use.'),
  designs: list(text({ max: 100 }))
    .optional()
    .describe('The served designs that it is limited to; of the purposes `tenant` and `application` one design.'),
  tenant: verbatim({ max: 1024 })
    .optional()
    .describe('The tenant that it is limited to: of the purpose `tenant`, and perhaps of `application`.'),
  flows: list(text({ max: 100 }))
    .optional()
    .describe('The flows that an application may run as users: 1 to 100, by their exact names.'),
  expiresAt: instant().optional().describe('When it ends: an instant to come.'),
}
const rotateInput = {
  keyId: ulid().describe('The id of the key that is replaced.'),
  overlap_s: number({ integer: true, min: 0 }).describe('For how many seconds more it is accepted.'),
}

const time: JsonSchema = { type: 'string', format: 'date-time' }
const always = {
  keyId: saying(string, 'The id of the key.'),
  name: saying(string, 'Its name, for people.'),
  createdAt: saying(time, 'When it was made.'),
}
const sometimes = {
  createdBy: saying(string, 'The key or the program that made it.'),
  tenant: saying(string, 'The tenant that it is limited to.'),
  flows: saying(listOf(string), 'The flows that it may run.'),
  expiresAt: saying(time, 'When it ends.'),
  lastUsedAt: saying(time, 'When it was used last, to the day.'),
  replacedBy: saying(string, 'The id of the key that replaces it.'),
  purpose: saying({ type: 'string', enum: purposes }, 'What it is for: which kinds of routes it may use.'),
  designs: saying(listOf(string), 'The designs that it is limited to.'),
}
const entry = (components: Components) =>
  components.named('ApiKey', () => saying(object(always, sometimes), 'An API key, without its text.'))
const made = (components: Components) =>
  components.named('MadeApiKey', () =>
    saying(object({ ...always, text: saying(string, 'The key itself. It is told once.') }, sometimes), 'A new API key.'),
  )

type Told = Pick<Operation, 'answers' | 'errors'> & Partial<Operation>
const told = (id: string, summary: string, more: (components: Components) => Told): Describe => {
  return (components) => ({ id: `service.${id}`, tag: 'service', summary, ...more(components) })
}

const describeList = told('listApiKeys', 'The API keys, the oldest first, without their texts.', (components) => ({
  answers: [
    {
      status: 200,
      summary: 'The keys.',
      schema: components.named('ApiKeys', () => saying(object({ keys: saying(listOf(entry(components)), 'The keys.') }), 'The API keys.')),
    },
  ],
  errors: [],
}))
const describeMake = told('createApiKey', 'Makes an API key.', (components) => ({
  body: components.named('NewApiKey', () => saying(objectSchema(newKeyInput, { side: 'given', takesNull: true }), 'A new API key.')),
  answers: [{ status: 201, summary: 'The new key.', schema: made(components) }],
  errors: [],
}))
const describeRotate = told(
  'rotateApiKey',
  'Makes an API key with the limits of another, which is accepted for a while more.',
  (components) => ({
    body: components.named('ApiKeyRotation', () =>
      saying(objectSchema(rotateInput, { side: 'given' }), 'Which key is replaced, and when it ends.'),
    ),
    answers: [{ status: 201, summary: 'The new key.', schema: made(components) }],
    errors: ['NotFound', 'TransactionFailed'],
  }),
)
const describeRevoke = told('revokeApiKey', 'Revokes an API key.', () => ({
  query: { keyId: { schema: attributeSchema(rotateInput.keyId, { side: 'given' }), required: true, description: 'The id of the key.' } },
  answers: [{ status: 204, summary: 'It is refused from now on.' }],
  errors: ['InvalidKey', 'NotFound'],
}))

/**
 * The routes that manage API keys, for operators without limits. The key of an operator that expires makes no key that outlives it.
 * @param designs those that are served, by name
 */
export function apiKeyRoutes(keys: ApiKeys, designs: ReadonlyMap<string, DesignModule>): Route[] {
  const service = { path, kind: 'operation', query: [] } as const
  return [
    {
      ...{ ...service, method: 'GET', takesBody: false, describe: describeList },
      answer: async () => ({ status: 200, body: { keys: await keys.list() } }),
    },
    {
      ...{ ...service, method: 'POST', takesBody: true, describe: describeMake },
      answer: async (asked) => {
        refuseIdempotencyKey(asked, howToRepeat)
        // The attributes describe these types.
        const { name, ...limits } = readBody('The API key', newKeyInput, asked.body) as KeyLimits & { readonly name?: string }
        checkKeyDesigns(limits, designs)
        const { expiresAt: until } = asked.caller
        const key = await keys.newKey(name, { expiresAt: until, ...limits, until, createdBy: `key ${asked.origin.key}` })
        return { status: 201, body: key }
      },
    },
    {
      ...{ ...service, method: 'POST', path: `${path}/rotate`, takesBody: true, describe: describeRotate },
      answer: async (asked) => {
        refuseIdempotencyKey(asked, howToRepeat)
        const { keyId, overlap_s } = readBody('The API key', rotateInput, asked.body)
        const rotation = { overlap_ms: Number(overlap_s) * 1000, until: asked.caller.expiresAt, createdBy: `key ${asked.origin.key}` }
        return { status: 201, body: await keys.rotate(String(keyId), rotation) }
      },
    },
    {
      ...{ ...service, method: 'DELETE', query: ['keyId'], takesBody: false, describe: describeRevoke },
      answer: async (asked) => {
        refuseIfNoneMatch(asked.headers)
        refuseIdempotencyKey(asked, howToRepeat)
        await keys.revoke(asked.query.get('keyId') ?? '')
        return { status: 204 }
      },
    },
  ]
}
