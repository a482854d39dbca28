import type { FreeholdError } from '../errors.ts'
import type { Entity } from './form.ts'
import { checkOptions } from './options.ts'

/** The tenants of a design: how each entity names the tenant that owns its items (spec rule 22). */
export interface Tenants {
  /** The attribute that holds the tenant's id. */
  readonly by: string
  /** By entity name: the attribute that holds the tenant's id there, such as the `id` of the tenant itself. */
  readonly of?: Readonly<Record<string, string>>
  /** Entities that also have items without a tenant. Every tenant reads those; only operators write them. */
  readonly shared?: readonly Entity[]
  /**
   * Entities that also have items without a tenant to which any tenant may grant. Decisions for a tenant use them; its own reads do not see
   * them.
   */
  readonly guests?: readonly Entity[]
  /** Entities whose items belong to no tenant. Only operators read them and refer to them. */
  readonly operators?: readonly Entity[]
  /**
   * By entity name: the entity whose item of the tenant lets it read an item there, by the same key attributes. A tenant reads only users that have a
   * grant in it.
   */
  readonly readBy?: Readonly<Record<string, Entity>>
  /** Access patterns that read items of many tenants. Only operators may use them. */
  readonly crossing?: readonly string[]
}

/** Which tenant owns the items of one entity. */
export interface TenantOf {
  /** The attribute that holds the tenant's id. Absent if the entity has none. */
  readonly attribute?: string | undefined
  readonly isShared: boolean
  /** Decisions for any tenant use the items without a tenant. */
  readonly isGuest?: boolean
  /** A tenant reads an item only if it has an item of this entity for it. */
  readonly readBy?: Entity | undefined
}

export function tenantOf({ by, of = {}, shared = [], guests = [], readBy = {} }: Tenants, entity: Entity): TenantOf {
  const name = of[entity.name] ?? by
  const attribute = entity.attributes[name] === undefined ? undefined : name
  return Object.freeze({ attribute, isShared: shared.includes(entity), isGuest: guests.includes(entity), readBy: readBy[entity.name] })
}

/** Checks that every entity names its tenant, is shared or is for operators, and that each name exists. Throws `InvalidDesign`. */
export function checkTenants(
  tenants: Tenants,
  entities: Readonly<Record<string, Entity>>,
  patterns: Readonly<Record<string, unknown>>,
  refuse: (message: string) => FreeholdError,
): void {
  checkOptions('The tenants of a design', tenants, ['by', 'of', 'shared', 'guests', 'operators', 'readBy', 'crossing'])
  const { of = {}, shared = [], guests = [], readBy = {}, operators = [], crossing = [] } = tenants
  for (const entity of Object.values(entities)) {
    const { attribute, isShared, isGuest = false } = tenantOf(tenants, entity)
    const isHidden = operators.includes(entity)
    const named = of[entity.name]
    if (named !== undefined && entity.attributes[named] === undefined)
      throw refuse(`${entity.name} does not say whose it is: it has no '${named}'`)
    if (isHidden && (attribute !== undefined || isShared)) throw refuse(`${entity.name} is for operators alone, and yet for tenants`)
    if (isGuest && (attribute === undefined || isShared))
      throw refuse(`${entity.name} is a guest, and yet there for every tenant or of none`)
    if (attribute === undefined && !isShared && !isHidden)
      throw refuse(`${entity.name} does not say whose it is: it has no '${of[entity.name] ?? tenants.by}'`)
  }
  const stray =
    [...Object.keys(of), ...Object.keys(readBy)].find((name) => entities[name] === undefined) ??
    [...shared, ...guests, ...operators].find(({ name }) => entities[name] === undefined)?.name
  if (stray !== undefined) throw refuse(`its tenants name ${stray}, which is not among its entities`)
  const unknown = crossing.find((name) => patterns[name] === undefined)
  if (unknown !== undefined) throw refuse(`its tenants name the access pattern '${unknown}', which it does not have`)
}
