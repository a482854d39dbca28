import type { Returns } from '@freehold/designs'
import type { Entity } from '@freehold/table'
import { itemSchema, type JsonSchema, newItemSchema, objectSchema } from '@freehold/table/publish'
import { errorCodes } from '@freehold/table/runtime'
import type { Components } from './operation.ts'

/** An object of these properties, of which the last may be left out. */
export function object(required: Readonly<Record<string, JsonSchema>>, optional: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const names = Object.keys(required)
  return {
    type: 'object',
    properties: { ...required, ...optional },
    ...(names.length === 0 ? {} : { required: names }),
    additionalProperties: false,
  }
}

export const string: JsonSchema = { type: 'string' }
export const flag: JsonSchema = { type: 'boolean' }
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
export const anyOf = (...schemas: readonly JsonSchema[]): JsonSchema => ({ anyOf: schemas })

/** The same object with further properties that may be left out. */
export function withOptional(schema: JsonSchema, more: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { properties } = schema
  return { ...schema, properties: { ...(typeof properties === 'object' ? properties : {}), ...more } }
}

export const reason = (components: Components): JsonSchema =>
  components.named('Reason', () =>
    object({
      kind: {
        type: 'string',
        enum: ['policy', 'unknown', 'fault'],
        description: 'Denied by policy; by a name that stands for nothing; or by a fault.',
      },
      code: { ...string, description: 'A stable name, such as NoGrant or UnknownUser.' },
      message: string,
    }),
  )

const code: JsonSchema = { type: 'string', enum: Object.keys(errorCodes) }

/** The durable jobs that a write has left. */
export const pending = (components: Components): JsonSchema =>
  components.named('Pending', () => ({
    description: 'The durable jobs that finish what this has begun.',
    ...listOf(object({ job: string, kind: string, entity: string }, { reason: object({ code, message: string }) })),
  }))

export const issues = (components: Components): JsonSchema =>
  components.named('Issues', () => listOf(object({ path: listOf({ type: ['string', 'number'] }), message: string })))

const malformed = (components: Components): JsonSchema =>
  components.named('Malformed', () => ({
    description: 'Items that do not fit their entity. They are left out of the list.',
    ...listOf(object({ key: object({ PK: string, SK: string }), reason: string })),
  }))

/** The members of every problem. */
export const problem = (components: Components): JsonSchema =>
  components.named('Problem', () => ({
    description: 'Problem details (RFC 9457).',
    type: 'object',
    properties: {
      type: { ...string, pattern: '^urn:freehold:error:' },
      title: string,
      status: { type: 'integer' },
      detail: { ...string, description: 'A sentence about this problem, with advice.' },
      code,
      instance: { ...string, description: 'The id of the request.' },
      issues: issues(components),
      entity: string,
      attribute: string,
      guard: string,
      uncertain: { ...flag, description: 'The write may have been applied all the same: read before you try again.' },
      pending: pending(components),
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'instance'],
  }))

/** An item of an entity. A write may also tell the jobs that it has left. */
export const item = (components: Components, design: string, entity: Entity): JsonSchema =>
  components.named(`${design}.${entity.name}`, () => withOptional(itemSchema(entity), { pending: pending(components) }))

export const newItem = (components: Components, design: string, entity: Entity): JsonSchema =>
  components.named(`${design}.New${entity.name}`, () => newItemSchema(entity))

/** A page of a list. */
export const pageOf = (components: Components, items: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema =>
  object({ items: listOf(items) }, { cursor: string, malformed: malformed(components), ...more })

/** A result as it is declared. Undefined for none. */
export function resultSchema(components: Components, design: string, returns: Returns): JsonSchema | undefined {
  if (returns.kind === 'nothing') return undefined
  if (returns.kind === 'item') return item(components, design, returns.entity)
  const values = 'values' in returns ? objectSchema(returns.values, { side: 'stored' }) : undefined
  const isOpen = 'hasOthers' in returns
  const each =
    'entity' in returns ? item(components, design, returns.entity) : { ...values, ...(isOpen ? { additionalProperties: {} } : {}) }
  if (returns.kind !== 'page') return each
  const beside = 'beside' in returns && returns.beside !== undefined ? objectSchema(returns.beside, { side: 'stored' }) : {}
  return pageOf(components, each, { ...Object(beside.properties) })
}

/** The answer to a repeat whose first answer is not kept. */
export const repeat = (components: Components): JsonSchema =>
  components.named('Repeat', () =>
    object(
      {},
      {
        made: { description: 'The items that the first request made or changed.', ...listOf({ type: 'object' }) },
        told_once: { description: 'The secrets of the first answer, which are not kept.', ...listOf(string) },
        pending: pending(components),
      },
    ),
  )
