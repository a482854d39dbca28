import type { FreeholdError } from '../errors.ts'
import type { Entity } from './form.ts'

/** Whose the items of a design are, as it writes that (spec rule 22). */
export interface Tenants {
  /** The attribute that holds the tenant's id. */
  readonly by: string
  /** By name of an entity: the attribute that holds it there, such as the `id` of the tenant itself. */
  readonly of?: Readonly<Record<string, string>>
  /** Entities whose items of no tenant are there for every tenant to read; only operators write them. */
  readonly shared?: readonly Entity[]
  /** Entities of whose items those of no tenant may be given something by any: decisions made for a tenant know them, its own reads do not. */
  readonly guests?: readonly Entity[]
  /** Entities whose items are nobody's, and that only operators read and refer to. */
  readonly operators?: readonly Entity[]
  /** Access patterns that read items of many tenants, which only operators may. */
  readonly crossing?: readonly string[]
}

/** Whose the items of one entity are. */
export interface TenantOf {
  /** The attribute that holds the tenant's id; absent where the entity has none. */
  readonly attribute?: string | undefined
  readonly isShared: boolean
  /** Those of none are met by decisions that are made for any tenant. */
  readonly isGuest?: boolean
}

export function tenantOf({ by, of = {}, shared = [], guests = [] }: Tenants, entity: Entity): TenantOf {
  const name = of[entity.name] ?? by
  const attribute = entity.attributes[name] === undefined ? undefined : name
  return Object.freeze({ attribute, isShared: shared.includes(entity), isGuest: guests.includes(entity) })
}

/** Every entity tells its tenant, is shared or is for operators; what is named exists. Throws `InvalidDesign`. */
export function checkTenants(
  tenants: Tenants,
  entities: Readonly<Record<string, Entity>>,
  patterns: Readonly<Record<string, unknown>>,
  refuse: (message: string) => FreeholdError,
): void {
  const { of = {}, shared = [], guests = [], operators = [], crossing = [] } = tenants
  for (const entity of Object.values(entities)) {
    const { attribute, isShared, isGuest = false } = tenantOf(tenants, entity)
    const isHidden = operators.includes(entity)
    if (isHidden && (attribute !== undefined || isShared)) throw refuse(`${entity.name} is for operators alone, and yet for tenants`)
    if (isGuest && (attribute === undefined || isShared))
      throw refuse(`${entity.name} is a guest, and yet there for every tenant or of none`)
    if (attribute === undefined && !isShared && !isHidden)
      throw refuse(`${entity.name} does not say whose it is: it has no '${of[entity.name] ?? tenants.by}'`)
  }
  const stray =
    Object.keys(of).find((name) => entities[name] === undefined) ??
    [...shared, ...guests, ...operators].find(({ name }) => entities[name] === undefined)?.name
  if (stray !== undefined) throw refuse(`its tenants name ${stray}, which is not among its entities`)
  const unknown = crossing.find((name) => patterns[name] === undefined)
  if (unknown !== undefined) throw refuse(`its tenants name the access pattern '${unknown}', which it does not have`)
}
