import { z } from 'zod'
import type { Attribute } from '../design/attribute.ts'
import type { CompiledPattern } from '../design/compiled-pattern.ts'
import type { AnyDesign } from '../design/design.ts'
import type { Entity, KeyTemplates, Part, Reference } from '../design/form.ts'
import { kindForm } from '../kind/kind.ts'
import { madeWords } from '../publish/page/made-words.ts'

// A design in canonical form: what decides about the data in its table and about what callers ask of it, and no prose. It is JSON, so that a file keeps
// it. What is empty, false or usual is left out, and names are sorted: two designs that do the same have one form.

const name = z.string()
const names = z.array(name).readonly()
const named = z.record(name, name).readonly()
const key = z.tuple([name, name]).readonly()
const kind = { kind: name, limits: z.record(name, z.unknown()).readonly().optional() }

const attribute = z.strictObject({
  ...kind,
  /** A caller gives it, unless this says otherwise. */
  presence: z.enum(['optional', 'made', 'copied']).optional(),
  /** In words: what makes it at a creation alone. */
  made: name.optional(),
  /** What it is where an item has none. */
  default: z.unknown().optional(),
  /** A function of the item's other attributes gives it where the item has none. */
  defaultByItem: z.literal(true).optional(),
  from: z
    .strictObject({ through: name, attribute: z.union([name, named]).optional() })
    .readonly()
    .optional(),
  /** Its names in former versions. */
  was: names.optional(),
  /** Items of another program may lack it. */
  mayLack: z.literal(true).optional(),
  stamp: z.enum(['create', 'write']).optional(),
  secret: z.literal(true).optional(),
})
const reference = z.strictObject({
  attribute: name,
  to: name,
  onRemove: z.enum(['cascade', 'refuse', 'keep']),
  by: named,
  absent: named.optional(),
  when: named.optional(),
  each: z.literal(true).optional(),
  where: named.optional(),
})
const entity = z.strictObject({
  kind: z.enum(['entity', 'guard', 'mirror', 'edge']),
  /** Of a guard or lookup item. */
  owner: name.optional(),
  /** Of the items of an edge. */
  ends: z.array(reference).readonly().optional(),
  sides: names.optional(),
  within: name.optional(),
  key,
  indexes: z.record(name, key).readonly().optional(),
  attributes: z.record(name, attribute).readonly().optional(),
  /** The attributes of a guard or lookup item, which are its owner's. */
  carries: names.optional(),
  references: z.array(reference).readonly().optional(),
  fixed: names.optional(),
  appendOnly: z.literal(true).optional(),
  expires: name.optional(),
  sequence: name.optional(),
  schema: z.number().optional(),
})
const pattern = z.strictObject({
  operation: z.enum(['get', 'query']),
  index: name.optional(),
  partition: name,
  sort: z.strictObject({ operator: name, templates: names }).readonly().optional(),
  filters: names.optional(),
  parameters: names.optional(),
  optional: names.optional(),
  descending: z.literal(true).optional(),
  returns: names,
})
const tenants = z.strictObject({
  by: name,
  of: named.optional(),
  shared: names.optional(),
  guests: names.optional(),
  operators: names.optional(),
  readBy: named.optional(),
  crossing: names.optional(),
})
export const lockSchema = z.strictObject({
  design: name,
  table: name,
  tags: named.optional(),
  noIndexes: z.literal(true).optional(),
  entities: z.record(name, entity).readonly(),
  dropped: z.record(name, key).readonly().optional(),
  patterns: z.record(name, pattern).readonly(),
  features: z.record(name, names).readonly().optional(),
  tenants: tenants.optional(),
  /** The names of the table, where they are others than those of the design. */
  names: z
    .strictObject({
      attributes: named.optional(),
      types: named.optional(),
      indexes: named.optional(),
      uncounted: z.literal(true).optional(),
    })
    .optional(),
})

export type Lock = Readonly<z.infer<typeof lockSchema>>
export type LockedEntity = Readonly<z.infer<typeof entity>>
export type LockedAttribute = Readonly<z.infer<typeof attribute>>
export type LockedReference = Readonly<z.infer<typeof reference>>
export type LockedPattern = Readonly<z.infer<typeof pattern>>

type Present<T> = { [N in keyof T]: Exclude<T[N], undefined> }

const isEmpty = (value: unknown) =>
  value === undefined || value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** The members that say something. */
function told<T extends object>(members: T): Present<T> {
  // A member that is left out is optional in the form, and undefined or empty here.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value))) as Present<T>
}

const sorted = <V>(entries: Iterable<readonly [string, V]>): Readonly<Record<string, V>> =>
  Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)))
const namesOf = (entities: readonly { readonly name: string }[] = []) => entities.map((each) => each.name).sort()
const flag = (isSet: boolean | undefined) => (isSet === true ? (true as const) : undefined)
const keyOf = ({ partition, sort }: KeyTemplates): readonly [string, string] => [partition.source, sort.source]

function defaultOf(fill: Attribute['fill']): Pick<LockedAttribute, 'default' | 'defaultByItem'> {
  if (fill === undefined) return {}
  return 'value' in fill ? { default: fill.value } : { defaultByItem: true }
}

function attributeForm(own: string, attribute: Attribute): LockedAttribute {
  const { kind, presence, source, madeOnWrite, madeOnce, isSecret, fill, formerNames, absent } = attribute
  return {
    ...kindForm(kind),
    ...told({
      presence: presence === 'given' ? undefined : presence,
      made: presence === 'made' && fill === undefined ? madeWords(attribute) : undefined,
      from: source === undefined ? undefined : { through: source.through, attribute: source.attribute ?? own },
      was: formerNames,
      mayLack: flag(absent !== undefined),
      stamp: madeOnWrite ? ('write' as const) : madeOnce ? ('create' as const) : undefined,
      secret: flag(isSecret),
    }),
    // Also one that is false, or empty.
    ...defaultOf(fill),
  }
}

function referenceForm({ attribute, to, onRemove, by, absent, when, isEach, where }: Reference): LockedReference {
  return { attribute, to: to.name, onRemove, by: sorted(Object.entries(by)), ...told({ absent, when, each: isEach, where }) }
}

function partForm(part: Part): Pick<LockedEntity, 'kind' | 'owner' | 'ends' | 'sides' | 'within'> {
  if (part.kind === 'entity') return { kind: 'entity' }
  if (part.kind !== 'edge') return { kind: part.kind, owner: part.owner.name }
  const { ends, sides, within } = part.edge
  return { kind: 'edge', ends: ends.map(referenceForm), sides: namesOf(sides), ...told({ within: within?.name }) }
}

function entityForm({ attributes, form }: Entity): LockedEntity {
  const { part, key: own, indexes, references, fixed, appendOnly, expires, sequence, schema } = form
  const common = { ...partForm(part), key: keyOf(own) }
  if (part.kind === 'guard' || part.kind === 'mirror') return { ...common, carries: Object.keys(attributes).sort() }
  return {
    ...common,
    ...told({ indexes: sorted(Object.entries(indexes).map(([index, templates]) => [index, keyOf(templates)])) }),
    attributes: sorted(Object.entries(attributes).map(([each, attribute]) => [each, attributeForm(each, attribute)])),
    ...told({ references: references.map(referenceForm), fixed: [...fixed].sort() }),
    ...told({ appendOnly: flag(appendOnly), expires, sequence, schema }),
  }
}

function patternForm({ operation, index, partition, sort, filters, descending, parameters, entities }: CompiledPattern): LockedPattern {
  return {
    operation,
    ...told({ index }),
    partition: partition.source,
    ...told({
      sort: sort === undefined ? undefined : { operator: sort.operator, templates: sort.templates.map(({ source }) => source) },
      filters: [...filters].sort(),
      parameters: namesOf(parameters.filter(({ isRequired }) => isRequired)),
      optional: namesOf(parameters.filter(({ isRequired }) => !isRequired)),
      descending: flag(descending),
    }),
    returns: namesOf(entities),
  }
}

/** A design in canonical form. */
export function lockOf({ name: design, table, tags, noIndexes, features, tenants: owned, dropped, form }: AnyDesign): Lock {
  return {
    design,
    table,
    ...told({ tags: sorted(Object.entries(tags)), noIndexes: flag(noIndexes) }),
    entities: sorted([...form.entities].map(([each, of]) => [each, entityForm(of)])),
    ...told({ dropped: sorted(Object.entries(dropped)) }),
    patterns: sorted([...form.patterns].map(([each, of]) => [each, patternForm(of)])),
    ...told({
      features: sorted(Object.entries(features).map(([each, parts]) => [each, namesOf(parts)])),
      tenants: owned && {
        by: owned.by,
        ...told({
          of: sorted(Object.entries(owned.of ?? {})),
          shared: namesOf(owned.shared),
          guests: namesOf(owned.guests),
          operators: namesOf(owned.operators),
          readBy: sorted(Object.entries(owned.readBy ?? {}).map(([each, by]) => [each, by.name])),
          crossing: [...(owned.crossing ?? [])].sort(),
        }),
      },
      names:
        form.names &&
        told({
          attributes: sorted(form.names.attributes.toTable),
          types: sorted(form.names.types.toTable),
          indexes: sorted([...form.names.indexes].filter(([index, stored]) => index !== stored)),
          uncounted: flag(!form.names.isCounted),
        }),
    }),
  }
}
