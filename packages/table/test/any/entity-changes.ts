import type { DifferenceCode } from '../../src/evolve/difference.ts'
import { type Attribute, count, list, mirror, opaqueId, text, unique } from '../../src/index.ts'
import {
  another,
  both,
  type Case,
  type Change,
  derived,
  derivedAt,
  dropped,
  e,
  indexed,
  more,
  referring,
  shapeOf,
  unread,
  upcast,
  whole,
  withAttributes,
  x,
} from './change.ts'
import type { Twist } from './design.ts'

// Entities that are new, gone or others, their keys, indexes, guards, lookup items, references and rules.

const isGone = both(another(), unread('Another'))
const ofAnother = (code: DifferenceCode, at: string, before: Twist, after: Twist): Change => ({
  code,
  at: `entities.Another.${at}`,
  before,
  after,
  within: whole,
  besides: 'Another',
})
/** Each member of a list refers to one of the three. */
const listing = (name: string, where: Readonly<Record<string, string>>) =>
  another((entities) => ({ attributes: { r: list(opaqueId(), { max: 3 }) }, refers: { r: { each: entities[name], where } } }))
const copying = (name: string, attribute: Attribute) => referring(name, { onRemove: 'keep' }, { cv: attribute })

const otherKey = (name: string): Twist => shapeOf(name, (shape) => ({ ...shape, key: [`OTHER${name}#{id}`, Object(shape.key)[1]] }))
const lookup = (name: string): Twist => derivedAt(mirror, name, `${name}More`, `OTHER${name}#{id}#{w}`, ['v'])

export const changesOfEntities: readonly Case[] = [
  [
    'another literal in a key',
    (name) => ({
      code: 'OtherKey',
      at: `entities.${name}.key`,
      before: {},
      after: otherKey(name),
      deployments: [lookup(name), lookup(name)],
    }),
  ],
  [
    'another key of a lookup item',
    (name) => ({
      code: 'OtherKey',
      at: `entities.${name}More.key`,
      before: derived(mirror, name),
      after: derivedAt(mirror, name, `${name}More`, 'OTHER#{slug}#{w}'),
      deployments: [
        both(derived(mirror, name), derivedAt(mirror, name, `${name}Other`, 'OTHER#{slug}#{w}')),
        both(derived(mirror, name), derivedAt(mirror, name, `${name}Other`, 'OTHER#{slug}#{w}')),
      ],
    }),
  ],
  [
    'another kind of an attribute in a key',
    (name) => {
      const before = both(x(name), derivedAt(mirror, name, `${name}More`, 'MORE#{x}'))
      const first = both(
        upcast(name, { x: opaqueId().optional(), y: text().optional() }, (item) => ({ ...item, y: item.x })),
        derivedAt(mirror, name, `${name}More`, 'MORE#{x}'),
        derivedAt(mirror, name, `${name}Other`, 'OTHER#{y}'),
      )
      return {
        code: 'OtherKindInKey',
        at: `entities.${name}.attributes.x`,
        before,
        after: both(withAttributes(name, { x: text().optional() }), derivedAt(mirror, name, `${name}More`, 'MORE#{x}')),
        deployments: [first, first],
        holds: ({ x, y }) => x === y,
      }
    },
  ],
  [
    'an entity that is dropped',
    () => ({
      code: 'DroppedEntity',
      at: 'entities.Another',
      before: isGone,
      after: dropped('Another', 'ANOTHER#{id}', 'META'),
      besides: 'Another',
    }),
  ],
  [
    'an entity that was dropped before',
    () => ({ code: 'NewDropped', at: 'dropped.Old', before: {}, after: dropped('Old', 'OLD#{id}', 'META') }),
  ],
  [
    'an entity that is dropped no longer',
    () => ({ code: 'GoneDropped', at: 'dropped.Old', before: dropped('Old', 'OLD#{id}', 'META'), after: {} }),
  ],
  ['a new entity', () => ({ code: 'NewEntity', at: 'entities.Another', before: {}, after: another(), besides: 'Another' })],
  [
    'an entity that is gone',
    () => ({
      code: 'GoneEntity',
      at: 'entities.Another',
      before: another(),
      after: {},
      deployments: [dropped('Another', 'ANOTHER#{id}', 'META'), {}],
      besides: 'Another',
    }),
  ],
  ['a new uniqueness guard', (name) => ({ code: 'NewDerivedItem', at: `entities.${name}More`, before: {}, after: derived(unique, name) })],
  ['a new lookup item', (name) => ({ code: 'NewDerivedItem', at: `entities.${name}More`, before: {}, after: derived(mirror, name) })],
  [
    'a guard that is gone',
    (name) => ({
      code: 'GoneEntity',
      at: `entities.${name}More`,
      before: derived(unique, name),
      after: {},
      deployments: [dropped(`${name}More`, 'MORE#{slug}#{w}', 'META'), {}],
    }),
  ],
  [
    'a guard that is a lookup item',
    (name) => {
      const first = both(derived(unique, name), derivedAt(mirror, name, `${name}Other`, 'OTHER#{slug}#{w}'))
      return {
        code: 'OtherPart',
        at: `entities.${name}More`,
        before: derived(unique, name),
        after: derived(mirror, name),
        deployments: [first, first],
      }
    },
  ],
  [
    'a lookup item that carries more',
    (name) => ({
      code: 'NewCarried',
      at: `entities.${name}More.carries.v`,
      before: derived(mirror, name),
      after: derived(mirror, name, ['v']),
    }),
  ],
  [
    'a lookup item that carries what is new',
    (name) => ({
      code: 'NewCarriedAttribute',
      at: `entities.${name}More.carries.x`,
      before: derived(mirror, name),
      after: both(x(name), derived(mirror, name, ['x'])),
    }),
  ],
  [
    'a lookup item that carries less',
    (name) => ({
      code: 'GoneCarried',
      at: `entities.${name}More.carries.v`,
      before: derived(mirror, name, ['v']),
      after: derived(mirror, name),
    }),
  ],
  ['a new index', (name) => ({ code: 'NewIndex', at: `entities.${name}.indexes.GSI9`, before: {}, after: indexed(name, 'A') })],
  ['an index that is gone', (name) => ({ code: 'GoneIndex', at: `entities.${name}.indexes.GSI9`, before: indexed(name, 'A'), after: {} })],
  [
    'another key of an index',
    (name) => {
      const first = both(indexed(name, 'A'), indexed(name, 'B', 'GSI8'))
      return {
        code: 'OtherIndexKey',
        at: `entities.${name}.indexes.GSI9`,
        before: indexed(name, 'A'),
        after: indexed(name, 'B'),
        deployments: [first, first],
      }
    },
  ],
  [
    'another fixed attribute',
    (name) => ({
      code: 'OtherFixed',
      at: `entities.${name}.fixed`,
      before: x(name),
      after: both(
        x(name),
        shapeOf(name, (shape) => ({ ...shape, fixed: [...Object(shape.fixed), 'x'] })),
      ),
    }),
  ],
  [
    'items that are never changed',
    () =>
      ofAnother(
        'OtherAppendOnly',
        'appendOnly',
        another(),
        another(() => ({ appendOnly: true })),
      ),
  ],
  [
    'items that expire',
    (name) => ({
      code: 'OtherExpiry',
      at: `entities.${name}.expires`,
      before: e(name),
      after: both(e(name), more(name, { expires: 'e' })),
      // The model knows one attribute by which items expire.
      within: ({ nodes: [first, second, third], ...choice }) => ({
        ...choice,
        nodes: [
          { ...first, expires: false },
          { ...second, expires: false },
          { ...third, expires: false },
        ],
      }),
    }),
  ],
  [
    'a sequence',
    () =>
      ofAnother(
        'OtherSequence',
        'sequence',
        another(() => ({ attributes: { last: count().made(0) } })),
        another(() => ({ attributes: { last: count().made(0) }, sequence: 'last' })),
      ),
  ],
  [
    'a new reference',
    (name) => ofAnother('NewReference', 'references.r', referring(name, undefined), referring(name, { onRemove: 'keep' })),
  ],
  [
    'a new reference that takes the item with it',
    (name) => ofAnother('NewReference', 'references.r', referring(name, undefined), referring(name, { onRemove: 'cascade' })),
  ],
  ['a reference that is gone', (name) => ofAnother('GoneReference', 'references.r', referring(name, {}), referring(name, undefined))],
  [
    'another end of a reference',
    (name) => ofAnother('OtherRemoval', 'references.r', referring(name, { onRemove: 'keep' }), referring(name, { onRemove: 'cascade' })),
  ],
  [
    'a reference that is found otherwise',
    (name) => ofAnother('OtherReference', 'references.r', listing(name, {}), listing(name, { v: '1' })),
  ],
  [
    'a new copy',
    (name) => ofAnother('NewCopy', 'attributes.cv', referring(name, { onRemove: 'keep' }), copying(name, text().from('r', 'v'))),
  ],
  [
    'one that is copied now',
    (name) => ofAnother('CopiedNow', 'attributes.cv', copying(name, text().optional()), copying(name, text().from('r', 'v'))),
  ],
  [
    'a copy of another source',
    (name) => {
      const z = withAttributes(name, { z: text().default('z') })
      return ofAnother(
        'OtherSource',
        'attributes.cv',
        both(z, copying(name, text().from('r', 'v'))),
        both(z, copying(name, text().from('r', 'z'))),
      )
    },
  ],
]
