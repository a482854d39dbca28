import { code, type Entity, mirror, opaqueId } from '../../src/index.ts'
import { another, both, type Case, called, derived, indexed, listing, listingOn, named, ofDesign, withAttributes, x } from './change.ts'
import type { Choice, NodeChoice, Twist } from './design.ts'

// What a table is called and how, its access patterns, features and tenants.

/** A design with tenants, in which each item names its own. */
const tenanted =
  (hasTenants: boolean) =>
  (choice: Choice): Choice => {
    const [first, second, third] = choice.nodes
    const own = (node: NodeChoice): NodeChoice => ({ ...node, tenancy: 'own' })
    return { ...choice, hasTenants, nodes: [own(first), own(second), own(third)] }
  }
const withoutReferences = (choice: Choice): Choice => {
  const [first, second, third] = choice.nodes
  const alone = (node: NodeChoice): NodeChoice => ({ ...node, ref: undefined })
  return { ...choice, nodes: [alone(first), alone(second), alone(third)] }
}
const by = (attribute: string) => ofDesign((shape) => ({ ...shape, tenants: { by: attribute } }))
const withoutTenants = ofDesign(({ tenants: _, ...shape }) => shape)

const features = (all: Readonly<Record<string, readonly string[]>>): Twist =>
  ofDesign((shape) => {
    const entities: Readonly<Record<string, Entity>> = Object(shape.entities)
    const members = Object.entries(all).map(([feature, names]) => [feature, names.map((name) => entities[name])])
    return { ...shape, features: Object.fromEntries(members) }
  })

const calledTable = ofDesign((shape) => ({ ...shape, table: 'other' }))
const calledDesign = ofDesign((shape) => ({ ...shape, name: 'other' }))

export const changesOfTables: readonly Case[] = [
  ['another table', () => ({ code: 'OtherTableName', at: 'table', before: {}, after: calledTable, deployments: [{}, calledTable] })],
  [
    'another name',
    () => ({ code: 'OtherDesignName', at: 'design', before: {}, after: calledDesign, deployments: [calledDesign, calledDesign] }),
  ],
  ['other tags', () => ({ code: 'OtherTags', at: 'tags', before: {}, after: ofDesign((shape) => ({ ...shape, tags: { team: 'a' } })) })],
  [
    'a promise to have no indexes',
    () => ({
      code: 'OtherIndexPromise',
      at: 'noIndexes',
      before: {},
      after: ofDesign((shape) => ({ ...shape, noIndexes: true })),
      within: withoutReferences,
    }),
  ],
  [
    'another name of a key in the table',
    () => {
      const names = called({ partitionKey: 'pk', version: 'version' }, { partitionKey: 'hk', version: 'version' })
      return { code: 'OtherKeyName', at: 'names.attributes.PK', ...names, deployments: [names.before, names.after], apart: 'moved' }
    },
  ],
  [
    'another name of a type',
    (name) => {
      const names = called({ type: 'T', version: 'version' }, { type: 'T', version: 'version', types: { [name]: 't' } })
      return { code: 'OtherKeyName', at: `names.types.${name}`, ...names, deployments: [names.before, names.after], apart: 'moved' }
    },
  ],
  [
    'another name of an attribute',
    (name) => {
      const [before, after] = [named({ version: '_v' }), named({ version: '_v', attributes: { x: 'i' } })]
      const second = named({ version: '_v', attributes: { y: 'i' } })
      return {
        code: 'OtherStoredName',
        at: 'names.attributes.x',
        before: both(x(name), before),
        after: both(x(name), after),
        deployments: [
          both(withAttributes(name, { y: opaqueId().optional().was('x') }), second),
          both(withAttributes(name, { y: opaqueId().optional() }), second),
        ],
        apart: 'same table',
      }
    },
  ],
  [
    'a name of an index',
    (name) => {
      const index = indexed(name, 'A')
      const { before, after } = called({ version: 'version' }, { version: 'version', indexes: { GSI9: { name: 'gsi9' } } })
      const first = both(index, indexed(name, 'A', 'GSI8'), named({ version: 'version', indexes: { GSI8: { name: 'gsi9' } } }))
      return {
        code: 'OtherIndexName',
        at: 'names.indexes.GSI9',
        before: both(index, before),
        after: both(index, after),
        deployments: [first, first],
      }
    },
  ],
  [
    'a version that not every program counts',
    () => {
      const names = called({ version: 'version' }, { partitionKey: 'PK' })
      return { code: 'UncountedVersion', at: 'names.version', ...names, deployments: [names.before, names.after] }
    },
  ],
  ['a version that every program counts', () => ({ code: 'CountedVersion', at: 'names.version', ...called({}, { version: 'version' }) })],
  ['a new access pattern', () => ({ code: 'NewPattern', at: 'patterns.list', before: {}, after: listing(false) })],
  [
    'an access pattern that is gone',
    () => ({ code: 'GonePattern', at: 'patterns.list', before: listing(false), after: {}, deployments: [listing(false), {}] }),
  ],
  [
    'another order',
    () => ({
      code: 'OtherPattern',
      at: 'patterns.list',
      before: listing(false),
      after: listing(true),
      deployments: [both(listing(false), listing(true, 'newList')), listing(true, 'newList')],
    }),
  ],
  [
    'another index of an access pattern',
    (name) => {
      const indexes = both(indexed(name, 'A'), indexed(name, 'A', 'GSI8'))
      return {
        code: 'OtherRequest',
        at: 'patterns.listOn',
        before: both(indexes, listingOn('GSI9', name)),
        after: both(indexes, listingOn('GSI8', name)),
      }
    },
  ],
  [
    'a new feature',
    (name) => ({
      code: 'NewFeature',
      at: 'features.more',
      before: derived(mirror, name),
      after: both(derived(mirror, name), features({ more: [`${name}More`] })),
    }),
  ],
  [
    'a new entity of a feature',
    (name) => ({
      code: 'OtherFeature',
      at: 'features.more',
      before: both(derived(mirror, name), features({ more: [`${name}More`] })),
      after: both(derived(mirror, name), another(), features({ more: [`${name}More`, 'Another'] })),
      besides: 'Another',
    }),
  ],
  [
    'a feature that is gone',
    (name) => ({
      code: 'GoneFeature',
      at: 'features.more',
      before: both(derived(mirror, name), features({ more: [`${name}More`] })),
      after: derived(mirror, name),
      deployments: [both(derived(mirror, name), features({ more: [`${name}More`] })), derived(mirror, name)],
      without: [['more'], [], []],
    }),
  ],
  [
    'an entity that joins a feature',
    (name) => {
      const all = both(derived(mirror, name), another())
      const first = both(all, features({ more: [`${name}More`], other: ['Another'] }))
      return {
        code: 'JoinedFeature',
        at: 'features.more',
        before: both(all, features({ more: [`${name}More`] })),
        after: both(all, features({ more: [`${name}More`, 'Another'] })),
        deployments: [first, first],
        without: [['more'], ['more'], ['more', 'other']],
      }
    },
  ],
  [
    'tenants',
    () => {
      const first = { carried: { u: code().default('T1') } }
      return {
        code: 'NewTenants',
        at: 'tenants',
        before: {},
        after: both(first, by('u')),
        deployments: [first, both(first, by('u'))],
        within: tenanted(false),
      }
    },
  ],
  [
    'no tenants',
    () => ({
      code: 'GoneTenants',
      at: 'tenants',
      before: {},
      after: withoutTenants,
      deployments: [{}, withoutTenants],
      within: tenanted(true),
      isOneTenant: true,
    }),
  ],
  [
    'another attribute that holds the tenant',
    () => {
      const first = { carried: { u: code().default(({ t }) => String(t)) } }
      return {
        code: 'OtherTenant',
        at: 'tenants',
        before: {},
        after: both(first, by('u')),
        deployments: [first, both(first, by('u'))],
        within: tenanted(true),
      }
    },
  ],
  [
    'an access pattern that crosses tenants',
    () => ({
      code: 'OtherSharing',
      at: 'tenants',
      before: listing(false),
      after: both(
        listing(false),
        ofDesign((shape) => ({ ...shape, tenants: { ...Object(shape.tenants), crossing: ['list'] } })),
      ),
      within: tenanted(true),
    }),
  ],
]
