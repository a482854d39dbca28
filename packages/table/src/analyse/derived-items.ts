import type { Attribute } from '../design/attribute.ts'
import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import { type Finding, finding } from './finding.ts'
import type { Check } from './survey.ts'

const generated: ReadonlySet<string> = new Set(['uuid', 'ulid', 'opaque id'])

/** Only one owner has a generated id. */
function isOwnId(attribute: Attribute | undefined): boolean {
  return attribute?.presence === 'made' && generated.has(attribute.kind.name)
}

function checkDerivedItem(entity: Entity, owner: Entity, kind: 'guard' | 'mirror'): Finding[] {
  const { name, attributes } = entity
  const ownerPlaceholders = keyPlaceholders(owner)
  if (owner.form.part.kind !== 'entity') {
    const message = `${name} belongs to ${owner.name}, which itself belongs to another item (${owner.form.part.kind}), so nothing would write it. Let it belong to the owner.`
    return [finding('OwnerIsPart', name, message, { owner: owner.name })]
  }
  const missing = ownerPlaceholders.filter((placeholder) => attributes[placeholder] === undefined)
  if (missing.length > 0) {
    const message = `${name} does not carry ${missing.join(' and ')}, so it does not lead back to its ${owner.name}. Carry every attribute of the key of ${owner.name}.`
    return [finding('LeadsNowhere', name, message, { owner: owner.name, missing })]
  }
  const placeholders = keyPlaceholders(entity)
  const shared = ownerPlaceholders.filter((placeholder) => !placeholders.includes(placeholder))
  if (kind === 'guard' || shared.length === 0 || placeholders.some((placeholder) => isOwnId(owner.attributes[placeholder]))) return []
  const message =
    `Two ${owner.name} items that differ only in ${shared.join(' and ')} share one ${name}, so the second is refused. ` +
    'If that is intended, declare it with unique(). Otherwise add those attributes to its key.'
  return [finding('SharedMirror', name, message, { owner: owner.name, shared })]
}

/** A guard or lookup item is written with its owner and leads back to it (spec rules 9 and 10). */
export const derivedItems: Check = ({ entities }) =>
  entities.flatMap((entity) => {
    const { part } = entity.form
    return part.kind === 'guard' || part.kind === 'mirror' ? checkDerivedItem(entity, part.owner, part.kind) : []
  })
