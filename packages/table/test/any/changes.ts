import { isDeepStrictEqual } from 'node:util'
import { numberSet, textSet } from '../../src/atomic.ts'
import type { DifferenceCode } from '../../src/evolve/difference.ts'
import {
  type Attribute,
  code,
  count,
  email,
  flag,
  instant,
  list,
  map,
  number,
  oneOf,
  opaqueId,
  record,
  stamp,
  text,
  uuid,
  verbatim,
} from '../../src/index.ts'
import { type Case, type Change, type Shape, upcast, withAttributes } from './change.ts'
import type { Twist } from './design.ts'
import { changesOfEdges } from './edge-changes.ts'
import { changesOfEntities } from './entity-changes.ts'
import { changesOfTables } from './table-changes.ts'

const id = '00000000-0000-4000-8000-000000000000'
const at = '2036-01-01T00:00:00.000Z'

/** Values of many kinds. An attribute that changes takes those that both versions allow. */
export const values: readonly unknown[] = [
  'a',
  'b',
  'a@b.example',
  3,
  2,
  true,
  ['a'],
  ['b'],
  [1],
  { a: 'a' },
  { a: 1 },
  { a: 'a', b: 'b' },
  '00000000-0000-4000-8000-000000000001',
  at,
]

/** An attribute that is another one, or none, in the second version, and what it is in between. */
const attributeChanges: readonly (readonly [
  what: string,
  before: Attribute | undefined,
  after: Attribute | undefined,
  DifferenceCode,
  first?: Attribute,
])[] = [
  ['a new optional one', undefined, text().optional(), 'NewAttribute'],
  ['a new set', undefined, textSet(), 'NewAttribute'],
  ['a new one that callers give', undefined, text(), 'NewRequiredAttribute', text().default('none')],
  ['a new one that is made', undefined, uuid().made(), 'NewRequiredAttribute', uuid().default(id)],
  ['a new stamp', undefined, stamp.onWrite(), 'NewRequiredAttribute', instant().default(at)],
  ['a new one with a default', undefined, text().default('none'), 'NewAttribute'],
  ['a new one whose default is made of the item', undefined, text().default(() => 'none'), 'NewAttribute'],
  ['a new addition that items may lack', undefined, text().addition('for the test', 'it is not known'), 'NewAttribute'],
  ['one with a default that is gone', text().default('none'), undefined, 'GoneAttribute'],
  ['another default', text().default('none'), text().default('some'), 'OtherDefault'],
  ['no default any more', text().default('none'), text(), 'OtherDefault'],
  ['a default in place of absence', text().optional(), text().default('none'), 'OtherFilling'],
  ['a default of one that callers gave', text(), text().default('none'), 'OtherFilling'],
  [
    'one that items may lack no more',
    text().addition('for the test', 'it is not known'),
    text().addition('for the test'),
    'RequiredNow',
    text().default('none').addition('for the test'),
  ],
  ['another former name', text(), text().was('z'), 'NewFormerName'],
  ['a former name that is no longer read', text().was('z'), text(), 'GoneFormerName'],
  ['an optional one that is gone', text().optional(), undefined, 'GoneAttribute'],
  ['one that is gone', text(), undefined, 'GoneRequiredAttribute', text().optional()],
  ['one that may be absent', text(), text().optional(), 'OtherFilling'],
  ['one that may be absent no more', text().optional(), text(), 'RequiredNow', text().default('none')],
  ['one that is made now', uuid(), uuid().made(), 'OtherFilling'],
  ['one that was optional and is made', uuid().optional(), uuid().made(), 'RequiredNow', uuid().default(id)],
  ['one that is made otherwise', uuid().made(), uuid().made(() => id), 'OtherMaking'],
  ['a secret', text(), text().secret(), 'OtherSecrecy'],
  ['no secret', text().secret(), text(), 'OtherSecrecy'],
  ['another stamp', stamp.onCreate(), stamp.onWrite(), 'OtherStamp'],
  ['another value of an enumeration', oneOf('a', 'b'), oneOf('a', 'b', 'c'), 'WiderKind'],
  ['one value fewer', oneOf('a', 'b', 'c'), oneOf('a', 'b'), 'OtherKind'],
  ['a longer text', text({ max: 5 }), text({ max: 9 }), 'WiderKind'],
  ['a shorter text', text({ max: 9 }), text({ max: 5 }), 'NarrowerKind'],
  ['a text with a bound', text(), text({ max: 5 }), 'NarrowerKind'],
  ['a text with a pattern', text(), text({ pattern: /a/ }), 'OtherKind'],
  ['a text with another pattern', text({ pattern: /a/ }), text({ pattern: /b/ }), 'OtherKind'],
  ['a text without its pattern', text({ pattern: /a/ }), text(), 'WiderKind'],
  ['a text that refuses look-alikes', text(), text({ lookAlikes: 'refused' }), 'NarrowerKind'],
  ['a text that is kept as it is', text(), verbatim(), 'WiderKind'],
  ['a verbatim text with a pattern', verbatim(), verbatim({ pattern: /a/ }), 'NarrowerKind'],
  ['an address that is any text', email(), text(), 'WiderKind'],
  ['a text that is an address', text(), email(), 'OtherKind'],
  ['a text that is a number', text(), number(), 'OtherKind'],
  ['a higher least number', number({ min: 1 }), number({ min: 2 }), 'NarrowerKind'],
  ['a lower least number', number({ min: 2 }), number({ min: 1 }), 'WiderKind'],
  ['a higher greatest number', number({ max: 1 }), number({ max: 2 }), 'WiderKind'],
  ['a number that is whole', number(), number({ integer: true }), 'NarrowerKind'],
  ['a count that is a number', count(), number(), 'WiderKind'],
  ['a word that stands for an id', uuid(), uuid({ or: 'operator' }), 'WiderKind'],
  ['another word', uuid({ or: 'operator' }), uuid({ or: 'system' }), 'OtherKind'],
  ['a longer list', list(text(), { max: 2 }), list(text(), { max: 3 }), 'WiderKind'],
  ['a list of others', list(text()), list(number()), 'OtherKind'],
  ['a list of longer texts', list(text({ max: 3 })), list(text({ max: 4 })), 'WiderKind'],
  ['a set of others', textSet(email()), textSet(code()), 'OtherKind'],
  ['a set of smaller numbers', numberSet({ max: 9 }), numberSet({ max: 3 }), 'NarrowerKind'],
  ['a record with an optional part', record({ a: text() }), record({ a: text(), b: text().optional() }), 'WiderKind'],
  ['a record with another part', record({ a: text() }), record({ a: text(), b: text() }), 'OtherKind'],
  ['a record with a part fewer', record({ a: text(), b: flag() }), record({ a: text() }), 'NarrowerKind'],
  ['a record of other parts', record({ a: text() }), record({ a: number() }), 'OtherKind'],
  ['a part that may be absent', record({ a: text() }), record({ a: text().optional() }), 'WiderKind'],
  ['a record that is any map', record({ a: text() }), map(), 'WiderKind'],
  ['a map that is a record', map(), record({ a: text() }), 'OtherKind'],
]

const valuesOf = ({ schema }: Attribute) =>
  values.flatMap((value) => {
    const { success, data } = schema.safeParse(value)
    return success ? [data] : []
  })

/** What the values of one attribute are as those of another. */
function converting(before: Attribute, after: Attribute): (value: unknown) => unknown {
  const [from, to] = [valuesOf(before), valuesOf(after)]
  return (value) => {
    const members = value instanceof Set ? [...value] : value
    return to[
      Math.max(
        0,
        from.findIndex((each) => isDeepStrictEqual(each, members)),
      ) % to.length
    ]
  }
}

/** An attribute in place of another one, in two deployments: in the first both are written, and an upcast makes the new one. */
function replacing(name: string, before: Attribute, after: Attribute): Pick<Change, 'deployments' | 'given' | 'holds'> {
  const convert = converting(before, after)
  const make = (item: Shape) => (item.x === undefined ? item : { ...item, y: convert(item.x) })
  // Only an upcast from no schema is left to make.
  const first: Twist = upcast(name, { x: before.optional(), y: after }, make)
  return {
    deployments: [first, upcast(name, { y: after }, make)],
    given: valuesOf(before).map((value) => ({ x: value, y: convert(value) })),
    holds: ({ x, y }) => x === undefined || isDeepStrictEqual(y, convert(x)),
  }
}

/** The two deployments of a breaking change of one attribute. */
function courseOf(
  name: string,
  before: Attribute | undefined,
  after: Attribute | undefined,
  code: DifferenceCode,
  first: Attribute | undefined,
): Partial<Change> {
  const with_ = (each: Attribute | undefined) => (each === undefined ? {} : withAttributes(name, { x: each }))
  if (code === 'OtherKind' && before !== undefined && after !== undefined) return replacing(name, before, after)
  if (code === 'GoneFormerName' || code === 'NewFormerName') return { deployments: [with_(before), with_(after)], apart: 'same table' }
  return first === undefined ? {} : { deployments: [with_(first), with_(after)] }
}

const ofAttribute = (
  name: string,
  before: Attribute | undefined,
  after: Attribute | undefined,
  code: DifferenceCode,
  first: Attribute | undefined,
): Change => ({
  code,
  at: `entities.${name}.attributes.x`,
  before: before === undefined ? {} : withAttributes(name, { x: before }),
  after: after === undefined ? {} : withAttributes(name, { x: after }),
  ...courseOf(name, before, after, code, first),
})

const same = (item: Shape) => item

/** Attributes that are others, or have other names. */
const ofSeveral: readonly Case[] = [
  [
    'a new name of an attribute',
    (name) => ({
      code: 'UntoldRename',
      at: `entities.${name}.attributes.x`,
      before: withAttributes(name, { x: opaqueId().optional() }),
      after: withAttributes(name, { y: opaqueId().optional() }),
      deployments: [
        withAttributes(name, { x: opaqueId().optional(), y: opaqueId().optional() }),
        withAttributes(name, { y: opaqueId().optional() }),
      ],
    }),
  ],
  [
    'a new name of an attribute that each item has',
    (name) => ({
      code: 'UntoldRename',
      at: `entities.${name}.attributes.x`,
      before: withAttributes(name, { x: text() }),
      after: withAttributes(name, { y: text().default('none') }),
      deployments: [
        withAttributes(name, { x: text().optional(), y: text().default('none') }),
        withAttributes(name, { y: text().default('none') }),
      ],
    }),
  ],
  [
    'a new one that an upcast makes of another',
    (name) => ({
      code: 'UpcastAttribute',
      at: `entities.${name}.attributes.y`,
      before: withAttributes(name, { x: text() }),
      after: upcast(name, { x: text(), y: text() }, (item) => ({ ...item, y: item.x })),
      holds: ({ x, y }) => x === y,
    }),
  ],
  [
    'a schema that is new',
    (name) => ({
      code: 'NewSchema',
      at: `entities.${name}.schema`,
      before: withAttributes(name, { x: text() }),
      after: upcast(name, { x: text() }, same),
    }),
  ],
  [
    'a schema that is lower',
    (name) => ({
      code: 'LowerSchema',
      at: `entities.${name}.schema`,
      before: upcast(name, { x: text().optional() }, same, same),
      after: upcast(name, { x: text().optional() }, same),
      deployments: [upcast(name, { x: text().optional() }, same, same, same), upcast(name, { x: text().optional() }, same, same, same)],
    }),
  ],
  [
    'another kind that an upcast makes',
    (name) => ({
      code: 'OtherKind',
      at: `entities.${name}.attributes.x`,
      before: withAttributes(name, { x: text() }),
      after: upcast(name, { x: number() }, (item) => ({ ...item, x: Number(item.x) })),
      ...replacing(name, text(), number()),
    }),
  ],
  [
    'one of which an upcast makes another',
    (name) => ({
      code: 'GoneRequiredAttribute',
      at: `entities.${name}.attributes.x`,
      before: withAttributes(name, { x: text().optional() }),
      after: upcast(name, { y: number().optional() }, ({ x, ...rest }) => ({ ...rest, y: Number(x) })),
      ...replacing(name, text(), number().optional()),
    }),
  ],
  [
    'a new name that says so',
    (name) => ({
      code: 'RenamedAttribute',
      at: `entities.${name}.attributes.y`,
      before: withAttributes(name, { x: opaqueId().optional() }),
      after: withAttributes(name, { y: opaqueId().optional().was('x') }),
    }),
  ],
]

/** Changes of one thing, each with what it means. */
export const cases: readonly Case[] = [
  ...attributeChanges.map(
    ([what, before, after, code, first]): Case => [what, (name: string) => ofAttribute(name, before, after, code, first)],
  ),
  ...ofSeveral,
  ...changesOfEntities,
  ...changesOfEdges,
  ...changesOfTables,
]
