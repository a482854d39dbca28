import type { AnyDesign, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { anyValue } from './any-value.ts'

export type Values = Readonly<Record<string, unknown>>
export interface Needed {
  readonly entity: string
  readonly input: Values
}

/**
 * A whole valid item of an entity, with everything that must be in the table before it: `needs`, in the order in which they can be created.
 *
 *     const { needs, input, id } = anyItem(rebac, 'UserGroupEdge', 7)
 *     for (const need of needs) await table.repositoryNamed(need.entity).create(need.input)
 *     await table.repositoryNamed('UserGroupEdge').create(input)
 *
 * Alike for the same seed; items of two seeds share nothing: no id, no guarded value. Everything is given: optional attributes, ids and
 * defaults too, but not what is stamped with each write, and not what is copied. Of a guard or mirror, `needs` ends with its owner, which
 * writes it, and `input` is what it carries. Nothing that ends is over before the 2090s.
 */
export interface AnyItem {
  readonly needs: readonly Needed[]
  readonly input: Values
  /** The attributes of the table key. */
  readonly id: Values
  /** The copies of the item, from the items that it needs. */
  readonly copies: Values
}

type Part = Entity['form']['part']
type Written = Entity | Extract<Part, { kind: 'edge' }>['edge']
type Reference = Entity['form']['references'][number]
interface Copy {
  readonly attribute: string
  readonly through: string
  /** The attribute there, by the entity it is copied from. */
  readonly from: (to: Entity) => string
}
interface Made {
  readonly entity: Entity
  /** The edge for its sides, the owner for its guards and mirrors. */
  readonly written: Written
  /** With copies. */
  readonly values: Values
}

function writtenOf(entity: Entity): Written {
  const { part } = entity.form
  if (part.kind === 'edge') return part.edge
  return part.kind === 'entity' ? entity : part.owner
}

/** The entity that is created in order to have an item of this entity. */
function writableOf(entity: Entity): Entity {
  const { part } = entity.form
  return part.kind === 'guard' || part.kind === 'mirror' ? part.owner : entity
}

function copiesOf({ attributes, form: { part } }: Entity): readonly Copy[] {
  if (part.kind === 'edge')
    return Object.values(part.edge.copies).flatMap((copies) => copies.map((copy) => ({ ...copy, from: () => copy.from })))
  return Object.entries(attributes).flatMap(([attribute, { source }]) => {
    if (source === undefined) return []
    const { through, attribute: named } = source
    return [{ attribute, through, from: ({ name }) => (typeof named === 'object' ? named[name] : named) ?? attribute }]
  })
}

const isAbsent = (value: unknown) => value === undefined || value === null
const agree = (values: Values, wanted: Values) =>
  Object.entries(wanted).every(([name, value]) => (isAbsent(value) ? isAbsent(values[name]) : values[name] === value))
const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.flatMap((name) => (isAbsent(values[name]) ? [] : [[name, values[name]]])))

/**
 * The values that the target of a reference must hold, so that the reference leads to it and copies have their values; null for those that it must
 * lack.
 */
function wantedOf({ attribute, to, by, absent }: Reference, entity: Entity, values: Values, copies: readonly Copy[]): Values {
  const placeholders = Object.entries(by).map(([placeholder, own]) => {
    const isLacked = entity.attributes[own] === undefined || (absent[own] !== undefined && values[own] === absent[own])
    return [placeholder, isLacked ? null : values[own]] as const
  })
  const copied = copies.filter(({ through }) => through === attribute).map((copy) => [copy.from(to), values[copy.attribute]] as const)
  return Object.fromEntries([...placeholders, ...copied].filter(([, value]) => value !== undefined))
}

/** That it is of the tenant of what refers to it, where that is known by then. */
function ofSameTenant({ form: { tenantOf } }: AnyDesign, entity: Entity, to: Entity, values: Values): Values {
  const [own, theirs] = [tenantOf?.(entity).attribute, tenantOf?.(to).attribute]
  const tenant = own === undefined ? undefined : values[own]
  return theirs === undefined || isAbsent(tenant) ? {} : { [theirs]: tenant }
}

function maker(design: AnyDesign, seed: number): { made: Made[]; obtain(entity: Entity, wanted: Values, others: readonly Made[]): Made } {
  const made: Made[] = []
  const underway: Written[] = []
  let count = 0

  /** An item that is there already, so that an item needed twice is one, of one tenant; else a new one. */
  function obtain(entity: Entity, wanted: Values, others: readonly Made[]): Made {
    const written = writtenOf(entity)
    const isFree = Object.keys(wanted).length === 0
    const found = made.find((one) => one.written === written && agree(one.values, wanted) && !(isFree && others.includes(one)))
    return found ?? make(writableOf(entity), wanted)
  }

  function make(entity: Entity, given: Values): Made {
    const written = writtenOf(entity)
    const { part, references } = entity.form
    const copies = copiesOf(entity)
    const values: Record<string, unknown> = { ...given }
    const place = `${seed}/${count++}`
    const fill = (name: string, attribute = entity.attributes[name]) => {
      if (values[name] !== undefined || attribute === undefined || attribute.presence === 'copied' || attribute.madeOnWrite) return
      values[name] = anyValue(attribute, `${place}/${name}`)
    }
    const targets: Made[] = []
    underway.push(written)
    for (const reference of part.kind === 'edge' ? part.edge.ends : references) {
      const { attribute: name, to, by, absent, when, isEach, where } = reference
      for (const own of Object.keys(when)) fill(own)
      if (Object.entries(when).some(([own, value]) => values[own] !== value)) continue
      const isOptional = entity.attributes[name]?.presence === 'optional'
      // A role has a parent, which could have one in its turn: the second has none.
      if (isOptional && values[name] === undefined && underway.filter((each) => each === writtenOf(to)).length > 1) values[name] = null
      if (values[name] === null) continue
      if (isEach) {
        if (values[name] !== undefined) continue
        const [placeholder = ''] = Object.keys(by)
        values[name] = [obtain(to, { ...where }, targets).values[placeholder]]
        continue
      }
      const wanted = { ...ofSameTenant(design, entity, to, values), ...wantedOf(reference, entity, values, copies) }
      const target = obtain(to, wanted, targets)
      targets.push(target)
      for (const [placeholder, own] of Object.entries(by)) values[own] = target.values[placeholder] ?? absent[own] ?? null
      for (const { attribute, through, from } of copies) if (through === name) values[attribute] = target.values[from(to)] ?? null
    }
    if (part.kind === 'edge' && part.edge.within !== undefined)
      obtain(part.edge.within, pick(values, keyPlaceholders(part.edge.within)), [])
    for (const name of Object.keys(entity.attributes)) fill(name)
    underway.pop()
    const one = { entity, written, values: pick(values, Object.keys(values)) }
    made.push(one)
    return one
  }

  return { made, obtain }
}

function entityNamed(design: AnyDesign, name: string): Entity {
  const entity = design.form.entities.get(name)
  if (entity === undefined) throw new Error(`The design ${design.name} has no entity ${name}.`)
  return entity
}

/** The attributes that a caller gives. */
const inputOf = ({ attributes }: Entity, values: Values) =>
  pick(
    values,
    Object.keys(attributes).filter((name) => attributes[name]?.presence !== 'copied'),
  )

/** See `AnyItem`. `given` fixes attributes of the item; null leaves an optional one away. */
export function anyItem(design: AnyDesign, entityName: string, seed: number, given: Values = {}): AnyItem {
  const entity = entityNamed(design, entityName)
  const { made, obtain } = maker(design, seed)
  const { values } = obtain(entity, given, [])
  const needs = writableOf(entity) === entity ? made.slice(0, -1) : made
  return {
    needs: needs.map((need) => ({ entity: need.entity.name, input: inputOf(need.entity, need.values) })),
    input: inputOf(entity, values),
    id: pick(values, keyPlaceholders(entity)),
    copies: pick(
      values,
      Object.keys(entity.attributes).filter((name) => entity.attributes[name]?.presence === 'copied'),
    ),
  }
}
