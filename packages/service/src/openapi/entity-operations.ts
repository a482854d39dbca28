import type { Attribute, Entity } from '@freehold/table'
import { attributeSchema, attributeWords, type JsonSchema, keySchema, kindWords } from '@freehold/table/publish'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { ApiNames } from './api-names.ts'
import { type Components, type Describe, type Operation, type Parameter, type ToldAnswer, unchanged } from './operation.ts'
import { accepted, item, newItem } from './schemas.ts'

const changing = [
  ...(['InvalidInput', 'InvalidKey', 'TooLarge'] as const),
  ...(['NotFound', 'BeingDeleted', 'MissingEnd', 'AlreadyExists', 'VersionConflict', 'MalformedItem'] as const),
] as const

/** A value, or how it changes: a union would be a class of its own in most languages. */
const valueOrChange = (attribute: Attribute, words: string): JsonSchema =>
  attribute.takes === 'values' && attribute.presence !== 'optional'
    ? { ...attributeSchema(attribute, { side: 'given' }), description: words }
    : { description: `${words} In words: ${kindWords(attribute.kind).replaceAll('`', '')}.` }

/**
 * What may be changed of an item: a value, null for none, or an object such as `{"add":1}`, which changes the stored value.
 * @param moves attributes of the key change, too
 */
function changeSchema(entity: Entity, moves: boolean): JsonSchema {
  const { name, attributes, form } = entity
  const inKey = keyPlaceholders(entity)
  const told = Object.entries(attributes).filter(
    ([each, { presence, madeOnWrite, madeOnce }]) =>
      presence !== 'copied' && !madeOnWrite && !madeOnce && !form.fixed.includes(each) && (moves || !inKey.includes(each)),
  )
  return {
    type: 'object',
    description: `What to change of a ${name}. Null takes an optional attribute away, and an object such as {"add":1} changes the stored value.`,
    properties: Object.fromEntries(
      told.map(([each, attribute]) => [each, valueOrChange(attribute, attributeWords(each, attribute, form.references))]),
    ),
    additionalProperties: false,
  }
}

/** The operations of one entity's items, by what its routes do. @param all the entities of its design */
export function entityOperations(names: ApiNames, entity: Entity, all: readonly Entity[]) {
  const { name, attributes, form } = entity
  const derived = all.filter(({ form: { part } }) => 'owner' in part && part.owner === entity)
  const ids: Record<string, Parameter> = {}
  const templates = [form.key.partition, form.key.sort]
  for (const each of keyPlaceholders(entity)) {
    const attribute = attributes[each]
    if (attribute !== undefined)
      ids[each] = {
        schema: keySchema(attributeSchema(attribute, { side: 'given' }), attribute.kind, each, templates),
        required: attribute.presence !== 'optional',
        description: names.words(name, each, attributeWords(each, attribute, form.references)),
      }
  }
  const version: Parameter = {
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    description: 'The version that the item must have. Another one answers 409.',
  }
  const consistent: Parameter = { schema: { type: 'boolean' }, description: 'Sees every acknowledged write.' }
  const shown = (components: Components, status: number, headers: ToldAnswer['headers'] = []): ToldAnswer => ({
    ...{ status, summary: 'The item.', schema: item(components, names, entity), headers: ['ETag', 'Idempotency-Replayed', ...headers] },
  })
  const operation = (
    verb: string,
    summary: string,
    told: (components: Components) => Omit<Operation, 'id' | 'tag' | 'summary'>,
  ): Describe => {
    return (components) => ({ id: names.operation(verb, name), tag: names.tag('entities'), summary, ...told(components) })
  }
  const change = (components: Components, moves: boolean) =>
    ({
      query: { ...ids, version },
      body: names.schema(components, 'change', `${name}${moves ? 'Move' : 'Change'}`, () => changeSchema(entity, moves), name),
    }) as const
  const conflict = ['VersionConflict', 412] as const
  return {
    create: operation('create', `Creates a ${name}.`, (components) => ({
      headers: ['Idempotency-Key'],
      body: newItem(components, names, entity, derived),
      answers: [shown(components, 201, ['Location'])],
      errors: [...changing, 'KeyReused', 'InUse'],
    })),
    get: operation('get', `Gets a ${name} by its key.`, (components) => ({
      query: { ...ids, consistent },
      headers: ['If-None-Match'],
      answers: [shown(components, 200), unchanged],
      errors: ['InvalidInput', 'InvalidKey', 'NotFound', 'MalformedItem', conflict],
    })),
    update: operation('update', `Changes attributes of a ${name}, but none of its key.`, (components) => ({
      ...change(components, false),
      answers: [shown(components, 200)],
      errors: [...changing, 'Immutable', conflict],
    })),
    move: operation('move', `Changes attributes of a ${name}, also those of its key.`, (components) => ({
      ...change(components, true),
      answers: [shown(components, 200, ['Location'])],
      errors: [...changing, 'Immutable', conflict],
    })),
    remove: operation('remove', `Removes a ${name}, with its dependants.`, (components) => ({
      query: { ...ids, version },
      answers: [
        { status: 204, summary: 'Done.', headers: ['Idempotency-Replayed'] },
        { status: 202, summary: 'Begun: durable jobs finish it.', schema: accepted(components), headers: ['Idempotency-Replayed'] },
      ],
      errors: [...changing, 'InUse', conflict],
    })),
  } satisfies Record<string, Describe>
}
