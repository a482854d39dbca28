import type { Entity } from '@freehold/table'
import { attributeSchema } from '@freehold/table/publish'
import { keyPlaceholders } from '@freehold/table/runtime'
import { type Components, type Describe, type Operation, type Parameter, type ToldAnswer, unchanged } from './operation.ts'
import { item, newItem, object, pending } from './schemas.ts'

const invalid = ['InvalidInput', 'InvalidKey', 'TooLarge'] as const
const changing = [...invalid, 'NotFound', 'BeingDeleted', 'MissingEnd', 'AlreadyExists', 'VersionConflict', 'MalformedItem'] as const

/** The operations of one entity's items, by what its routes do. */
export function entityOperations(design: string, entity: Entity) {
  const { name, attributes } = entity
  const ids: Record<string, Parameter> = {}
  for (const each of keyPlaceholders(entity)) {
    const attribute = attributes[each]
    if (attribute !== undefined)
      ids[each] = { schema: attributeSchema(attribute, { side: 'given' }), required: attribute.presence !== 'optional' }
  }
  const version: Parameter = { schema: { type: 'integer', minimum: 0 }, description: 'The version that the item must have.' }
  const shown = (components: Components, status: number, headers: ToldAnswer['headers'] = []): ToldAnswer => ({
    ...{ status, summary: 'The item.', schema: item(components, design, entity), headers: ['ETag', ...headers] },
  })
  const operation = (
    verb: string,
    summary: string,
    told: (components: Components) => Omit<Operation, 'id' | 'tag' | 'summary'>,
  ): Describe => {
    return (components) => ({ id: `${design}.${verb}.${name}`, tag: `${design}: entities`, summary, ...told(components) })
  }
  const change = {
    query: { ...ids, version },
    headers: ['If-Match'],
    body: {
      type: 'object',
      description: 'The attributes to change. Null takes an optional one away, and an object such as {"add":1} changes the stored value.',
      properties: Object.fromEntries(Object.keys(attributes).map((each) => [each, {}])),
      additionalProperties: false,
    },
  } as const
  const conflict = ['VersionConflict', 412] as const
  return {
    create: operation('create', `Create a ${name}.`, (components) => ({
      headers: ['Idempotency-Key'],
      body: newItem(components, design, entity),
      answers: [shown(components, 201, ['Location', 'Idempotency-Replayed'])],
      errors: [...changing, 'KeyReused', 'InUse'],
    })),
    get: operation('get', `Get a ${name}.`, (components) => ({
      query: { ...ids, consistent: { schema: { type: 'boolean' }, description: 'Sees every acknowledged write.' } },
      headers: ['If-Match', 'If-None-Match'],
      answers: [shown(components, 200), unchanged],
      errors: ['InvalidInput', 'InvalidKey', 'NotFound', 'MalformedItem', conflict],
    })),
    update: operation('update', `Update a ${name}.`, (components) => ({
      ...change,
      answers: [shown(components, 200)],
      errors: [...changing, 'Immutable', conflict],
    })),
    move: operation('move', `Move a ${name}: an update that may change its key.`, (components) => ({
      ...change,
      answers: [shown(components, 200, ['Location'])],
      errors: [...changing, 'Immutable', conflict],
    })),
    remove: operation('remove', `Remove a ${name}, with its dependants.`, (components) => ({
      query: { ...ids, version },
      headers: ['If-Match'],
      answers: [
        { status: 204, summary: 'Removed.' },
        { status: 202, summary: 'Begun: durable jobs finish it.', schema: object({ pending: pending(components) }) },
      ],
      errors: [...changing, 'InUse', conflict],
    })),
  } satisfies Record<string, Describe>
}
