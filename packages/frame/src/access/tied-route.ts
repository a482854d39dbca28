import type { AnyDesign, Entity } from '@freehold/table'
import { keyPlaceholders, literalPrefix } from '@freehold/table/runtime'
import { endsOf, isLack, type Listing, listingOf, type Naming, refuse, type Tie, type TiedNode, toOne } from './tie.ts'
import type { Allowing, Flagged } from './way.ts'

// Actions that are items, and the roles that are tied to them, resolved against the design.

/** Ties between two nodes from the one, by its own items. */
export interface Tying extends Tie {
  readonly toFar: Listing
  readonly toNear: Listing
}

/** Actions that are items, and the roles that are tied to them. */
export interface TiedActions {
  readonly roles: Tying
  readonly actions: Tying
  /** The values with which an item of `actions` allows. */
  readonly where: readonly (readonly [attribute: string, value: string])[]
  /** Lists all roles. */
  readonly allRoles: Listing | undefined
  /** Groups with their roles, roles with their actions, and actions with their roles. */
  readonly ofGroup: TiedNode
  readonly ofRole: TiedNode
  /** Undefined if actions are flags, and what these are for is no item. */
  readonly ofAction: TiedNode | undefined
  readonly flagged: Flagged | undefined
}

/** A directory lists by nothing. */
export const nowhere: Naming = { node: { name: '' } as Entity, by: {} }

/** Lists all items of an entity. */
export function directoryOf({ form }: AnyDesign, entity: Entity): Listing | undefined {
  const [id = ''] = keyPlaceholders(entity)
  const side = form
    .derivedItemsOf(entity)
    .find(({ form: { part, key } }) => part.kind === 'mirror' && key.partition.placeholders.length === 0)
  return side && { side, last: id }
}

/** True if nothing lies between a node and the items of a listing in its partition. */
export function isBeside({ form }: AnyDesign, node: Entity, { side }: Listing): boolean {
  const prefix = (entity: Entity, part: 'partition' | 'sort') =>
    entity.form.key[part].alternatives.map((alternative) => literalPrefix(alternative)).join()
  const [partition, from, to] = [prefix(node, 'partition'), prefix(node, 'sort'), prefix(side, 'sort')]
  const inPartition = [...form.entities.values()].filter((entity) => prefix(entity, 'partition') === partition)
  return (
    inPartition.includes(side) && from < to && !inPartition.some((entity) => prefix(entity, 'sort') > from && prefix(entity, 'sort') < to)
  )
}

/** @param isOwn true if decisions rest on what is listed by the far node */
function tying(design: AnyDesign, entity: Entity, [near, far]: readonly [Naming, Naming], isOwn = true): Tying {
  const [toFar, toNear] = [
    listingOf(design, entity, near, far.node, Object.values(far.by), true),
    listingOf(design, entity, far, near.node, Object.values(near.by), isOwn),
  ]
  for (const lack of [toFar, toNear])
    if (isLack(lack)) refuse(`No items list each ${lack.lists} by ${lack.by}, by which a way says what it allows. Add ${lack.addition}.`)
  // Neither lacks.
  return { entity, near, far, isNode: false, from: undefined, until: undefined, allowing: undefined, toFar, toNear } as Tying
}

export function tiedOf(
  design: AnyDesign,
  group: Entity,
  { ties: [ofGroups, ofRoles], where, flagged }: Allowing & { kind: 'ties' },
  action: Entity | undefined,
): TiedActions {
  if (action === undefined && flagged === undefined)
    return refuse('A way takes actions by ties, but the actions of the declaration are no items.')
  const roles = tying(
    design,
    ofGroups,
    endsOf(ofGroups, group, () => true),
  )
  const role = roles.far.node
  const actions =
    flagged === undefined
      ? tying(
          design,
          ofRoles,
          endsOf(ofRoles, role, (node) => node === action),
        )
      : // What a permission is for has no entity. Its lookup items say where to look, no more.
        tying(
          design,
          ofRoles,
          [toOne(ofRoles, role), { node: { name: flagged.field } as Entity, by: { [flagged.field]: flagged.attribute } }],
          false,
        )
  const keeps = flagged === undefined ? Object.keys(where) : [design.tenants?.by ?? '', ...Object.values(flagged.flags)]
  const tiedNode = (by: Naming, listing: Listing): TiedNode => ({
    name: `${by.node.name} with ${listing.side.name}`,
    by,
    listing,
    isBeside: isBeside(design, by.node, listing),
    keeps: keeps.filter((name) => name in listing.side.attributes),
  })
  return {
    ...{ roles, actions, where: Object.entries(where), allRoles: directoryOf(design, role), flagged },
    ofGroup: tiedNode(roles.near, roles.toFar),
    ofRole: tiedNode(actions.near, actions.toFar),
    ofAction: flagged === undefined ? tiedNode(actions.far, actions.toNear) : undefined,
  }
}
