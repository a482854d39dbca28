import type { AnyDesign, Entity, Pattern } from '@freehold/table'
import { normal } from './normal.ts'
import { type Item, seen } from './parts.ts'
import type { Step } from './step.ts'
import { byBytes, fill, placeholderAt, type Values } from './templates.ts'
import { entityOf, type Foreseen, live, type World } from './world.ts'

type QueryShape = Extract<Pattern['shape'], { operation: 'query' }>

export function shapeOf(design: AnyDesign, name: string): Pattern['shape'] {
  const pattern = design.patterns[name]
  if (pattern === undefined) throw new Error(`No pattern is named ${name}.`)
  return pattern.shape
}

const keyIn = (entity: Entity, index: string | undefined) => (index === undefined ? entity.key : entity.indexes[index])
const segmentsOf = (template: string) => template.split('#')

/** The attribute whose values stand where a pattern has a placeholder. */
function attributeAt({ entities, index }: QueryShape, part: 0 | 1, position: number): Entity['attributes'][string] | undefined {
  for (const entity of entities) {
    const attribute = entity.attributes[placeholderAt(keyIn(entity, index)?.[part] ?? '', position) ?? '']
    if (attribute !== undefined) return attribute
  }
  return undefined
}

export interface Parameter {
  readonly attribute: Entity['attributes'][string]
  readonly isRequired: boolean
  /** The end of a range, or a prefix: less than a whole value may do. */
  readonly isEnd: boolean
}

/** The parameters of a pattern, by name. */
export function parametersOf(shape: QueryShape): ReadonlyMap<string, Parameter> {
  const found = new Map<string, Parameter>()
  const templates = [[0, shape.partition] as const, ...(shape.sort?.templates ?? []).map((template) => [1, template] as const)]
  for (const [part, template] of templates)
    for (const [position, segment] of segmentsOf(template).entries()) {
      const name = placeholderAt(segment, 0)
      const attribute = attributeAt(shape, part, position)
      if (name === undefined || attribute === undefined) continue
      const isEnd =
        part === 1 && shape.sort?.operator !== '=' && shape.sort?.operator !== 'begins_with' && position === segmentsOf(template).length - 1
      found.set(name, { attribute, isRequired: true, isEnd })
    }
  for (const name of [...shape.filters, ...shape.optionalFilters]) {
    const attribute = shape.entities.map(({ attributes }) => attributes[name]).find((each) => each !== undefined)
    if (attribute !== undefined && !found.has(name)) found.set(name, { attribute, isRequired: shape.filters.includes(name), isEnd: false })
  }
  return found
}

function normalParameters(shape: QueryShape, input: Values): Values {
  const parameters = parametersOf(shape)
  const isPart = (name: string) => shape.sort?.operator === 'begins_with_part' && parameters.get(name)?.isEnd === true
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      isPart(name) ? value : normal(parameters.get(name)?.attribute.kind.name ?? '', value),
    ]),
  )
}

/** How a value that ends a range compares with what a sort key has there. */
function comparing(
  shape: QueryShape,
  template: string,
  values: Values,
): { start: string; value: string; compare(a: string, b: string): number } {
  const segments = segmentsOf(template)
  const start = segments.length > 1 ? fill(`${segments.slice(0, -1).join('#')}#`, values) : ''
  const last = segments.at(-1) ?? ''
  const isOpen = shape.entities.some((entity) =>
    (keyIn(entity, shape.index)?.[1] ?? '').split('|').every((other) => segmentsOf(other).length > segments.length),
  )
  const isTime = attributeAt(shape, 1, segments.length - 1)?.kind.name === 'instant'
  const value = isOpen ? fill(`${last}#`, values)?.slice(0, -1) : fill(last, values)
  const ended = (text: string) => `${text.split('#')[0]}#`
  return {
    start: start ?? '',
    value: value ?? '',
    // A day takes in all its instants (spec rule 6); a value that more follows is compared with the delimiter that ends it (rule 3).
    compare: (a, b) => (isTime ? byBytes(a.slice(0, b.length), b) : isOpen ? byBytes(ended(a), ended(b)) : byBytes(a, b)),
  }
}

/** Which sort keys a pattern finds; undefined for a reversed range. */
function sortTest(shape: QueryShape, values: Values): ((key: string) => boolean) | undefined {
  const [first, second] = shape.sort?.templates ?? []
  if (shape.sort === undefined || first === undefined) return () => true
  const { operator } = shape.sort
  if (operator === '=') return (key) => key === fill(first, values)
  if (operator === 'begins_with') {
    const prefix = fill(first.endsWith('#') ? first : `${first}#`, values) ?? ''
    return (key) => key.startsWith(prefix)
  }
  const from = comparing(shape, first, values)
  if (operator === 'begins_with_part') return (key) => key.startsWith(from.start + from.value)
  const to = second === undefined ? from : comparing(shape, second, values)
  const isAtLeast = (rest: string) => operator === '<=' || from.compare(rest, from.value) >= 0
  const isAtMost = (rest: string) => operator === '>=' || to.compare(rest, to.value) <= 0
  if (operator === 'between' && from.compare(from.value, to.value) > 0) return undefined
  return (key) => key.startsWith(from.start) && isAtLeast(key.slice(from.start.length)) && isAtMost(key.slice(from.start.length))
}

function sortKeyOf(item: Item, index: string | undefined): string {
  return String(item[`${index ?? ''}SK`])
}

/** The items of a partition and a range, in order. Items of one sort key have no order among them: they are one group. */
function groups(world: World, shape: QueryShape, values: Values, isFound: (key: string) => boolean, isDescending: boolean): Item[][] {
  const partition = fill(shape.partition, values)
  const found = [...world.items.entries()]
    .filter(([place, item]) => live(world, place) !== undefined && item[`${shape.index ?? ''}PK`] === partition)
    .map(([, item]) => item)
    .filter((item) => isFound(sortKeyOf(item, shape.index)) && shape.entities.includes(entityOf(world, item)))
    .filter((item) =>
      [...shape.filters, ...shape.optionalFilters].every((name) => values[name] === undefined || item[name] === values[name]),
    )
  const byKey = new Map<string, Item[]>()
  for (const item of found) byKey.set(sortKeyOf(item, shape.index), [...(byKey.get(sortKeyOf(item, shape.index)) ?? []), item])
  const sorted = [...byKey].sort(([a], [b]) => byBytes(a, b)).map(([, items]) => items.map((item) => seen(entityOf(world, item), item)))
  return isDescending ? sorted.reverse() : sorted
}

export function foreseeQuery(world: World, step: Step): Foreseen {
  const { items } = world
  const shape = shapeOf(world.design, step.subject)
  if (shape.operation === 'get') throw new Error(`${step.subject} is no query.`)
  const values = normalParameters(shape, step.input)
  const isFound = sortTest(shape, values)
  if (isFound === undefined) return { codes: ['InvalidInput'], items }
  const isDescending = step.reading?.order === undefined ? shape.descending : step.reading.order === 'descending'
  return { codes: [], items, gives: groups(world, shape, values, isFound, isDescending) }
}
