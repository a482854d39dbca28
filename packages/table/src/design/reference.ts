import { FreeholdError } from '../errors.ts'
import type { Attributes } from './attribute.ts'
import type { Entity, OnRemove, Reference } from './form.ts'
import { frozen } from './frozen.ts'
import { checkOptions } from './options.ts'

/** An attribute that fills a placeholder, but for one value: with `unless` the placeholder is absent. */
export interface Unless {
  readonly attribute: string
  readonly unless: string
}

interface Referring {
  /** `itself`: the entity that refers. */
  readonly to: Entity | 'itself'
  readonly onRemove?: OnRemove
  /** By placeholder of the target's key: the attribute that fills it, if it has another name. */
  readonly by?: Readonly<Record<string, string | Unless>>
}

/** A reference to one entity. The entity alone means `cascade`. */
export type RefersToOne = Entity | Referring

/** A reference whose target depends on the value of another attribute. */
export interface RefersDepending {
  readonly attribute: string
  readonly cases: Readonly<Record<string, RefersToOne>>
}

/**
 * Each member of a list refers to an item of `each`; `where`: with these values of its attributes. A write checks the members that it adds. If a target
 * is removed, its id stays in the lists: no query finds them. The list has a `max`, by which `prove` knows that the checks fit into a transaction.
 */
export interface RefersEach {
  readonly each: Entity
  readonly where?: Readonly<Record<string, string>>
}

/** A reference as a design writes it. */
export type Refers = RefersToOne | RefersDepending | RefersEach

/** The attribute fills the placeholder. If it has this value, the placeholder is absent. */
export const unless = <const A extends string>(attribute: A, value: string): { readonly attribute: A; readonly unless: string } =>
  frozen({ attribute, unless: value })

/** A reference whose target depends on `attribute`, an enumeration. Each of its values has a case. */
export const dependingOn = <const A extends string, const C extends Readonly<Record<string, RefersToOne>>>(
  attribute: A,
  cases: C,
): { readonly attribute: A; readonly cases: C } => Object.freeze({ attribute, cases: Object.freeze({ ...cases }) })

/** The placeholders of an entity's table key, each once. */
export function keyPlaceholders(entity: Entity): readonly string[] {
  const { key } = entity.form
  const names = placeholdersOf.get(key) ?? [...new Set([...key.partition.placeholders, ...key.sort.placeholders])]
  placeholdersOf.set(key, names)
  return names
}

const placeholdersOf = new WeakMap<Entity['form']['key'], readonly string[]>()

function fillers(of: string, attribute: string, to: Entity, by: Readonly<Record<string, string>>): Record<string, string> {
  const placeholders = keyPlaceholders(to).filter((placeholder) => by[placeholder] === undefined)
  // The referring attribute fills the placeholder of the same name, else the only one, else `id`. Others are filled by their names.
  const own = placeholders.includes(attribute)
    ? attribute
    : placeholders.length === 1
      ? placeholders[0]
      : placeholders.find((placeholder) => placeholder === 'id')
  if (Object.values(by).includes(attribute))
    return { ...Object.fromEntries(placeholders.map((placeholder) => [placeholder, placeholder])), ...by }
  if (own === undefined && placeholders.length > 0) {
    throw new FreeholdError(
      'InvalidDesign',
      `${of}.${attribute} refers to ${to.name}, but which placeholder of '${to.key.join("' / '")}' it fills is not clear: say so with 'by'.`,
    )
  }
  return { ...Object.fromEntries(placeholders.map((placeholder) => [placeholder, placeholder === own ? attribute : placeholder])), ...by }
}

function resolveOne(of: string, attribute: string, refers: RefersToOne, itself: Entity | undefined, when: Reference['when']): Reference {
  if ('to' in refers) checkOptions(`The reference ${of}.${attribute}`, refers, ['to', 'onRemove', 'by'])
  const { to: target, onRemove = 'cascade', by = {} }: Referring = 'to' in refers ? refers : { to: refers }
  const to = target === 'itself' ? itself : target
  if (to === undefined) throw new FreeholdError('InvalidDesign', `${of}.${attribute} refers to itself, which an end of an edge cannot.`)
  const entries = Object.entries(by)
  const names = Object.fromEntries(entries.map(([placeholder, own]) => [placeholder, typeof own === 'string' ? own : own.attribute]))
  const absent = Object.fromEntries(entries.flatMap(([, own]) => (typeof own === 'string' ? [] : [[own.attribute, own.unless]])))
  return Object.freeze({
    attribute,
    to,
    by: Object.freeze(fillers(of, attribute, to, names)),
    absent: Object.freeze(absent),
    when: Object.freeze(when),
    onRemove,
  })
}

/** Resolves a reference of the entity `of` to one entity. Throws `InvalidDesign` if a placeholder of the target cannot be filled. */
export function resolveReference(of: string, attribute: string, refers: RefersToOne): Reference {
  return resolveOne(of, attribute, refers, undefined, {})
}

/** Resolves a reference of an entity, to one reference for each case. */
export function resolveReferences(of: Entity, attribute: string, refers: Refers): readonly Reference[] {
  if ('each' in refers) {
    checkOptions(`The reference ${of.name}.${attribute}`, refers, ['each', 'where'])
    const one = resolveOne(of.name, attribute, { to: refers.each, onRemove: 'keep' }, undefined, {})
    return [Object.freeze({ ...one, isEach: true, where: frozen({ ...refers.where }) })]
  }
  if (!('cases' in refers)) return [resolveOne(of.name, attribute, refers, of, {})]
  return Object.entries(refers.cases).map(([value, each]) => resolveOne(of.name, attribute, each, of, { [refers.attribute]: value }))
}

type Refuse = (why: string) => FreeholdError

function checkEach(attributes: Attributes, { attribute, to, where = {}, isEach, by }: Reference, refuse: Refuse): void {
  const { kind } = attributes[attribute] ?? {}
  if (isEach === undefined) {
    if (kind?.stored === 'list') throw refuse("by a list: say so with 'each'")
    return
  }
  if (kind?.stored !== 'list') throw refuse("by 'each', and is no list")
  if (kind.membersMax === undefined)
    throw refuse("by a list without 'max': each member is checked in one transaction, so say how many there may be")
  if (Object.values(by).filter((own) => own === attribute).length !== 1)
    throw refuse('by a list, which fills no placeholder of its key, or several')
  const unknown = Object.keys(where).find((name) => to.attributes[name] === undefined)
  if (unknown !== undefined) throw refuse(`where '${unknown}' has a value, which it does not have`)
}

function checkCases(of: string, attributes: Attributes, references: readonly Reference[], refuse: Refuse): void {
  const [name] = references.flatMap(({ when }) => Object.keys(when))
  if (name === undefined) return
  const values = attributes[name]?.kind.domain?.values
  if (values === undefined) throw refuse(`depending on '${name}', which is no enumeration of ${of}`)
  const cases = references.map(({ when }) => when[name])
  const missing = values.find((value) => !cases.includes(value))
  if (missing !== undefined) throw refuse(`depending on '${name}', but to nothing where that is '${missing}'`)
  const stray = cases.find((value) => value === undefined || !values.includes(value))
  if (stray !== undefined) throw refuse(`where '${name}' is '${stray}', which it never is`)
}

/**
 * Checks that an attribute of `of` fills every placeholder of the target's key, unless the placeholder is optional there. Throws
 * `InvalidDesign` if an attribute is missing, or if `by` names no placeholder.
 */
export function checkReference(of: string, attributes: Attributes, reference: Reference): void {
  const { attribute, to, by, absent } = reference
  const refuse: Refuse = (why) =>
    new FreeholdError('InvalidDesign', `${of}.${attribute} refers to ${to.name}, ${why}.`, { entity: of, attribute })
  const placeholders = keyPlaceholders(to)
  checkEach(attributes, reference, refuse)
  const blank = Object.keys(absent).find((own) => attributes[own]?.presence === 'optional')
  if (blank !== undefined) throw refuse(`unless '${blank}' says otherwise, which may be absent: it is always given then`)
  for (const [placeholder, own] of Object.entries(by)) {
    if (!placeholders.includes(placeholder)) throw refuse(`whose key '${to.key.join("' / '")}' has no {${placeholder}}`)
    if (attributes[own] !== undefined || (own === placeholder && to.attributes[placeholder]?.presence === 'optional')) continue
    throw refuse(`whose key needs {${placeholder}}; ${of} has no attribute '${own}' to fill it`)
  }
}

/** Checks each reference of an entity. A reference that depends on an attribute must have a case for each of its values. */
export function checkReferences(of: string, attributes: Attributes, references: readonly Reference[]): void {
  for (const reference of references) checkReference(of, attributes, reference)
  for (const attribute of new Set(references.map((reference) => reference.attribute))) {
    const refuse: Refuse = (why) =>
      new FreeholdError('InvalidDesign', `${of}.${attribute} refers to something ${why}.`, { entity: of, attribute })
    const cases = references.filter((reference) => reference.attribute === attribute)
    checkCases(of, attributes, cases, refuse)
  }
}
