import type { Lock, LockedAttribute, LockedEntity, LockedReference } from './lock.ts'

/** By entity: the new name of each attribute that the other version knows by a former one. */
type Renames = Readonly<Record<string, Readonly<Record<string, string>>>>

function renamesOf(before: Lock, after: Lock): Renames {
  return Object.fromEntries(
    Object.entries(after.entities).map(([name, { attributes = {} }]) => {
      const { attributes: old = {} } = before.entities[name] ?? {}
      const renamed = Object.entries(attributes).flatMap(([own, { was = [] }]) => {
        const former = old[own] === undefined ? was.find((each) => old[each] !== undefined && attributes[each] === undefined) : undefined
        return former === undefined ? [] : [[former, own] as const]
      })
      return [name, Object.fromEntries(renamed)]
    }),
  )
}

const mapped = <V>(record: Readonly<Record<string, V>>, rename: (name: string) => string, value: (value: V) => V = (each) => each) =>
  Object.fromEntries(Object.entries(record).map(([name, each]) => [rename(name), value(each)]))

function referenceIn(
  renames: Renames,
  own: (name: string) => string,
  { attribute, to, by, absent, when, where, ...rest }: LockedReference,
) {
  const theirs = (name: string) => renames[to]?.[name] ?? name
  return {
    ...rest,
    to,
    attribute: own(attribute),
    by: mapped(by, theirs, own),
    ...(absent === undefined ? {} : { absent: mapped(absent, own) }),
    ...(when === undefined ? {} : { when: mapped(when, own) }),
    ...(where === undefined ? {} : { where: mapped(where, theirs) }),
  }
}

function entityIn(renames: Renames, name: string, entity: LockedEntity): LockedEntity {
  const own = (attribute: string) => renames[entity.owner ?? name]?.[attribute] ?? attribute
  const template = (source: string) => source.replace(/\{([^}]+)\}/g, (_, placeholder: string) => `{${own(placeholder)}}`)
  const key = ([partition, sort]: readonly [string, string]): [string, string] => [template(partition), template(sort)]
  const { attributes, carries, indexes, references, ends, fixed, expires, sequence } = entity
  const targets = (through: string) => [...(references ?? []), ...(ends ?? [])].filter(({ attribute }) => attribute === through)
  const attributeIn = (form: LockedAttribute): LockedAttribute => {
    const { from } = form
    if (from === undefined) return form
    const [target] = targets(from.through)
    const source =
      typeof from.attribute === 'string' && target !== undefined ? (renames[target.to]?.[from.attribute] ?? from.attribute) : from.attribute
    return { ...form, from: { through: own(from.through), ...(source === undefined ? {} : { attribute: source }) } }
  }
  return {
    ...entity,
    key: key(entity.key),
    ...(attributes === undefined ? {} : { attributes: mapped(attributes, own, attributeIn) }),
    ...(carries === undefined ? {} : { carries: carries.map(own).sort() }),
    ...(indexes === undefined ? {} : { indexes: mapped(indexes, (each) => each, key) }),
    ...(references === undefined ? {} : { references: references.map((each) => referenceIn(renames, own, each)) }),
    ...(ends === undefined ? {} : { ends: ends.map((each) => referenceIn(renames, own, each)) }),
    ...(fixed === undefined ? {} : { fixed: fixed.map(own).sort() }),
    ...(expires === undefined ? {} : { expires: own(expires) }),
    ...(sequence === undefined ? {} : { sequence: own(sequence) }),
  }
}

/** The former version in the names of the new one, so that a rename is one difference, and not one wherever the attribute is named. */
export function inNewNames(
  before: Lock,
  after: Lock,
): { readonly before: Lock; formerNames(entity: string): Readonly<Record<string, string>> } {
  const renames = renamesOf(before, after)
  const entities = Object.fromEntries(Object.entries(before.entities).map(([name, each]) => [name, entityIn(renames, name, each)]))
  const { tenants } = before
  const of =
    tenants?.of &&
    Object.fromEntries(Object.entries(tenants.of).map(([name, attribute]) => [name, renames[name]?.[attribute] ?? attribute]))
  // Attributes that hold the tenant under the common name are renamed together, or each is named in `of`.
  const by =
    tenants && Object.values(renames).find((each) => each[tenants.by] === after.tenants?.by) !== undefined ? after.tenants?.by : tenants?.by
  return {
    before: {
      ...before,
      entities,
      ...(tenants === undefined ? {} : { tenants: { ...tenants, by: by ?? tenants.by, ...(of === undefined ? {} : { of }) } }),
    },
    formerNames: (entity) => Object.fromEntries(Object.entries(renames[entity] ?? {}).map(([former, now]) => [now, former])),
  }
}
