import { sourceName } from '../design/attribute.ts'
import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import { missingPlaceholder } from './enumerations.ts'
import { type Finding, finding } from './finding.ts'
import type { Check } from './survey.ts'

/** Whether an update may change an attribute. For a guard or lookup item, its owner decides. */
export function canChange({ form }: Entity, attribute: string): boolean {
  const { fixed, appendOnly } = form.part.kind === 'guard' || form.part.kind === 'mirror' ? form.part.owner.form : form
  return !fixed.includes(attribute) && !appendOnly
}

/** Every copy can be found when its original changes (spec rule 11). `enumerations` covers copies that are removed with their original. */
export const followedCopies: Check = ({ entities, design }) =>
  entities.flatMap((target) =>
    design.form.followersOf(target).flatMap(({ side, copies, dependant }): Finding[] => {
      const { enumeration, onRemove } = dependant
      if (onRemove !== 'keep' || (enumeration !== undefined && missingPlaceholder(enumeration, dependant) === undefined)) return []
      const changing = copies.filter(({ from }) => canChange(target, from)).map(({ attribute }) => attribute)
      if (changing.length === 0) return []
      const message =
        `${side.name} copies ${changing.join(' and ')} from ${target.name}, and cannot be found from there when that changes. ` +
        `Add a lookup item (mirror) of ${side.name} in a partition made of the key of ${target.name}, or fix the original.`
      return [finding('CopyNotFollowed', side.name, message, { target: target.name, attributes: changing })]
    }),
  )

/** The attributes from which a copy in a key may come: one for each target of its reference. */
function sourcesOf(entity: Entity, placeholder: string): { target: Entity; attribute: string }[] {
  const { part, references } = entity.form
  const { source } = entity.attributes[placeholder] ?? {}
  if (source === undefined) return []
  const owner = part.kind === 'guard' || part.kind === 'mirror' ? part.owner : entity
  const ends = owner.form.part.kind === 'edge' ? owner.form.part.edge.ends : [...references, ...owner.form.references]
  const targets = ends.filter(({ attribute }) => attribute === source.through).map(({ to }) => to)
  return targets.map((target) => ({ target, attribute: sourceName(source, placeholder, target.name) }))
}

/** A table key never changes, so it has no copy of an attribute that may change. */
export const copiesInKeys: Check = ({ entities }) =>
  entities.flatMap((entity) =>
    keyPlaceholders(entity).flatMap((placeholder): Finding[] => {
      const source = sourcesOf(entity, placeholder).find(({ target, attribute }) => canChange(target, attribute))
      if (source === undefined) return []
      const original = `${source.target.name}.${source.attribute}`
      const message = `The key of ${entity.name} holds {${placeholder}}, a copy of ${original}: when that changes, the item would have to move. Fix ${original}, or key it otherwise.`
      return [finding('CopyInKey', entity.name, message, { attribute: placeholder, original })]
    }),
  )
