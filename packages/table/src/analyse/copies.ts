import type { Entity, Reference } from '../design/form.ts'
import { isNewId } from '../design/new-id.ts'
import { keyPlaceholders } from '../design/reference.ts'
import { mayOutlive } from '../design/relations.ts'
import { isAlwaysIn } from '../key/template.ts'
import { sourcesOf } from './copy-sources.ts'
import { missingPlaceholder } from './enumerations.ts'
import { type Finding, finding } from './finding.ts'
import type { Check } from './survey.ts'

/** Whether an update may change an attribute. For a guard or lookup item, its owner decides. */
export function canChange({ form }: Entity, attribute: string): boolean {
  const { fixed, appendOnly } = form.part.kind === 'guard' || form.part.kind === 'mirror' ? form.part.owner.form : form
  return !fixed.includes(attribute) && !appendOnly
}

/** Whether the item may go: it is removed, expires, or goes along with another. */
function canGo({ form }: Entity): boolean {
  const { part } = form
  const { appendOnly, expires, references } = part.kind === 'guard' || part.kind === 'mirror' ? part.owner.form : form
  return !appendOnly || expires !== undefined || references.some(({ onRemove }) => onRemove === 'cascade')
}

/** Whether a part of the key is an id that the runtime makes. */
function hasNewId({ attributes, form: { key } }: Entity): boolean {
  return Object.entries(attributes).some(([name, attribute]) => isNewId(attribute) && isAlwaysIn([key.partition, key.sort], name))
}

/** Whether a copy may be there without its original, and be another value than that of the next item with the key, if there is one. */
function isLeft(reference: Reference, from: string): boolean {
  return mayOutlive(reference) && canGo(reference.to) && !keyPlaceholders(reference.to).includes(from)
}

/** Whether a copy may outlive its original. It follows the next item with the key, whose fixed attributes may be others (ADR 6). */
function outlives(reference: Reference, from: string): boolean {
  return isLeft(reference, from) && !hasNewId(reference.to)
}

/** Every copy can be found when its original changes (spec rule 11). `enumerations` covers copies that are removed with their original. */
export const followedCopies: Check = ({ entities, design }) =>
  entities.flatMap((target) =>
    design.form.followersOf(target).flatMap(({ side, copies, dependant }): Finding[] => {
      const { enumeration, onRemove, reference } = dependant
      if (onRemove !== 'keep' || (enumeration !== undefined && missingPlaceholder(enumeration, dependant) === undefined)) return []
      const mayChange = (from: string) => canChange(target, from) || (reference !== undefined && outlives(reference, from))
      const changing = copies.filter(({ from }) => mayChange(from)).map(({ attribute }) => attribute)
      if (changing.length === 0) return []
      const message =
        `${side.name} copies ${changing.join(' and ')} from ${target.name}, and cannot be found from there when that changes. ` +
        `Add a lookup item (mirror) of ${side.name} in a partition made of the key of ${target.name}, or fix the original and make a part of that key.`
      return [finding('CopyNotFollowed', side.name, message, { target: target.name, attributes: changing })]
    }),
  )

/** An attribute that no copy may change, and what it is to the item. */
interface Naming {
  readonly attribute: string
  readonly words: string
  readonly otherwise: string
}

/** The attributes that name an item, the edge within which it lies, and the targets of its references beside the attributes that refer to them. */
function namingOf(entity: Entity): readonly Naming[] {
  const { name, form } = entity
  const { part, references } = form
  const within = part.kind === 'edge' ? part.edge.within : undefined
  const otherwise = 'the item would have to move'
  const own = keyPlaceholders(entity).map((attribute) => ({ attribute, words: `The key of ${name} holds {${attribute}}`, otherwise }))
  const outer = within === undefined ? [] : keyPlaceholders(within)
  const ends = part.kind === 'edge' ? part.edge.ends : references
  const others = ends.flatMap(({ attribute: through, to, by, when }) =>
    [...Object.values(by), ...Object.keys(when)].flatMap((attribute) => {
      const words = `${name} refers to ${to.name} by {${attribute}}`
      return attribute === through ? [] : [{ attribute, words, otherwise: 'this would lead elsewhere' }]
    }),
  )
  return [
    ...own,
    ...outer.map((attribute) => ({ attribute, words: `${name} lies within ${within?.name} by {${attribute}}`, otherwise })),
    ...others,
  ]
}

/** A table key never changes, so it has no copy of an attribute that may change. Neither has what leads to another item. */
export const copiesInKeys: Check = ({ entities }) =>
  entities.flatMap((entity) =>
    namingOf(entity).flatMap(({ attribute: named, words, otherwise }): Finding[] => {
      const source = sourcesOf(entity, named).find(
        ({ reference, target, attribute }) => canChange(target, attribute) || outlives(reference, attribute),
      )
      if (source === undefined) return []
      const original = `${source.target.name}.${source.attribute}`
      const remedy = canChange(source.target, source.attribute)
        ? `Fix ${original}, or key it otherwise.`
        : `Another ${source.target.name} may take the key of the one that it was copied from: make a part of that key, or key it otherwise.`
      const message = `${words}, a copy of ${original}: when that changes, ${otherwise}. ${remedy}`
      return [finding('CopyInKey', entity.name, message, { attribute: named, original })]
    }),
  )

/**
 * The tenant of an item is no copy that outlives its original: another tenant that takes the key of the original would get the item (spec rule 22). That may
 * be an id that the runtime makes, since a caller can give one.
 */
export const copiedTenants: Check = ({ entities, design }) =>
  entities.flatMap((entity): Finding[] => {
    const { attribute: tenant } = design.form.tenantOf?.(entity) ?? {}
    const isDerived = entity.form.part.kind === 'guard' || entity.form.part.kind === 'mirror'
    const source =
      tenant === undefined || isDerived
        ? undefined
        : sourcesOf(entity, tenant).find(({ reference, attribute }) => isLeft(reference, attribute))
    if (source === undefined) return []
    const original = `${source.target.name}.${source.attribute}`
    const message =
      `The tenant of ${entity.name} is a copy of ${original}, which it may outlive: another tenant's ${source.target.name} with the same key would take it over. ` +
      `Make {${source.attribute}} a part of that key, or remove ${entity.name} with it.`
    return [finding('CopiedTenant', entity.name, message, { target: source.target.name, original })]
  })
