import { type Returns, shownIn } from '@freehold/frame/flow'
import type { Attributes, Entity } from '@freehold/table'
import { itemSchema, type JsonSchema, newItemSchema, objectSchema } from '@freehold/table/publish'
import { errorCodes } from '@freehold/table/runtime'
import type { ApiNames } from './api-names.ts'
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
/** An object of any members. */
export const anyObject: JsonSchema = { type: 'object', additionalProperties: true }
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
export const anyOf = (...schemas: readonly JsonSchema[]): JsonSchema => ({ anyOf: schemas })
export const saying = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description })

/** The same object with further properties that may be left out. */
export function withOptional(schema: JsonSchema, more: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { properties } = schema
  return { ...schema, properties: { ...(typeof properties === 'object' ? properties : {}), ...more } }
}

export const reason = (components: Components): JsonSchema =>
  components.named('Reason', () =>
    saying(
      object({
        kind: saying(
          { type: 'string', enum: ['policy', 'unknown', 'fault'] },
          'Denied by policy; by a name that stands for nothing; or by a fault.',
        ),
        code: saying(string, 'A stable name, such as NoGrant or UnknownUser.'),
        message: saying(string, 'A sentence for a person.'),
      }),
      'Why the answer is no, or the list is empty.',
    ),
  )

/** An item that a decision rests on, or one that was looked for. */
const evidence = (components: Components): JsonSchema =>
  components.named('Evidence', () =>
    saying(
      object(
        {
          step: saying(string, 'The subject of the step: user, membership, group, role, permission and the like.'),
          entity: saying(string, 'The name of the entity.'),
          id: saying({ type: 'object', additionalProperties: string }, 'The attributes of its key.'),
          state: saying(
            { type: 'string', enum: ['found', 'missing', 'deleting', 'denies', 'malformed', 'expired', 'inactive'] },
            'Whether the item was found; else what is wrong with it.',
          ),
          message: saying(string, 'A sentence for a person.'),
        },
        { as: saying(anyObject, 'The version of the item, or those of its attributes that the answer rests on, as they were read.') },
      ),
      'An item that the answer rests on, or one that was looked for and is missing.',
    ),
  )

const code: JsonSchema = { type: 'string', enum: Object.keys(errorCodes), description: 'The code, which is stable.' }

/** The durable jobs that a write has left. */
export const pending = (components: Components): JsonSchema =>
  components.named('PendingJobs', () =>
    saying(
      listOf(
        components.named('PendingJob', () =>
          saying(
            object(
              {
                job: saying(string, 'The id of the job.'),
                kind: saying(string, 'What it does.'),
                entity: saying(string, 'The entity that it is about.'),
              },
              {
                reason: saying(
                  object({ code, message: saying(string, 'A sentence for a person.') }),
                  'Why it has not gone on, if something failed.',
                ),
              },
            ),
            'A durable job that finishes what a write has begun.',
          ),
        ),
      ),
      'The durable jobs that finish what this has begun. Absent if all is done.',
    ),
  )

/** The answer to a write that durable jobs finish. */
export const accepted = (components: Components): JsonSchema =>
  components.named('Accepted', () =>
    saying(object({ pending: pending(components) }), 'A write that has begun, and that durable jobs finish.'),
  )

const malformed = (components: Components): JsonSchema =>
  components.named('MalformedItems', () =>
    saying(
      listOf(
        components.named('MalformedItem', () =>
          saying(
            object({
              key: saying(
                object({ PK: saying(string, 'Its partition key.'), SK: saying(string, 'Its sort key.') }),
                'The key of the item in the table.',
              ),
              reason: saying(string, 'What does not fit.'),
            }),
            'An item that does not fit its entity.',
          ),
        ),
      ),
      'Items that do not fit their entity. They are left out of the list.',
    ),
  )

const issue = (components: Components): JsonSchema =>
  components.named('Issue', () =>
    saying(
      object({
        // A name or an index: a union would be a class of its own in most languages.
        path: saying(listOf({}), 'The names and the indexes that lead to the value.'),
        message: saying(string, 'What is wrong with it.'),
      }),
      'A wrong value of the request.',
    ),
  )

/** The body of every problem. */
export const problem = (components: Components): JsonSchema =>
  components.named('Problem', () => ({
    description: 'Problem details (RFC 9457).',
    type: 'object',
    properties: {
      type: saying({ ...string, pattern: '^urn:freehold:error:' }, '`urn:freehold:error:` and the code.'),
      title: saying(string, 'The same for every problem of a code.'),
      status: saying({ type: 'integer', format: 'int32' }, 'The status of the answer.'),
      detail: saying(string, 'A sentence about this problem, with advice.'),
      code,
      instance: saying(string, 'The id of the request.'),
      issues: saying(listOf(issue(components)), 'Each wrong value of the request.'),
      entity: saying(string, 'The entity that it is about.'),
      attribute: saying(string, 'The attribute that it is about.'),
      guard: saying(string, 'The uniqueness guard or lookup item that it is about.'),
      uncertain: saying(flag, 'The write may have been applied all the same: read before you try again.'),
      pending: pending(components),
      allowed: saying(flag, 'False in the 503 of a question: without a decision nothing is allowed.'),
      reason: reason(components),
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'instance'],
    // The 503 of a question has the members of its answer, too.
    additionalProperties: true,
  }))

/** What the runtime writes into each item. */
const ofEveryItem = (components: Components) => ({
  version: components.named('ItemVersion', () =>
    saying({ type: 'integer', minimum: 0 }, 'The number of writes, which `If-Match` names; 0 for an item of another program.'),
  ),
  deleting: components.named('Deleting', () => saying(string, 'Present while the item is being removed: the job that does that.')),
})

/** An item of an entity. A write may also tell the jobs that it has left. */
export const item = (components: Components, names: ApiNames, entity: Entity): JsonSchema =>
  names.schema(
    components,
    'item',
    entity.name,
    () => withOptional(itemSchema(entity), { ...ofEveryItem(components), pending: pending(components) }),
    entity.name,
  )

export const newItem = (components: Components, names: ApiNames, entity: Entity, derived: readonly Entity[]): JsonSchema =>
  names.schema(
    components,
    'new item',
    `New${entity.name}`,
    () => saying(newItemSchema(entity, derived), `The attributes of a new ${entity.name}.`),
    entity.name,
  )

const cursor = (components: Components): JsonSchema =>
  components.named('NextCursor', () => saying(string, 'Leads to the next page. The last page has none.'))

/** A page of a list. */
const page = (components: Components, items: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema =>
  object({ items: saying(listOf(items), 'The items.') }, { cursor: cursor(components), malformed: malformed(components), ...more })

/** A page of items of one entity. */
export const pageOfItems = (components: Components, names: ApiNames, entity: Entity): JsonSchema =>
  names.schema(components, 'page of items', `${entity.name}Page`, () => page(components, item(components, names, entity)))

/** A page of what `name` lists. @param each the schema of one, told as a component of its own */
export const pageOf = (
  components: Components,
  names: ApiNames,
  [name, listed]: readonly [name: string, listed: string],
  each: () => JsonSchema,
  more: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema =>
  names.schema(components, `page of ${listed}`, name, () =>
    page(components, names.schema(components, `listed by ${name}`, listed, each), more),
  )

/** The members of the answer to a repeat whose first answer is not kept. */
const repeated = {
  made: saying(listOf(anyObject), 'In the answer to a repeat: the items that the first request made or changed.'),
  told_once: saying(listOf(string), 'In the answer to a repeat: the secrets of the first answer, which are not kept.'),
}

/**
 * The values that a write gives, or that a repeat of it gives in their place. It is one object, in which nothing is required: a union would be a class of its
 * own in most languages, and only who sends a key of idempotency twice gets a repeat.
 */
const orRepeat = (components: Components, { required: _, ...values }: JsonSchema): JsonSchema =>
  withOptional(values, { ...repeated, pending: pending(components) })

/** The members of values that are items, or lists of items. */
function itemsWithin(components: Components, names: ApiNames, values: Attributes): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, attribute]) => {
      const entity = shownIn(attribute)
      if (entity === undefined) return []
      const told = item(components, names, entity)
      return [[name, attribute.kind.stored === 'list' ? listOf(told) : told]]
    }),
  )
}

/** A result as it is declared. Undefined for none. @param name what gives it, in the document's names */
export function resultSchema(
  components: Components,
  names: ApiNames,
  name: string,
  { returns, isWrite = false, more = {} }: { returns: Returns; isWrite?: boolean; more?: Readonly<Record<string, JsonSchema>> },
): JsonSchema | undefined {
  if (returns.kind === 'nothing') return undefined
  if (returns.kind === 'item') return item(components, names, returns.entity)
  if (returns.kind === 'values') {
    const values = withOptional(objectSchema(returns.values, { side: 'stored' }), {
      ...itemsWithin(components, names, returns.values),
      ...more,
    })
    return names.schema(components, 'result', name, () => saying(isWrite ? orRepeat(components, values) : values, 'The result.'))
  }
  if ('entity' in returns && Object.keys(more).length === 0) return pageOfItems(components, names, returns.entity)
  const each = () => {
    if ('entity' in returns) return item(components, names, returns.entity)
    const values = objectSchema(returns.values, { side: 'stored' })
    return saying('hasOthers' in returns ? { ...values, additionalProperties: true } : values, 'One of the list.')
  }
  const beside = 'beside' in returns && returns.beside !== undefined ? objectSchema(returns.beside, { side: 'stored' }) : {}
  return pageOf(components, names, [name, `${name}Item`], each, { ...Object(beside.properties), ...more })
}

/** An answer, with what its design declares beside the members that all designs have. */
function withDeclared(answer: JsonSchema, declared: Returns | undefined): JsonSchema {
  if (declared?.kind !== 'values') return answer
  const known = Object(answer.properties)
  const all = Object.entries<JsonSchema>(Object(objectSchema(declared.values, { side: 'stored' }).properties))
  return withOptional(answer, Object.fromEntries(all.filter(([name]) => !Object.hasOwn(known, name))))
}

/** The answer of `can`. */
export const decision = (components: Components, names: ApiNames, declared?: Returns): JsonSchema =>
  names.schema(components, 'answer', 'can', () =>
    saying(
      withDeclared(object({ allowed: saying(flag, 'Whether the user may.') }, { reason: reason(components) }), declared),
      'A decision. If it is no, the reason says why.',
    ),
  )

/** The answer of `why`. */
export const explanation = (components: Components, names: ApiNames, declared?: Returns): JsonSchema =>
  names.schema(components, 'answer', 'why', () => {
    const answer = object(
      {
        allowed: saying(flag, 'Whether the user may.'),
        chains: saying(listOf(listOf(evidence(components))), 'If allowed: each chain of items that allows it, up to a hundred.'),
        missing: saying(listOf(evidence(components)), 'If not allowed: what is missing at each step, up to a hundred.'),
      },
      { reason: reason(components) },
    )
    return saying(withDeclared(answer, declared), 'A decision with the items that it rests on.')
  })
