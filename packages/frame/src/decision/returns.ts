import {
  type Attribute,
  type Attributes,
  count,
  type Entity,
  type Item,
  type Json,
  map,
  oneOf,
  type Page,
  record,
  text,
} from '@freehold/table'
import { jsonSchema } from '@freehold/table/runtime'

/** A type that a declaration carries for the compiler alone. */
declare const result: unique symbol

/** The result of a flow, as command, HTTP and docs tell it. `R` is its type in a program. */
export type Returns<R = unknown> = { readonly [result]?: R } & (
  | { readonly kind: 'item'; readonly entity: Entity }
  | { readonly kind: 'values'; readonly values: Attributes }
  | { readonly kind: 'page'; readonly entity: Entity }
  | { readonly kind: 'page'; readonly values: Attributes; readonly hasOthers?: true; readonly beside?: Attributes }
  | { readonly kind: 'nothing' }
)

/** An item as it is after the flow. */
export function itemOf<E extends Entity>(entity: E): Returns<Item<E>> {
  return { kind: 'item', entity }
}

/** A page of items of an entity. */
export function pageOf<E extends Entity>(entity: E): Returns<Page<Item<E>>> {
  return { kind: 'page', entity }
}

type NameIn<R> = R extends unknown ? keyof R : never
/** Attributes that describe each property of a result. The document of the API requires what is neither optional nor a copy. */
type Described<R> = {
  readonly [N in NameIn<R>]: [R] extends [{ readonly [K in N]: unknown }] ? Attributes[string] : Attribute<unknown, 'optional' | 'copied'>
}

/** Values that are no item. */
export function valuesOf<R>(values: Described<R>): Returns<R> {
  return { kind: 'values', values }
}

/**
 * A page of values that are no items.
 * @param beside what the page has beside them; all of it may be absent
 */
export function pageOfValues<R>(values: Described<R>, beside?: Attributes): Returns<Page<R>> {
  return { kind: 'page', values, ...(beside === undefined ? {} : { beside }) }
}

/** A page of items of any entity, each with its own attributes. */
export function pageOfAny<R>(values: Described<Pick<R, keyof R & 'Type'>>): Returns<Page<R>> {
  return { kind: 'page', values, hasOthers: true }
}

/** No result: the flow is done, or its durable job is under way. */
export const nothing: Returns<void> = { kind: 'nothing' }

/** The attributes of an entity as its items have them. What is copied, and what another program may leave out, may be absent. */
export function itemAttributes<E extends Entity>({ attributes }: E): Described<Omit<Item<E>, 'Type' | 'version' | 'deleting'>> {
  const each = Object.entries(attributes).map(([name, attribute]) => [
    name,
    attribute.presence === 'copied' || attribute.absent !== undefined ? { ...attribute, presence: 'optional' as const } : attribute,
  ])
  // Each has the kind of its attribute.
  return Object.fromEntries(each) as Described<Omit<Item<E>, 'Type' | 'version' | 'deleting'>>
}

/** The entities of items within other values, by the schemas that these have. */
const shown = new WeakMap<object, Entity>()

/** An item within other values: its entity's attributes, but for secrets. */
export function shownOf(entity: Entity) {
  const all: Attributes = itemAttributes(entity)
  const parts: Attributes = Object.fromEntries(Object.entries(all).filter(([, { isSecret }]) => !isSecret))
  const item = record({ Type: oneOf(entity.name), version: count(), ...parts, deleting: text().optional() })
  shown.set(item.kind.schema, entity)
  return item
}

/** The entity of the items that a value is, or is a list of. Undefined for one that is none. */
export function shownIn({ kind }: Attribute): Entity | undefined {
  return shown.get(kind.schema) ?? (kind.of && shown.get(kind.of.schema))
}

const anyMap = map()
/** Any value that JSON has. */
export const anyJson: Attribute<Json> = { ...anyMap, schema: jsonSchema, kind: { ...anyMap.kind, name: 'json', schema: jsonSchema } }
// Only the presence differs.
/** Any value that JSON has, or none. */
export const anyJsonOrNone = { ...anyJson, presence: 'optional' } as Attribute<Json, 'optional'>
