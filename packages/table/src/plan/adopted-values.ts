import type { Making } from '../design/attribute.ts'
import type { DesignForm } from '../design/design.ts'
import type { Entity, Reference } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import { attributesOf } from './attributes-of.ts'
import { copiedValues, targetKey } from './copies.ts'
import { copiesOf } from './create.ts'
import type { Values } from './input.ts'
import type { TableKey } from './keys.ts'
import type { Known, Needs } from './known.ts'
import type { Stored } from './stored.ts'

// The values that an item of another program would have, had the design written it.

/** Defaults of attributes that the source document does not have. Those that it has are another program's to write. */
export function withDefaults(entity: Entity, item: Stored, making: Making): Values {
  const values: Values = { ...item }
  for (const [name, { presence, make, why }] of attributesOf(entity))
    if (presence === 'made' && why !== undefined && (values[name] === undefined || values[name] === null)) values[name] = make?.(making)
  return values
}

/** What an attribute that is copied would be, by the source that the reference leads to. */
function copyOf(entity: Entity, name: string, values: Readonly<Values>, look: Known['look'], needs: TableKey[]): unknown {
  const copy = copiesOf(entity).find(({ attribute }) => attribute === name)
  for (const reference of entity.form.references) {
    const key = reference.attribute === copy?.through ? targetKey(reference, values) : undefined
    const source = key === undefined ? undefined : look(key)
    if (source === 'unread' && key !== undefined) needs.push(key)
    else if (copy !== undefined && source !== undefined && source !== 'unread')
      return copiedValues([copy], new Map([[reference.attribute, source]]))[name]
  }
  return undefined
}

/**
 * The tenant of an item that does not tell it: that of what it refers to, where that is found without it. Each caller who creates one says the tenant, so that
 * no copy gives it.
 */
export function withTenant({ tenantOf }: DesignForm, entity: Entity, values: Values, known: Known): Needs | { readonly needs?: undefined } {
  const name = tenantOf?.(entity).attribute
  if (name === undefined || values[name] !== undefined || entity.attributes[name]?.presence !== 'given') return {}
  const { part, references } = entity.form
  const needs: TableKey[] = []
  for (const reference of part.kind === 'edge' ? part.edge.ends : references) {
    const own = tenantOf?.(reference.to).attribute
    const key = own === undefined ? undefined : targetKey(reference, values)
    const target = key === undefined ? undefined : known.look(key)
    if (target === 'unread' && key !== undefined) needs.push(key)
    else if (own !== undefined && target !== undefined && target !== 'unread') values[name] ??= target[own]
  }
  return needs.length > 0 ? { needs } : {}
}

/** What a look at the whole table tells: the tenants at which items of an entity lie, undefined for none, by what else is in their keys. */
export interface Tenants {
  of(entity: Entity, others: string): readonly (string | undefined)[] | 'unread'
}

/** What is in the key of an item, but for its tenant, as text. */
export function besideTenant(entity: Entity, tenant: string, values: Readonly<Values>): string {
  return JSON.stringify(keyPlaceholders(entity).map((name) => (name === tenant ? '' : values[name])))
}

/**
 * The tenant of an item that refers to another by a key in which the tenant stands, which the document does not have beside it: that of the one item which
 * has the rest of the key. `wants`: the entity whose items have to be known. `found`: how many there are.
 */
export function withTenantOfKey(
  { tenantOf }: DesignForm,
  entity: Entity,
  values: Values,
  tenants: Tenants,
): { readonly wants?: Entity; readonly found?: number; readonly reference?: Reference } {
  const name = tenantOf?.(entity).attribute
  const { presence, why } = entity.attributes[name ?? ''] ?? {}
  if (name === undefined || values[name] !== undefined || presence === 'copied' || why === undefined) return {}
  const { part, references } = entity.form
  for (const reference of part.kind === 'edge' ? part.edge.ends : references) {
    const [tenant] = Object.entries(reference.by).find(([, own]) => own === name) ?? []
    // One to the tenant itself says nothing beside it.
    if (tenant === undefined || reference.attribute === name) continue
    const named = Object.fromEntries(Object.entries(reference.by).map(([placeholder, own]) => [placeholder, values[own]]))
    const found = tenants.of(reference.to, besideTenant(reference.to, tenant, named))
    if (found === 'unread') return { wants: reference.to }
    if (found.length === 1) values[name] = found[0]
    return { found: found.length, reference }
  }
  return {}
}

/**
 * Additional attributes by which a reference is told among targets with and without a tenant: whose role an assignment is of. They are known by where
 * the target lies, with the value that stands for no tenant, or with the item's own.
 */
export function withOwners(entity: Entity, values: Values, known: Known): Needs | { readonly needs?: undefined } {
  const needs: TableKey[] = []
  for (const reference of entity.form.references)
    for (const [name, noTenant] of Object.entries(reference.absent)) {
      if (values[name] !== undefined || entity.attributes[name]?.why === undefined) continue
      const [placeholder = ''] = Object.entries(reference.by).find(([, own]) => own === name) ?? []
      const own = values[placeholder] ?? copyOf(entity, placeholder, values, known.look, needs)
      for (const candidate of own === undefined ? [noTenant] : [noTenant, own]) {
        const key = targetKey(reference, { ...values, [name]: candidate })
        const target = key === undefined ? undefined : known.look(key)
        if (target === 'unread' && key !== undefined) needs.push(key)
        else if (target !== undefined && target !== 'unread') values[name] ??= candidate
      }
    }
  return needs.length > 0 ? { needs } : {}
}

/** Kinds of what people type. Readers look for it by its one spelling, so that another is not found, or not even read. */
const spelledKinds: ReadonlySet<string> = new Set(['email', 'username', 'code', 'phone'])

/**
 * Values in the spelling that the design looks for. A value in the table key stays, since the item would have to move: a sentence says what it should be. What
 * has no good spelling stays, too.
 */
export function withSpelling(entity: Entity, stored: Values): { readonly values: Values; readonly misspelled: readonly string[] } {
  const values = { ...stored }
  const misspelled: string[] = []
  for (const [name, { kind, schema, presence }] of attributesOf(entity)) {
    const value = values[name]
    if (typeof value !== 'string' || presence === 'copied' || !spelledKinds.has(kind.name)) continue
    const { data } = schema.safeParse(value)
    if (data === undefined || data === value) continue
    if (keyPlaceholders(entity).includes(name))
      misspelled.push(
        `The ${entity.name} at '${stored.PK}' / '${stored.SK}' has the ${name} ${JSON.stringify(value)}, which is looked for as ${JSON.stringify(data)}: create it so.`,
      )
    else values[name] = data
  }
  return { values, misspelled }
}
