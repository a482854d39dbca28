import type { AnyDesign, CompiledPattern, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { anyValue } from '../../packages/designs/test/any-value.ts'
import type { Values } from './face.ts'

/** Attributes by which an item refers to others, or others to it: they change with those only. */
function referring(design: AnyDesign, entity: Entity): ReadonlySet<string> {
  const { part, references } = entity.form
  const own = [...references, ...(part.kind === 'edge' ? part.edge.ends : [])]
  const others = design.form.dependantsOf(entity).flatMap(({ reference }) => Object.keys(reference?.by ?? {}))
  return new Set([...own.flatMap(({ attribute, by, when }) => [attribute, ...Object.values(by), ...Object.keys(when)]), ...others])
}

/** The attributes that a caller may change in an item without changing what it belongs to. */
function changeable(design: AnyDesign, entity: Entity): readonly string[] {
  const fixed = new Set([...entity.form.fixed, ...referring(design, entity)])
  return Object.entries(entity.attributes).flatMap(([name, { presence, madeOnWrite, madeOnce }]) =>
    presence === 'copied' || madeOnWrite || madeOnce || fixed.has(name) ? [] : [name],
  )
}

/** Another value of an attribute than this one; undefined where it has no other. */
function anotherValue(entity: Entity, name: string, than: unknown): unknown {
  const attribute = entity.attributes[name]
  if (attribute === undefined) return undefined
  const values = Array.from({ length: 20 }, (_, index) => anyValue(attribute, `another ${name} ${index}`))
  return values.find((value) => JSON.stringify(value) !== JSON.stringify(than))
}

function firstChange(entity: Entity, names: readonly string[], item: Values): Values | undefined {
  for (const name of names) {
    const value = anotherValue(entity, name, item[name])
    if (value !== undefined) return { [name]: value }
  }
  return undefined
}

/** A change of one attribute that the key does not mention; undefined where all are of the key, copied, stamped or fixed. */
export function changeOf(design: AnyDesign, entity: Entity, item: Values): Values | undefined {
  const placeholders = keyPlaceholders(entity)
  const names = changeable(design, entity).filter((name) => !placeholders.includes(name) && entity.attributes[name]?.isSecret === false)
  return firstChange(entity, names, item)
}

/** A change of one attribute of the key; undefined where the item cannot move. */
export function moveOf(design: AnyDesign, entity: Entity, item: Values): Values | undefined {
  if (entity.form.part.kind === 'edge') return undefined
  return firstChange(
    entity,
    changeable(design, entity).filter((name) => keyPlaceholders(entity).includes(name)),
    item,
  )
}

/** The queries that may return an item of an entity. */
export function queriesOf({ form }: AnyDesign, entity: Entity): readonly CompiledPattern[] {
  return [...form.patterns.values()].filter(({ operation, entities }) => operation === 'query' && entities.includes(entity))
}

/**
 * Parameters with which a query may return an item: its own values, and for a parameter that it has no attribute for, as an end of a range, the
 * value of each attribute of that kind in turn. None where an attribute that the query needs is absent.
 */
export function* parametersFor({ parameters }: CompiledPattern, entity: Entity, item: Values): Generator<Values, void, void> {
  const isOwn = (name: string) => entity.attributes[name] !== undefined
  const own = parameters.filter(({ name }) => isOwn(name) && item[name] !== undefined)
  const lacking = parameters.some(({ name, isRequired }) => isRequired && isOwn(name) && item[name] === undefined)
  if (lacking) return
  const values = Object.fromEntries(own.map(({ name }) => [name, item[name]]))
  const others = parameters.filter(({ name, isRequired }) => isRequired && !isOwn(name))
  if (others.length === 0) yield values
  for (const [name, { kind }] of Object.entries(entity.attributes)) {
    if (others.length === 0 || item[name] === undefined || others.some((other) => other.kind.name !== kind.name)) continue
    yield { ...values, ...Object.fromEntries(others.map((other) => [other.name, item[name]])) }
  }
}
