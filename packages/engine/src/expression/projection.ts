import { type AttributeValue, attributeOf, type Item, type MutableItem, setAttribute } from '../value/attribute-value.ts'
import type { Bindings } from './bindings.ts'
import { parseProjection } from './parse.ts'
import { checkDistinct, type Path } from './path.ts'

/** @throws ServiceError for an expression that DynamoDB refuses */
export function projectionOf(bindings: Bindings, text: string | undefined): readonly Path[] | undefined {
  if (text === undefined) return undefined
  const parsed = parseProjection(text)
  bindings.use('ProjectionExpression', parsed)
  const paths = parsed.tree.map((path) => bindings.path(path))
  checkDistinct('ProjectionExpression', paths)
  return paths
}

/** The parts of an item that lie at the paths. Elements of a list keep their order, and close ranks. */
export function projected(item: Item, paths: readonly Path[]): Item {
  const whole = paths.every((path) => path.length === 1)
  return whole ? attributesOf(item, paths.flat().map(String)) : partOfMap(item, paths)
}

export function attributesOf(item: Item, names: Iterable<string>): Item {
  const part: MutableItem = {}
  for (const name of names) {
    const value = attributeOf(item, name)
    if (value !== undefined) setAttribute(part, name, value)
  }
  return part
}

function partOf(value: AttributeValue, paths: readonly Path[]): AttributeValue | undefined {
  if (paths.some((path) => path.length === 0)) return value
  if ('M' in value) {
    const part = partOfMap(value.M, paths)
    return Object.keys(part).length === 0 ? undefined : { M: part }
  }
  if (!('L' in value)) return undefined
  const parts = [...grouped(paths)].flatMap(([index, rest]) => {
    const element = typeof index === 'number' ? value.L[index] : undefined
    const part = element === undefined ? undefined : partOf(element, rest)
    return part === undefined ? [] : [{ index: Number(index), part }]
  })
  return parts.length === 0 ? undefined : { L: parts.sort((a, b) => a.index - b.index).map(({ part }) => part) }
}

function partOfMap(map: Item, paths: readonly Path[]): Item {
  const part: MutableItem = {}
  for (const [name, rest] of grouped(paths)) {
    const value = typeof name === 'string' ? attributeOf(map, name) : undefined
    const kept = value === undefined ? undefined : partOf(value, rest)
    if (kept !== undefined) setAttribute(part, String(name), kept)
  }
  return part
}

/** The rests of the paths, by their first elements. */
function grouped(paths: readonly Path[]): Map<string | number, Path[]> {
  const groups = new Map<string | number, Path[]>()
  for (const [first, ...rest] of paths) {
    if (first !== undefined) groups.set(first, [...(groups.get(first) ?? []), rest])
  }
  return groups
}
