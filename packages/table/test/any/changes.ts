import { numberSet, textSet } from '../../src/atomic.ts'
import type { Effect } from '../../src/evolve/difference.ts'
import {
  type Attribute,
  code,
  count,
  type Entity,
  email,
  flag,
  instant,
  list,
  map,
  mirror,
  number,
  oneOf,
  opaqueId,
  query,
  record,
  stamp,
  text,
  unique,
  uuid,
  verbatim,
} from '../../src/index.ts'
import { anyDerived, anyEntity, type Twist } from './design.ts'

// Changes of one thing in a random design, for what is said of two versions, and for programs of both that run at once.

type Shape = Record<string, unknown>

/** A change of one thing, made to any of the three entities of a random design. */
export interface Change {
  readonly effect: Effect
  /** The part of which the difference is told. */
  readonly at: string
  readonly before: Twist
  readonly after: Twist
  /** What holds for each item that has both attributes, as the second version sees it. */
  readonly holds?: (item: Shape) => boolean
}

const shapeOf = (name: string, twist: (shape: Shape) => Shape): Twist => ({
  entity: (each, shape) => (each === name ? twist(shape) : shape),
})
export const withAttributes = (name: string, more: Readonly<Record<string, Attribute>>): Twist =>
  shapeOf(name, (shape) => ({ ...shape, attributes: { ...Object(shape.attributes), ...more } }))

/** An attribute that is another one, or none, in the second version. */
const attributeChanges: readonly (readonly [what: string, before: Attribute | undefined, after: Attribute | undefined, Effect])[] = [
  ['a new optional one', undefined, text().optional(), 'compatible'],
  ['a new set', undefined, textSet(), 'compatible'],
  ['a new one that callers give', undefined, text(), 'breaking'],
  ['a new one that is made', undefined, uuid().made(), 'breaking'],
  ['a new stamp', undefined, stamp.onWrite(), 'breaking'],
  ['a new one with a default', undefined, text().default('none'), 'compatible'],
  ['a new one whose default is made of the item', undefined, text().default(() => 'none'), 'compatible'],
  ['a new addition that items may lack', undefined, text().addition('for the test', 'it is not known'), 'compatible'],
  ['one with a default that is gone', text().default('none'), undefined, 'compatible'],
  ['another default', text().default('none'), text().default('some'), 'backfill'],
  ['no default any more', text().default('none'), text(), 'backfill'],
  ['a default in place of absence', text().optional(), text().default('none'), 'compatible'],
  ['a default of one that callers gave', text(), text().default('none'), 'compatible'],
  ['one that items may lack no more', text().addition('for the test', 'it is not known'), text().addition('for the test'), 'breaking'],
  ['another former name', text(), text().was('z'), 'breaking'],
  ['a former name that is no longer read', text().was('z'), text(), 'breaking'],
  ['an optional one that is gone', text().optional(), undefined, 'compatible'],
  ['one that is gone', text(), undefined, 'breaking'],
  ['one that may be absent', text(), text().optional(), 'compatible'],
  ['one that may be absent no more', text().optional(), text(), 'breaking'],
  ['one that is made now', uuid(), uuid().made(), 'compatible'],
  ['one that was optional and is made', uuid().optional(), uuid().made(), 'breaking'],
  ['one that is made otherwise', uuid().made(), uuid().made(() => '00000000-0000-4000-8000-000000000000'), 'compatible'],
  ['a secret', text(), text().secret(), 'compatible'],
  ['no secret', text().secret(), text(), 'compatible'],
  ['another stamp', stamp.onCreate(), stamp.onWrite(), 'compatible'],
  ['another value of an enumeration', oneOf('a', 'b'), oneOf('a', 'b', 'c'), 'compatible'],
  ['one value fewer', oneOf('a', 'b', 'c'), oneOf('a', 'b'), 'breaking'],
  ['a longer text', text({ max: 5 }), text({ max: 9 }), 'compatible'],
  ['a shorter text', text({ max: 9 }), text({ max: 5 }), 'backfill'],
  ['a text with a bound', text(), text({ max: 5 }), 'backfill'],
  ['a text with a pattern', text(), text({ pattern: /a/ }), 'breaking'],
  ['a text with another pattern', text({ pattern: /a/ }), text({ pattern: /b/ }), 'breaking'],
  ['a text without its pattern', text({ pattern: /a/ }), text(), 'compatible'],
  ['a text that refuses look-alikes', text(), text({ lookAlikes: 'refused' }), 'backfill'],
  ['a text that is kept as it is', text(), verbatim(), 'compatible'],
  ['a verbatim text with a pattern', verbatim(), verbatim({ pattern: /a/ }), 'backfill'],
  ['an address that is any text', email(), text(), 'compatible'],
  ['a text that is an address', text(), email(), 'breaking'],
  ['a text that is a number', text(), number(), 'breaking'],
  ['a higher least number', number({ min: 1 }), number({ min: 2 }), 'backfill'],
  ['a lower least number', number({ min: 2 }), number({ min: 1 }), 'compatible'],
  ['a higher greatest number', number({ max: 1 }), number({ max: 2 }), 'compatible'],
  ['a number that is whole', number(), number({ integer: true }), 'backfill'],
  ['a count that is a number', count(), number(), 'compatible'],
  ['a word that stands for an id', uuid(), uuid({ or: 'operator' }), 'compatible'],
  ['another word', uuid({ or: 'operator' }), uuid({ or: 'system' }), 'breaking'],
  ['a longer list', list(text(), { max: 2 }), list(text(), { max: 3 }), 'compatible'],
  ['a list of others', list(text()), list(number()), 'breaking'],
  ['a list of longer texts', list(text({ max: 3 })), list(text({ max: 4 })), 'compatible'],
  ['a set of others', textSet(email()), textSet(code()), 'breaking'],
  ['a set of smaller numbers', numberSet({ max: 9 }), numberSet({ max: 3 }), 'backfill'],
  ['a record with an optional part', record({ a: text() }), record({ a: text(), b: text().optional() }), 'compatible'],
  ['a record with another part', record({ a: text() }), record({ a: text(), b: text() }), 'breaking'],
  ['a record with a part fewer', record({ a: text(), b: flag() }), record({ a: text() }), 'backfill'],
  ['a record of other parts', record({ a: text() }), record({ a: number() }), 'breaking'],
  ['a part that may be absent', record({ a: text() }), record({ a: text().optional() }), 'compatible'],
  ['a record that is any map', record({ a: text() }), map(), 'compatible'],
  ['a map that is a record', map(), record({ a: text() }), 'breaking'],
]

const ofAttribute = (name: string, before: Attribute | undefined, after: Attribute | undefined, effect: Effect): Change => ({
  effect,
  at: `entities.${name}.attributes.x`,
  before: before === undefined ? {} : withAttributes(name, { x: before }),
  after: after === undefined ? {} : withAttributes(name, { x: after }),
})

const derived = (of: typeof unique | typeof mirror, name: string, carries: readonly string[] = []): Twist => ({
  more: (entities) => {
    const owner = entities[name]
    return owner === undefined ? {} : { [`${name}More`]: anyDerived(of)(`${name}More`, owner, [`MORE#{slug}#{w}`, 'META'], carries) }
  },
})
const another: Twist = {
  more: (entities) => ({
    Another: anyEntity('Another', { attributes: { id: opaqueId(), ...owned(entities) }, key: ['ANOTHER#{id}', 'META'] }),
  }),
}
/** In a design with tenants each entity names its own. */
const owned = (entities: Readonly<Record<string, Entity>>) =>
  Object.values(entities).some(({ attributes }) => attributes.t !== undefined) ? { t: code() } : {}
export const ofDesign = (twist: (shape: Shape) => Shape): Twist => ({ design: twist })
export const both = (...twists: readonly Twist[]): Twist => ({
  entity: (name, shape) => twists.reduce((made, { entity }) => entity?.(name, made) ?? made, shape),
  more: (entities) => Object.assign({}, ...twists.map(({ more }) => more?.(entities))),
  design: (shape) => twists.reduce((made, { design }) => design?.(made) ?? made, shape),
})
/** No access pattern reads it: one that is gone breaks who calls it. */
const unread = ofDesign((shape) => ({
  ...shape,
  patterns: Object.fromEntries(Object.entries(Object(shape.patterns)).filter(([name]) => name !== 'getAnother')),
}))
const more = (name: string, shape: Shape) => shapeOf(name, (own) => ({ ...own, ...shape }))
const indexed = (name: string, literal: string) =>
  shapeOf(name, (shape) => ({ ...shape, indexes: { ...Object(shape.indexes), GSI9: [`${literal}#{w}`, `${name}#{id}`] } }))
export const listing = (descending: boolean): Twist => ({
  design: (shape) => {
    const entities: Readonly<Record<string, Entity>> = Object(shape.entities)
    const of: unknown = query('N0#{id}').returns(entities.N0 as never)
    return {
      ...shape,
      patterns: {
        ...Object(shape.patterns),
        list: descending
          ? query('N0#{id}')
              .descending()
              .returns(entities.N0 as never)
          : of,
      },
    }
  },
})
const x = (name: string) => withAttributes(name, { x: opaqueId().optional() })
const e = (name: string) => withAttributes(name, { e: instant().optional() })

/** The form of number 1, which an upcast makes of the former one. */
const upcast = (name: string, more: Readonly<Record<string, Attribute>>, make: (item: Shape) => Shape): Twist =>
  both(
    withAttributes(name, more),
    shapeOf(name, (shape) => ({ ...shape, schema: 1, upcast: { 0: make } })),
  )

const called = (before: Shape, after: Shape) => ({
  before: ofDesign((shape) => ({ ...shape, names: before })),
  after: ofDesign((shape) => ({ ...shape, names: after })),
})

const others: readonly (readonly [what: string, make: (name: string) => Change])[] = [
  [
    'a new name of an attribute',
    (name) => ({
      effect: 'breaking',
      at: `entities.${name}.attributes.x`,
      before: x(name),
      after: withAttributes(name, { y: opaqueId().optional() }),
    }),
  ],
  [
    'a new one that an upcast makes of another',
    (name) => ({
      effect: 'backfill',
      at: `entities.${name}.attributes.y`,
      before: withAttributes(name, { x: text() }),
      after: upcast(name, { x: text(), y: text() }, (item) => ({ ...item, y: item.x })),
      holds: ({ x, y }) => x === y,
    }),
  ],
  [
    'another kind that an upcast makes',
    (name) => ({
      effect: 'breaking',
      at: `entities.${name}.attributes.x`,
      before: withAttributes(name, { x: text() }),
      after: upcast(name, { x: number() }, (item) => ({ ...item, x: Number(item.x) })),
    }),
  ],
  [
    'one of which an upcast makes another',
    (name) => ({
      effect: 'breaking',
      at: `entities.${name}.attributes.x`,
      before: withAttributes(name, { x: text().optional() }),
      after: upcast(name, { y: number().optional() }, ({ x, ...rest }) => ({ ...rest, y: Number(x) })),
    }),
  ],
  [
    'another literal in a key',
    (name) => ({
      effect: 'breaking',
      at: `entities.${name}.key`,
      before: {},
      after: shapeOf(name, (shape) => ({ ...shape, key: [`OTHER${name}#{id}`, Object(shape.key)[1]] })),
    }),
  ],
  [
    'a new name that says so',
    (name) => ({
      effect: 'backfill',
      at: `entities.${name}.attributes.y`,
      before: x(name),
      after: withAttributes(name, { y: opaqueId().optional().was('x') }),
    }),
  ],
  [
    'an entity that is dropped',
    () => ({
      effect: 'backfill',
      at: 'entities.Another',
      before: both(another, unread),
      after: ofDesign((shape) => ({ ...shape, dropped: { Another: ['ANOTHER#{id}', 'META'] } })),
    }),
  ],
  ['a new entity', () => ({ effect: 'compatible', at: 'entities.Another', before: {}, after: another })],
  ['an entity that is gone', () => ({ effect: 'breaking', at: 'entities.Another', before: another, after: {} })],
  ['a new uniqueness guard', (name) => ({ effect: 'backfill', at: `entities.${name}More`, before: {}, after: derived(unique, name) })],
  ['a new lookup item', (name) => ({ effect: 'backfill', at: `entities.${name}More`, before: {}, after: derived(mirror, name) })],
  ['a guard that is gone', (name) => ({ effect: 'breaking', at: `entities.${name}More`, before: derived(unique, name), after: {} })],
  [
    'a guard that is a lookup item',
    (name) => ({ effect: 'breaking', at: `entities.${name}More`, before: derived(unique, name), after: derived(mirror, name) }),
  ],
  [
    'a lookup item that carries more',
    (name) => ({
      effect: 'backfill',
      at: `entities.${name}More.carries.v`,
      before: derived(mirror, name),
      after: derived(mirror, name, ['v']),
    }),
  ],
  [
    'a lookup item that carries less',
    (name) => ({
      effect: 'compatible',
      at: `entities.${name}More.carries.v`,
      before: derived(mirror, name, ['v']),
      after: derived(mirror, name),
    }),
  ],
  ['a new index', (name) => ({ effect: 'backfill', at: `entities.${name}.indexes.GSI9`, before: {}, after: indexed(name, 'A') })],
  ['an index that is gone', (name) => ({ effect: 'backfill', at: `entities.${name}.indexes.GSI9`, before: indexed(name, 'A'), after: {} })],
  [
    'another key of an index',
    (name) => ({ effect: 'breaking', at: `entities.${name}.indexes.GSI9`, before: indexed(name, 'A'), after: indexed(name, 'B') }),
  ],
  [
    'another fixed attribute',
    (name) => ({
      effect: 'compatible',
      at: `entities.${name}.fixed`,
      before: x(name),
      after: both(
        x(name),
        shapeOf(name, (shape) => ({ ...shape, fixed: [...Object(shape.fixed), 'x'] })),
      ),
    }),
  ],
  [
    'items that expire',
    (name) => ({ effect: 'backfill', at: `entities.${name}.expires`, before: e(name), after: both(e(name), more(name, { expires: 'e' })) }),
  ],
  ['another table', () => ({ effect: 'breaking', at: 'table', before: {}, after: ofDesign((shape) => ({ ...shape, table: 'other' })) })],
  ['another name', () => ({ effect: 'breaking', at: 'design', before: {}, after: ofDesign((shape) => ({ ...shape, name: 'other' })) })],
  ['other tags', () => ({ effect: 'compatible', at: 'tags', before: {}, after: ofDesign((shape) => ({ ...shape, tags: { team: 'a' } })) })],
  [
    'another name of a key in the table',
    () => ({ effect: 'breaking', at: 'names.attributes.PK', ...called({ partitionKey: 'pk' }, { partitionKey: 'hk' }) }),
  ],
  [
    'another name of an attribute',
    () => ({ effect: 'breaking', at: 'names.attributes.id', ...called({ version: '_v' }, { version: '_v', attributes: { id: 'i' } }) }),
  ],
  [
    'another name of a type',
    (name) => ({ effect: 'breaking', at: `names.types.${name}`, ...called({ type: 'T' }, { type: 'T', types: { [name]: 't' } }) }),
  ],
  [
    'a name of an index',
    (name) => {
      const index = indexed(name, 'A')
      const { before, after } = called({}, { indexes: { GSI9: { name: 'gsi9' } } })
      return { effect: 'breaking', at: 'names.indexes.GSI9', before: both(index, before), after: both(index, after) }
    },
  ],
  [
    'a version that not every program counts',
    () => ({ effect: 'breaking', at: 'names.version', ...called({ version: 'version' }, { partitionKey: 'PK' }) }),
  ],
  ['a version that every program counts', () => ({ effect: 'compatible', at: 'names.version', ...called({}, { version: 'version' }) })],
  ['a new access pattern', () => ({ effect: 'compatible', at: 'patterns.list', before: {}, after: listing(false) })],
  ['an access pattern that is gone', () => ({ effect: 'breaking', at: 'patterns.list', before: listing(false), after: {} })],
  ['another order', () => ({ effect: 'breaking', at: 'patterns.list', before: listing(false), after: listing(true) })],
]

/** Changes of one thing, each with what it means. */
export const cases: readonly (readonly [what: string, make: (name: string) => Change])[] = [
  ...attributeChanges.map(([what, before, after, effect]) => [what, (name: string) => ofAttribute(name, before, after, effect)] as const),
  ...others,
]
