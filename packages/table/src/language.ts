/** The language of single-table designs: what a design.ts imports. */
export type { Attribute, Attributes, Making, Presence, Value } from './design/attribute.ts'
export * from './design/attributes.ts'
export { type AnyDesign, type Design, design } from './design/design.ts'
export { type Edge, edge } from './design/edge.ts'
export { type Change, type Entity, entity, type Id, type Item, type New } from './design/entity.ts'
export { mirror, unique } from './design/further.ts'
export { atLeast, atMost, beginsWith, beginsWithPart, between, equals, get, type Pattern, query, queryOn } from './design/pattern.ts'
export type { Hole, Key, Keys, None, Show } from './design/types.ts'
