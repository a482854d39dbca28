import { invalid } from '../errors.ts'
import { type AttributeValue, attributeOf, type Item } from '../value/attribute-value.ts'

/** A document path with its names: `a.b[1]` is `['a', 'b', 1]`. */
export type Path = readonly (string | number)[]

/** The value at a path of an item; undefined if there is none. */
export function valueAt(item: Item | undefined, path: Path): AttributeValue | undefined {
  const [first, ...rest] = path
  let value = typeof first === 'string' ? attributeOf(item, first) : undefined
  for (const element of rest) {
    if (value === undefined) return undefined
    if (typeof element === 'number') value = 'L' in value ? value.L[element] : undefined
    else value = 'M' in value ? attributeOf(value.M, element) : undefined
  }
  return value
}

/** @throws ServiceError for two paths of which one contains the other, or treats it as another kind of document. */
export function checkDistinct(label: string, paths: readonly Path[]): void {
  for (const [at, path] of paths.entries()) {
    for (const other of paths.slice(0, at)) {
      const length = Math.min(path.length, other.length)
      const differs = path.findIndex((element, index) => index >= length || element !== other[index])
      const isWithin = differs === -1 || differs >= length
      const isConflict = !isWithin && typeof path[differs] !== typeof other[differs]
      if (!isWithin && !isConflict) continue
      const relation = isWithin ? 'overlap' : 'conflict'
      throw invalid(
        `Invalid ${label}: Two document paths ${relation} with each other; must remove or rewrite one of these paths; path one: ${shown(other)}, path two: ${shown(path)}`,
      )
    }
  }
}

export function shown(path: Path): string {
  return `[${path.map((element) => (typeof element === 'number' ? `[${element}]` : element)).join(', ')}]`
}
