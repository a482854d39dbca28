import { type AnyDesign, type Entity, FreeholdError } from '@freehold/table'
import { formatKey, prefixRange, type Stored } from '@freehold/table/runtime'
import { type Place, placeOf } from '../decision/sources.ts'
import { ownerOf } from './part.ts'

/** Items that lie together beneath another: where, and what they are. */
export interface Collection extends Place {
  /** The entity of the items; of lookup items, the entity to which they lead. */
  readonly owner: Entity
}

/** The collections in which the items of a tenant lie, from an item to those beneath it. */
export interface TenantTree {
  /** The id by which the collections beneath an item are found; undefined if nothing can lie beneath it. */
  idBeneath(entity: Entity, item: Stored): string | undefined
  /** Consistent queries of one partition each, in an order in which the items can be created again. */
  beneath(entity: Entity, id: string): readonly Collection[]
  /** True for items that come after those beneath them. */
  isAfterItsOwn?(entity: Entity): boolean
}

/** All items of an entity that have this partition key; `owner`: of lookup items, the entity to which they lead. */
export function collection(entity: Entity, values: Readonly<Record<string, string>>, owner = entity): Collection {
  return { owner, ...placeOf(entity, values) }
}

/** A collection whose key follows from the id of the item above it. */
interface Beneath {
  readonly owner: Entity
  at(id: string): Collection
}

type Dependant = ReturnType<AnyDesign['form']['dependantsOf']>[number]

/** True for the dependants of the item from which they have their tenant. Each item has one such item above it. */
function isAbove({ form }: AnyDesign, { entity, reference }: Dependant): boolean {
  const attribute = form.tenantOf?.(entity).attribute
  if (reference === undefined || attribute === undefined || reference.to === entity) return false
  const source = entity.attributes[attribute]?.source
  return source === undefined ? Object.values(reference.by).includes(attribute) : source.through === reference.attribute
}

function dependantBeneath(above: Entity, { edge, entity, enumeration }: Dependant): Beneath {
  const known = enumeration?.partition ?? {}
  if (enumeration === undefined || Object.values(known).some(({ attribute = 'id' }) => attribute !== 'id'))
    throw new FreeholdError('InvalidDesign', `No query finds the ${entity.name} beneath a ${above.name} by its id.`, {
      entity: entity.name,
    })
  const owner = edge === undefined ? entity : enumeration.side
  return {
    owner,
    at: (id) => {
      const values = Object.fromEntries(
        Object.entries(known).map(([name, { attribute, otherwise }]) => [name, attribute === undefined ? (otherwise ?? '') : id]),
      )
      const partition = formatKey(enumeration.side.form.key.partition, values, enumeration.side.name) ?? ''
      return { owner, partition, range: prefixRange(enumeration.sortPrefix) }
    },
  }
}

/** Collections beneath the tenant itself whose items refer to nothing: its audit, say. */
function unreferring({ form }: AnyDesign, tenant: Entity): readonly Beneath[] {
  return [...form.entities.values()].flatMap((owner) => {
    const { part, references, key } = owner.form
    const attribute = form.tenantOf?.(owner).attribute
    const lies = attribute !== undefined && key.partition.placeholders.every((name) => name === attribute)
    if (owner === tenant || part.kind !== 'entity' || references.length > 0 || !lies || key.partition.placeholders.length === 0) return []
    return [{ owner, at: (id: string) => collection(owner, { [attribute]: id }) }]
  })
}

/** The references of an item: of an edge, its ends. */
const referencesOf = ({ form: { part, references } }: Entity) => (part.kind === 'edge' ? part.edge.ends : references)

const trees = new WeakMap<AnyDesign, TenantTree>()

/** The tree of a design's tenants, as its references say. `tenant`: the entity of the tenants. */
export function tenantTree(design: AnyDesign, tenant: Entity): TenantTree {
  const tree = trees.get(design) ?? treeOf(design, tenant)
  trees.set(design, tree)
  return tree
}

function treeOf(design: AnyDesign, tenant: Entity): TenantTree {
  const found = new Map<Entity, readonly Beneath[]>()
  const unordered = (entity: Entity) => [
    ...design.form.dependantsOf(entity).flatMap((each) => (isAbove(design, each) ? [dependantBeneath(entity, each)] : [])),
    ...(entity === tenant ? unreferring(design, tenant) : []),
  ]
  /** The entities of the items beneath an item of this one, and itself. */
  const all = (entity: Entity): ReadonlySet<Entity> => new Set([entity, ...unordered(entity).flatMap(({ owner }) => [...all(owner)])])
  const needs = (one: Entity, other: Entity) => {
    const targets = all(other)
    return [...all(one)].some((entity) =>
      referencesOf(entity).some((reference) => {
        const to = ownerOf(reference.to) ?? reference.to
        const [above] = design.form.dependantsOf(to).filter((each) => each.reference === reference)
        return targets.has(to) && (above === undefined || !isAbove(design, above))
      }),
    )
  }
  /** Each after those that it refers to, with all that is beneath it; else in the order of the design. */
  const ordered = (left: readonly Beneath[]): readonly Beneath[] => {
    const ready = left.filter((one) => !left.some((other) => other.owner !== one.owner && needs(one.owner, other.owner)))
    const [next] = ready.length === 0 ? left : ready
    return next === undefined ? [] : [next, ...ordered(left.filter((one) => one !== next))]
  }
  const beneath = (entity: Entity): readonly Beneath[] => {
    const known = found.get(entity) ?? ordered(unordered(entity))
    found.set(entity, known)
    return known
  }
  return {
    idBeneath: (entity, { id }) => (beneath(entity).length > 0 && typeof id === 'string' ? id : undefined),
    beneath: (entity, id) => beneath(entity).map(({ at }) => at(id)),
  }
}
