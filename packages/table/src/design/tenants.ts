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

/** Why an entity does not say whose its items are, or says two things. */
function entityProblem(tenants: Tenants, entity: Entity): string | undefined {
  const { of = {}, operators = [], by } = tenants
  const { name } = entity
  const { attribute, isShared, isGuest = false } = tenantOf(tenants, entity)
  const isHidden = operators.includes(entity)
  const named = of[name]
  if (named !== undefined && entity.attributes[named] === undefined) return `${name} does not say whose it is: it has no '${named}'`
  if (isHidden && (attribute !== undefined || isShared)) return `${name} is for operators alone, and yet for tenants`
  if (isGuest && (attribute === undefined || isShared)) return `${name} is a guest, and yet there for every tenant or of none`
  return attribute === undefined && !isShared && !isHidden ? `${name} does not say whose it is: it has no '${named ?? by}'` : undefined
}

/** All that keeps an entity from naming its tenant, from being shared or from being for operators, and each name that does not exist. */
export function tenantProblems(
  tenants: Tenants,
  entities: Readonly<Record<string, Entity>>,
  patterns: Readonly<Record<string, unknown>>,
): readonly string[] {
  checkOptions('The tenants of a design', tenants, ['by', 'of', 'shared', 'guests', 'operators', 'readBy', 'crossing'])
  const { of = {}, shared = [], guests = [], readBy = {}, operators = [], crossing = [] } = tenants
  const named = [...Object.keys(of), ...Object.keys(readBy), ...[...shared, ...guests, ...operators].map(({ name }) => name)]
  const strays = [...new Set(named)].filter((name) => entities[name] === undefined)
  return [
    ...Object.values(entities).flatMap((entity) => entityProblem(tenants, entity) ?? []),
    ...strays.map((name) => `its tenants name ${name}, which is not among its entities`),
    ...crossing
      .filter((name) => patterns[name] === undefined)
      .map((name) => `its tenants name the access pattern '${name}', which it does not have`),
  ]
}
