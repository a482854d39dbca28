import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { keyBytesMax } from '../key/size.ts'
import type { EntityKey } from './entity-keys.ts'
import { type Finding, finding } from './finding.ts'
import type { Check } from './survey.ts'

function checkPart(key: EntityKey, part: 'partition' | 'sort'): Finding[] {
  const { entity, index = 'the table' } = key
  const { source, bytesMin } = key[part]
  const max = keyBytesMax[part]
  if (bytesMin <= max) return []
  const message = `The ${part} key of ${entity.name} in ${index} has at least ${bytesMin} bytes; DynamoDB allows ${max}. Shorten '${source.slice(0, 80)}'.`
  return [finding('KeyTooLong', entity.name, message, { part, bytesMin, max })]
}

/** No entity has a key that DynamoDB always refuses (spec rule 2). A value that makes a key too long is refused when it is written. */
export const keySizes: Check = ({ keys }) => keys.flatMap((key) => [...checkPart(key, 'partition'), ...checkPart(key, 'sort')])

/** DynamoDB's limit of actions in one transaction. */
export const actionsMax = 100

/**
 * The actions of the largest single write: all sides and ends of an edge with its outer edge, or an update that moves every derived item and records the
 * job of its followers.
 */
function actionsOf(entity: Entity, form: DesignForm): number {
  const { part, references } = entity.form
  const checks = references.reduce(
    (sum, { attribute, isEach }) => sum + (isEach ? (entity.attributes[attribute]?.kind.membersMax ?? 0) : 1),
    0,
  )
  if (part.kind !== 'edge') return 1 + 2 * form.derivedItemsOf(entity).length + checks + (form.followersOf(entity).length > 0 ? 1 : 0)
  return part.edge.sides.length + part.edge.ends.length + (part.edge.within === undefined ? 0 : 1)
}

/** One transaction writes an item with all its derived items (spec rule 10). */
export const transactionSizes: Check = ({ design, entities }) =>
  entities.flatMap((entity): Finding[] => {
    const { part } = entity.form
    if (part.kind === 'guard' || part.kind === 'mirror' || (part.kind === 'edge' && part.edge.sides[0] !== entity)) return []
    const actions = actionsOf(entity, design.form)
    if (actions <= actionsMax) return []
    const message = `Writing one ${entity.name} with its guards, lookup items, edge items and checks takes ${actions} actions; a transaction has at most ${actionsMax}. Give it fewer.`
    return [finding('TransactionTooLarge', entity.name, message, { actions, max: actionsMax })]
  })
