import { FreeholdError } from '../errors.ts'
import type { Attributes } from './attribute.ts'
import type { Entity } from './entity.ts'

/** What happens to an item when what it refers to is removed. */
export type OnRemove = 'cascade' | 'refuse' | 'keep'

/** A reference as a design writes it: the entity alone goes with it (`cascade`). */
export type Refers = Entity | { readonly to: Entity; readonly onRemove?: OnRemove; readonly by?: Readonly<Record<string, string>> }

/** A resolved reference: which of our attributes fills which hole of the target's key. */
export interface Reference {
  readonly attribute: string
  readonly to: Entity
  readonly by: Readonly<Record<string, string>>
  readonly onRemove: OnRemove
}

/** The holes of an entity's table key, each once. */
export function keyHoles(entity: Entity): readonly string[] {
  return [...new Set([...entity.form.key.partition.holes, ...entity.form.key.sort.holes])]
}

function fillers(of: string, attribute: string, to: Entity, by: Readonly<Record<string, string>>): Record<string, string> {
  const holes = keyHoles(to).filter((hole) => by[hole] === undefined)
  // The referring attribute fills the hole of its own name, else the only one, else `id`; the others are filled by name.
  const mine = holes.includes(attribute) ? attribute : holes.length === 1 ? holes[0] : holes.find((hole) => hole === 'id')
  if (mine === undefined && holes.length > 0 && !Object.values(by).includes(attribute)) {
    throw new FreeholdError(
      'InvalidDesign',
      `${of}.${attribute} refers to ${to.name}, but which hole of '${to.key.join("' / '")}' it fills is not clear: say so with 'by'.`,
    )
  }
  return { ...Object.fromEntries(holes.map((hole) => [hole, hole === mine ? attribute : hole])), ...by }
}

/** Resolves a reference of the entity named `of`. Throws `InvalidDesign` where a hole of the target cannot be filled. */
export function resolveReference(of: string, attribute: string, refers: Refers): Reference {
  const { to, onRemove = 'cascade', by = {} } = 'to' in refers ? refers : { to: refers }
  return Object.freeze({ attribute, to, onRemove, by: Object.freeze(fillers(of, attribute, to, by)) })
}

/**
 * Every hole of the target's key needs an attribute of `of` to fill it, unless the target may be without it too. Throws `InvalidDesign`
 * for one that is not there, and for a `by` that names no hole.
 */
export function checkReference(of: string, attributes: Attributes, { attribute, to, by }: Reference): void {
  const refuse = (why: string) =>
    new FreeholdError('InvalidDesign', `${of}.${attribute} refers to ${to.name}, ${why}.`, { entity: of, attribute })
  const holes = keyHoles(to)
  for (const [hole, own] of Object.entries(by)) {
    if (!holes.includes(hole)) throw refuse(`whose key '${to.key.join("' / '")}' has no {${hole}}`)
    if (attributes[own] !== undefined || (own === hole && to.attributes[hole]?.presence === 'optional')) continue
    throw refuse(`whose key needs {${hole}}; ${of} has no attribute '${own}' to fill it`)
  }
}
