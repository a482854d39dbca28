import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import type { TenantOf } from '../design/tenants.ts'
import { FreeholdError } from '../errors.ts'
import type { Condition } from './condition.ts'
import type { Values } from './input.ts'

/** The wall around one tenant: what is on the other side of it is as if it were not there (spec rule 22). */
export interface TenantScope {
  readonly tenant: string
  /** The attribute that names the tenant of an entity's items, and whether those of none are there to read. */
  of(entity: Entity): TenantOf
  /** An operator writes: it is told that something is another tenant's, rather than not there. */
  readonly isOperators?: boolean
}

/** When a write is planned, and for whom: without a wall it is an operator's. */
export interface Moment {
  readonly now: Date
  readonly tenantScope?: TenantScope | undefined
}

export function tenantScopeOf(form: DesignForm, tenant: string | undefined): TenantScope | undefined {
  const { tenantOf } = form
  return tenant === undefined || tenantOf === undefined ? undefined : Object.freeze({ tenant, of: tenantOf })
}

/**
 * What an item may refer to, whoever writes it: what is of its own tenant, or of none. Undefined for an item of no tenant, and in a design
 * without tenants.
 */
export function tenantScopeOfItem(form: DesignForm, entity: Entity, values: Readonly<Values>): TenantScope | undefined {
  const { tenantOf } = form
  const tenant = tenantOfItem(form, entity, values)
  if (tenantOf === undefined || tenant === undefined) return undefined
  return { tenant, of: (to) => ({ attribute: tenantOf(to).attribute, isShared: true }), isOperators: true }
}

/** The tenant that an item is of; undefined for one of none, and in a design without tenants. */
export function tenantOfItem({ tenantOf }: DesignForm, entity: Entity, values: Readonly<Values>): string | undefined {
  const attribute = tenantOf?.(entity).attribute
  const owner = attribute === undefined ? undefined : values[attribute]
  return typeof owner === 'string' ? owner : undefined
}

/** True for an item that the tenant may read: its own, and what is shared and of no tenant. */
export function isWithin(tenantScope: TenantScope | undefined, entity: Entity, item: Readonly<Values>): boolean {
  if (tenantScope === undefined) return true
  const { attribute, isShared } = tenantScope.of(entity)
  const owner = attribute === undefined ? undefined : item[attribute]
  return owner === undefined ? isShared : owner === tenantScope.tenant
}

/** True for an item that a decision made for the tenant goes by: what the tenant may read, and who is of none and is given something by any. */
export function isReadByDecisions(tenantScope: TenantScope | undefined, entity: Entity, item: Readonly<Values>): boolean {
  if (tenantScope === undefined || isWithin(tenantScope, entity, item)) return true
  const { attribute, isGuest = false } = tenantScope.of(entity)
  return isGuest && attribute !== undefined && item[attribute] === undefined
}

/** Refuses to write an item that is not the tenant's own. Throws `Denied`. */
export function checkOwn(tenantScope: TenantScope | undefined, entity: Entity, values: Readonly<Values>): void {
  if (tenantScope === undefined) return
  const { attribute } = tenantScope.of(entity)
  if (attribute !== undefined && values[attribute] === tenantScope.tenant) return
  throw new FreeholdError('Denied', `This ${entity.name} would not be of the tenant that writes it.`, {
    entity: entity.name,
    reason: 'AnotherTenant',
  })
}

/** True where the tenant may refer to items of an entity at all. */
export function isReferable(tenantScope: TenantScope | undefined, entity: Entity): boolean {
  if (tenantScope === undefined) return true
  const { attribute, isShared } = tenantScope.of(entity)
  return attribute !== undefined || isShared
}

/** What must hold of an item for the tenant to refer to it: the same as `isWithin`, asked of DynamoDB. */
export function withinConditions(tenantScope: TenantScope | undefined, entity: Entity): readonly Condition[] {
  if (tenantScope === undefined) return []
  const { attribute, isShared } = tenantScope.of(entity)
  return attribute === undefined
    ? []
    : [{ is: 'of', attribute, value: tenantScope.tenant, orNone: isShared, isTold: tenantScope.isOperators === true }]
}
