import type { AnyDesign, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { uncapitalised } from '../declared.ts'
import { type Ids, refuse, sidesOf } from '../tie.ts'

// Scopes that contain each other, resolved against the design. Nothing is read here.

/** A scope and those above it, by their ids: the outermost first, the scope itself last. */
export type Path = readonly [outermost: string, ...beneath: string[]]

/** A scope by its kind and its id. */
export interface Scope {
  readonly scope_type: string
  readonly scope_id: string
}

/** One kind of scope. */
export interface Level {
  /** The entity's name, uncapitalised: the kind in assignments, and the field of questions. */
  readonly type: string
  readonly entity: Entity
  /** The attribute by which what lies beneath names it: `project_id`. */
  readonly name: string
  /** The attribute of its own key. */
  readonly id: string
  /** Found by the id alone, and tells the scopes above: the entity itself, or a lookup item. */
  readonly place: Entity
  /** By the index of a scope above, what lists these scopes beneath it, in the order of their paths. */
  readonly lists: readonly Entity[]
}

/** Kinds of scopes, the outermost first. What is granted at a scope is granted at everything beneath it. */
export interface ScopeChain {
  readonly levels: readonly Level[]
  /** The scope of a path and those above it, the nearest first. */
  scopesOf(path: Path): readonly Scope[]
  /** The ids of a path by the attributes that name them. */
  idsOf(path: Path): Ids
  /** The key of one of the scopes of a path. */
  keyAt(path: Path, index: number): Ids
}

export const isAll = (placeholders: readonly string[], names: readonly string[]) => placeholders.join() === names.join()

/** True if items lie in a partition by the first names, in the order of the others. */
export function lies({ form: { key } }: Entity, partition: readonly string[], sort: readonly string[]): boolean {
  const [only] = key.sort.alternatives
  return only !== undefined && isAll(only.placeholders, sort) && isAll(key.partition.placeholders, partition)
}

/** The text by which a scope is told from others: `{scope_type}#{scope_id}`. */
export const scopeText = ({ scope_type, scope_id }: Scope) => `${scope_type}#${scope_id}`

function levelsOf(design: AnyDesign, entities: Readonly<Record<string, Entity>>): readonly Level[] {
  const names = Object.keys(entities)
  return Object.entries(entities).map(([name, entity], index): Level => {
    const above = names.slice(0, index)
    const [id, ...more] = keyPlaceholders(entity).filter((placeholder) => !above.includes(placeholder))
    if (id === undefined || more.length > 0)
      return refuse(`The key of ${entity.name} is not of one attribute beside the ids of the scopes above it.`)
    const items = sidesOf(design, entity)
    const place = items.find((each) => isAll(keyPlaceholders(each), [id]))
    if (place === undefined)
      return refuse(`No item is found by the id of a ${entity.name} alone. Add mirror('${entity.name}Place', ${entity.name}, …).`)
    const lists = above.map((outer, level) => {
      const beneath = [...names.slice(level + 1, index), id]
      return (
        items.find((each) => lies(each, [outer], beneath)) ??
        refuse(`No items list each ${entity.name} by {${outer}}, in the order of {${beneath.join('}#{')}}. Add a mirror of ${entity.name}.`)
      )
    })
    return { type: uncapitalised(entity.name), entity, name, id, place, lists }
  })
}

/**
 * Declares scopes that contain each other, such as clients, their projects, and the buildings of these. Throws `InvalidDesign` if the design has no item
 * that leads from a scope to those above it, or to those beneath.
 * @param entities the outermost first, each by the attribute with which the items beneath it name it
 */
export function scopeChain(design: AnyDesign, entities: Readonly<Record<string, Entity>>): ScopeChain {
  const levels = levelsOf(design, entities)
  const [outermost] = levels
  if (outermost === undefined) return refuse('A chain of scopes has one, at least.')
  const keys = levels.map(({ entity, id }) =>
    keyPlaceholders(entity).map((name) => [name, name === id ? -1 : levels.findIndex((each) => each.name === name)] as const),
  )
  return Object.freeze({
    levels,
    scopesOf: (path: Path) => {
      const all: Scope[] = []
      for (let index = path.length - 1; index >= 0; index--)
        all.push({ scope_type: levels[index]?.type ?? '', scope_id: path[index] ?? '' })
      return all
    },
    idsOf: (path: Path) => {
      const ids: Record<string, string> = {}
      for (const [index, id] of path.entries()) ids[levels[index]?.name ?? ''] = id
      return ids
    },
    keyAt: (path: Path, index: number) => {
      const key: Record<string, string> = {}
      for (const [name, at] of keys[index] ?? []) key[name] = path[at === -1 ? index : at] ?? ''
      return key
    },
  })
}
