import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { type Dependant, type Follower, mayOutlive, ownerOf } from '../design/relations.ts'
import { FreeholdError } from '../errors.ts'
import { isAlwaysIn } from '../key/template.ts'
import type { Values } from './input.ts'
import { isWithin, tenantScopeOfItem } from './tenant-scope.ts'

/** Refuses a write whose dependants no query finds: no job could remove them, or update their copies. */
export function checkFindable(entity: Entity, dependants: readonly Dependant[]): void {
  const lost = dependants.find(({ enumeration }) => enumeration === undefined)
  if (lost === undefined) return
  throw new FreeholdError(
    'InvalidDesign',
    `${lost.entity.name} cannot be found from its ${entity.name}, so this is refused: see 'freehold prove'.`,
    { entity: lost.entity.name },
  )
}

/**
 * Whether an item that was found by the key of its target depends on that target. An item of another tenant does not: it referred to a former item with
 * the key (spec rule 22). An item whose tenant is a copy of the target's comes to the target's tenant.
 * @param side the entity of what was found, which may be a lookup item
 */
export function isOfTarget(
  form: DesignForm,
  side: Entity,
  found: Readonly<Values>,
  { reference }: Pick<Dependant, 'reference'>,
  target: { readonly entity: Entity; readonly item: Readonly<Values> },
): boolean {
  const owner = ownerOf(side)
  const tenant = form.tenantOf?.(owner).attribute
  if (tenant === undefined || reference === undefined || owner.attributes[tenant]?.source?.through === reference.attribute) return true
  return isWithin(tenantScopeOfItem(form, side, found), target.entity, target.item)
}

/** The followers that a query finds. `prove` refuses others, unless their copies never change. */
export function findable(followers: readonly Follower[]): readonly Follower[] {
  return followers.filter(({ dependant }) => dependant.enumeration !== undefined)
}

/**
 * True if items may be there before their target, with copies of another that had its key. They follow the new one (spec rule 11). They refer to the key
 * of the item, of a lookup item or of a side of an edge: `newIds` are the attributes with ids that no such key had before.
 */
export function mayHaveFollowers(entity: Entity, form: DesignForm, newIds: readonly string[]): boolean {
  return findable(form.followersOf(entity)).some(({ dependant: { reference } }) => {
    if (reference === undefined || !mayOutlive(reference)) return false
    const { partition, sort } = reference.to.form.key
    return !newIds.some((name) => isAlwaysIn([partition, sort], name))
  })
}

/** Refuses to change an attribute by which others refer to the item, or lie within it: they would lead nowhere. */
export function checkStillNamed(entity: Entity, form: DesignForm, before: Readonly<Values>, after: Readonly<Values>): void {
  for (const { reference, known, entity: dependant } of form.dependantsOf(entity)) {
    const changed = Object.keys(reference?.by ?? known).find((attribute) => before[attribute] !== after[attribute])
    if (changed === undefined) continue
    throw new FreeholdError(
      'InvalidInput',
      `${entity.name}: ${changed} cannot change, as ${dependant.name} refers to a ${entity.name} by it.`,
      {
        entity: entity.name,
        issues: [{ path: [changed], message: `cannot change, as ${dependant.name} refers to it` }],
      },
    )
  }
}
