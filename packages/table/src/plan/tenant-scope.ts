import type { AnyDesign, DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import type { TenantOf } from '../design/tenants.ts'
import { FreeholdError, invalidInput } from '../errors.ts'
import type { Condition } from './condition.ts'
import type { Values } from './input.ts'
import { versionOf } from './stored.ts'

/** The scope of one tenant. Items outside are treated as if they did not exist (spec rule 22). */
export interface TenantScope {
  readonly tenant: string
  /** The attribute that names the tenant of an entity's items, and whether its items without a tenant are readable. */
  of(entity: Entity): TenantOf
  /** The writer is an operator, who is told that a target belongs to another tenant. Others are told that it does not exist. */
  readonly isOperators?: boolean
}

/** The time and the tenant scope of a write. Without a scope an operator writes. */
export interface WriteContext {
  readonly now: Date
  readonly tenantScope?: TenantScope | undefined
}

/**
 * The scope of a tenant that a caller names. Throws `InvalidInput` for a name that is absent or blank, and in a design without tenants: nothing but
 * the whole table would be left, which a caller that asks for a tenant never means (spec rule 22).
 */
export function tenantScopeOf({ form, name }: AnyDesign, tenant: unknown): TenantScope {
  const { tenantOf } = form
  const message = typeof tenant !== 'string' || tenant.trim() === '' ? 'names no tenant' : `is asked for, but ${name} has no tenants`
  if (typeof tenant === 'string' && tenant.trim() !== '' && tenantOf !== undefined) return Object.freeze({ tenant, of: tenantOf })
  throw invalidInput(name, [{ path: ['tenant'], message: `${message}: leave it out to work on the whole table as an operator` }])
}

/**
 * The scope in which the targets of an item must lie, even if an operator writes it: items of its own tenant, or of none. Undefined for an
 * item without a tenant, and in a design without tenants.
 */
export function tenantScopeOfItem(form: DesignForm, entity: Entity, values: Readonly<Values>): TenantScope | undefined {
  const { tenantOf } = form
  const tenant = tenantOfItem(form, entity, values)
  if (tenantOf === undefined || tenant === undefined) return undefined
  return { tenant, of: (to) => ({ attribute: tenantOf(to).attribute, isShared: true }), isOperators: true }
}

/** The tenant of an item. Undefined if it has none, and in a design without tenants. */
export function tenantOfItem({ tenantOf }: DesignForm, entity: Entity, values: Readonly<Values>): string | undefined {
  const attribute = tenantOf?.(entity).attribute
  const owner = attribute === undefined ? undefined : values[attribute]
  return typeof owner === 'string' ? owner : undefined
}

/** True for an item of another program that does not tell its tenant, which is that of something else. It is not an item without a tenant. */
export function isUntold(entity: Entity, attribute: string | undefined, item: Readonly<Values>): boolean {
  return attribute !== undefined && entity.attributes[attribute]?.absent !== undefined && versionOf(item) === 0
}

/** True for an item that the tenant may read: its own, and shared items without a tenant. */
export function isWithin(tenantScope: TenantScope | undefined, entity: Entity, item: Readonly<Values>): boolean {
  if (tenantScope === undefined) return true
  const of = tenantScope.of(entity)
  const owner = of.attribute === undefined ? undefined : item[of.attribute]
  return owner === undefined ? of.isShared && !isUntold(entity, of.attribute, item) : owner === tenantScope.tenant
}

/**
 * True for an item that decisions for the tenant use: those that it may read, guests, who have no tenant but may get grants from any, and items that do not
 * tell their tenant. What such an item lies beneath tells it, which a decision reads, too.
 */
export function isReadByDecisions(tenantScope: TenantScope | undefined, entity: Entity, item: Readonly<Values>): boolean {
  if (tenantScope === undefined || isWithin(tenantScope, entity, item)) return true
  const of = tenantScope.of(entity)
  return of.attribute !== undefined && item[of.attribute] === undefined && (of.isGuest === true || isUntold(entity, of.attribute, item))
}

/** Refuses to write an item that does not belong to the tenant. Throws `Denied`. */
export function checkOwn(tenantScope: TenantScope | undefined, entity: Entity, values: Readonly<Values>): void {
  if (tenantScope === undefined) return
  const { attribute } = tenantScope.of(entity)
  if (attribute !== undefined && values[attribute] === tenantScope.tenant) return
  throw new FreeholdError('Denied', `This ${entity.name} would not belong to the tenant that writes it.`, {
    entity: entity.name,
    reason: 'AnotherTenant',
  })
}

/** Whether the tenant may refer to items of an entity at all. */
export function isReferable(tenantScope: TenantScope | undefined, entity: Entity): boolean {
  if (tenantScope === undefined) return true
  const { attribute, isShared } = tenantScope.of(entity)
  return attribute !== undefined || isShared
}

/** The conditions on an item to which the tenant may refer: the same as `isWithin`, for DynamoDB to check. */
export function withinConditions(tenantScope: TenantScope | undefined, entity: Entity): readonly Condition[] {
  if (tenantScope === undefined) return []
  const { attribute, isShared } = tenantScope.of(entity)
  return attribute === undefined
    ? []
    : [{ is: 'of', attribute, value: tenantScope.tenant, orNone: isShared, isTold: tenantScope.isOperators === true }]
}
