import type { Attribute } from '../design/attribute.ts'
import type { Entity, KeyTemplates } from '../design/form.ts'
import type { Alternative, Template } from '../key/template.ts'
import { keyTexts, sourceOf } from './key-texts.ts'
import { type Automaton, automaton, sharedText } from './text/automaton.ts'
import { type Expression, shortest } from './text/expression.ts'

/** A partition key or a sort key: its alternative, and the texts that it can be. */
export interface KeyPart {
  readonly source: string
  readonly alternative: Alternative
  readonly bytesMin: number
  readonly texts: Automaton
}

/** A form of the keys of an entity, in the table or in an index. An entity whose templates have `|` has several. */
export interface EntityKey {
  readonly entity: Entity
  /** The index's name; absent for the table. */
  readonly index: string | undefined
  readonly partition: KeyPart
  readonly sort: KeyPart
}

/** An example of a key. */
export interface KeyExample {
  readonly partition: string
  readonly sort: string
}

// A copy is absent if its source lacks the attribute.
function mayBeAbsent(attribute: Attribute | undefined): boolean {
  return attribute?.presence === 'optional' || attribute?.presence === 'copied' || attribute?.absent !== undefined
}

/**
 * Whether an item can use these two alternatives together: each earlier alternative must have an optional placeholder that they do not
 * need.
 */
function canBeUsed(entity: Entity, used: readonly (readonly [Template, Alternative])[]): boolean {
  const needed = new Set(used.flatMap(([, { placeholders }]) => placeholders))
  return used.every(([{ alternatives }, alternative]) =>
    alternatives
      .slice(0, alternatives.indexOf(alternative))
      .every(({ placeholders }) =>
        placeholders.some((placeholder) => !needed.has(placeholder) && mayBeAbsent(entity.attributes[placeholder])),
      ),
  )
}

function keyPart(entity: Entity, alternative: Alternative): KeyPart {
  const texts: Expression = keyTexts(alternative, (placeholder) => entity.attributes[placeholder]?.kind)
  return { source: sourceOf(alternative), alternative, bytesMin: shortest(texts), texts: automaton(texts) }
}

function formsOf(entity: Entity, index: string | undefined, { partition, sort }: KeyTemplates): EntityKey[] {
  const sorts = new Map(sort.alternatives.map((alternative) => [alternative, keyPart(entity, alternative)]))
  return partition.alternatives.flatMap((first) => {
    const part = keyPart(entity, first)
    return [...sorts].flatMap(([second, other]): EntityKey[] =>
      canBeUsed(entity, [
        [partition, first],
        [sort, second],
      ])
        ? [{ entity, index, partition: part, sort: other }]
        : [],
    )
  })
}

/** Every form of every key of an entity. */
export function entityKeys(entity: Entity): EntityKey[] {
  const { key, indexes } = entity.form
  return [...formsOf(entity, undefined, key), ...Object.entries(indexes).flatMap(([index, templates]) => formsOf(entity, index, templates))]
}

/** A key that both forms can make, or undefined if there is none. */
export function sharedKey(a: EntityKey, b: EntityKey): KeyExample | undefined {
  if (a.index !== b.index) return undefined
  const partition = sharedText(a.partition.texts, b.partition.texts)
  if (partition === undefined) return undefined
  const sort = sharedText(a.sort.texts, b.sort.texts)
  return sort === undefined ? undefined : { partition, sort }
}

/** A key in words. */
export function keyInWords({ partition, sort }: KeyExample): string {
  return `PK '${partition}', SK '${sort}'`
}
