import { FreeholdError } from '../errors.ts'
import type { Attributes } from './attribute.ts'
import type { Entity, OnRemove, Reference } from './form.ts'
import { frozen } from './frozen.ts'

/** An attribute that fills a placeholder unless it has this value, which stands for an absent one. */
export interface Unless {
  readonly attribute: string
  readonly unless: string
}

interface Referring {
  /** `itself`: the entity that refers. */
  readonly to: Entity | 'itself'
  readonly onRemove?: OnRemove
  /** Which of our attributes fill placeholders of the target's key that have another name. */
  readonly by?: Readonly<Record<string, string | Unless>>
}

/** A reference to one entity: the entity alone goes with it (`cascade`). */
export type RefersToOne = Entity | Referring

/** A reference that leads to one entity or another, as the value of another attribute says. */
export interface RefersDepending {
  readonly attribute: string
  readonly cases: Readonly<Record<string, RefersToOne>>
}

/** A reference as a design writes it. */
export type Refers = RefersToOne | RefersDepending

/** The attribute fills the placeholder, except where it has this value: then the placeholder is absent. */
export const unless = (attribute: string, value: string): Unless => frozen({ attribute, unless: value })

/** What is referred to depends on the value of `attribute`, an enumeration; each of its values has a case. */
export const dependingOn = (attribute: string, cases: Readonly<Record<string, RefersToOne>>): RefersDepending =>
  Object.freeze({ attribute, cases: Object.freeze({ ...cases }) })

/** The placeholders of an entity's table key, each once. */
export function keyPlaceholders(entity: Entity): readonly string[] {
  return [...new Set([...entity.form.key.partition.placeholders, ...entity.form.key.sort.placeholders])]
}

function fillers(of: string, attribute: string, to: Entity, by: Readonly<Record<string, string>>): Record<string, string> {
  const placeholders = keyPlaceholders(to).filter((placeholder) => by[placeholder] === undefined)
  // The referring attribute fills the placeholder of its own name, else the only one, else `id`; the others are filled by name.
  const mine = placeholders.includes(attribute)
    ? attribute
    : placeholders.length === 1
      ? placeholders[0]
      : placeholders.find((placeholder) => placeholder === 'id')
  if (Object.values(by).includes(attribute))
    return { ...Object.fromEntries(placeholders.map((placeholder) => [placeholder, placeholder])), ...by }
  if (mine === undefined && placeholders.length > 0) {
    throw new FreeholdError(
      'InvalidDesign',
      `${of}.${attribute} refers to ${to.name}, but which placeholder of '${to.key.join("' / '")}' it fills is not clear: say so with 'by'.`,
    )
  }
  return { ...Object.fromEntries(placeholders.map((placeholder) => [placeholder, placeholder === mine ? attribute : placeholder])), ...by }
}

function resolveOne(of: string, attribute: string, refers: RefersToOne, itself: Entity | undefined, when: Reference['when']): Reference {
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

/** Resolves a reference to one entity, of the entity named `of`. Throws `InvalidDesign` where a placeholder of the target cannot be filled. */
export function resolveReference(of: string, attribute: string, refers: RefersToOne): Reference {
  return resolveOne(of, attribute, refers, undefined, {})
}

/** Resolves a reference of an entity: one for each case. */
export function resolveReferences(of: Entity, attribute: string, refers: Refers): readonly Reference[] {
  if (!('cases' in refers)) return [resolveOne(of.name, attribute, refers, of, {})]
  return Object.entries(refers.cases).map(([value, each]) => resolveOne(of.name, attribute, each, of, { [refers.attribute]: value }))
}

type Refuse = (why: string) => FreeholdError

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
 * Every placeholder of the target's key needs an attribute of `of` to fill it, unless the target may be without it too. Throws `InvalidDesign`
 * for one that is not there, and for a `by` that names no placeholder.
 */
export function checkReference(of: string, attributes: Attributes, { attribute, to, by }: Reference): void {
  const refuse: Refuse = (why) =>
    new FreeholdError('InvalidDesign', `${of}.${attribute} refers to ${to.name}, ${why}.`, { entity: of, attribute })
  const placeholders = keyPlaceholders(to)
  for (const [placeholder, own] of Object.entries(by)) {
    if (!placeholders.includes(placeholder)) throw refuse(`whose key '${to.key.join("' / '")}' has no {${placeholder}}`)
    if (attributes[own] !== undefined || (own === placeholder && to.attributes[placeholder]?.presence === 'optional')) continue
    throw refuse(`whose key needs {${placeholder}}; ${of} has no attribute '${own}' to fill it`)
  }
}

/** Checks each reference of an entity, and that those which depend on an attribute have a case for each of its values. */
export function checkReferences(of: string, attributes: Attributes, references: readonly Reference[]): void {
  for (const reference of references) checkReference(of, attributes, reference)
  for (const attribute of new Set(references.map((reference) => reference.attribute))) {
    const refuse: Refuse = (why) =>
      new FreeholdError('InvalidDesign', `${of}.${attribute} refers to something ${why}.`, { entity: of, attribute })
    const cases = references.filter((reference) => reference.attribute === attribute)
    checkCases(of, attributes, cases, refuse)
  }
}
