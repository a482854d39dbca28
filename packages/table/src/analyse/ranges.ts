import type { CompiledPattern } from '../design/compiled-pattern.ts'
import type { Entity } from '../design/form.ts'
import { type EntityKey, type KeyExample, keyInWords } from './entity-keys.ts'
import { type Finding, finding } from './finding.ts'
import { keyWithin, rangeOf } from './range.ts'
import type { Check, Survey } from './survey.ts'

function exampleOf(found: ReadonlyMap<Entity, KeyExample>, entity: Entity): string {
  const example = found.get(entity)
  return example === undefined ? '' : `, such as ${keyInWords(example)}`
}

/** The entities whose items can lie in the range of a pattern, each with an example. */
function inside(pattern: CompiledPattern, keys: readonly EntityKey[]): Map<Entity, KeyExample> {
  const range = rangeOf(pattern)
  const found = new Map<Entity, KeyExample>()
  for (const key of keys) {
    const example = found.has(key.entity) ? undefined : keyWithin(range, key)
    if (example !== undefined) found.set(key.entity, example)
  }
  return found
}

function checkPattern(pattern: CompiledPattern, { keys }: Survey): Finding[] {
  const { name, entities, addition } = pattern
  const found = inside(pattern, keys)
  const strangers = [...found.keys()].flatMap((entity): Finding[] => {
    const such = exampleOf(found, entity)
    const details = { other: entity.name, example: found.get(entity) }
    if (entity.form.addition !== undefined && addition === undefined) {
      const message =
        `The addition ${entity.name} can lie in the range of ${name}${such}, which the source document reads. ` +
        'Give the addition a partition or a sort-key prefix of its own.'
      return [finding('AdditionInRange', name, message, details)]
    }
    if (entities.includes(entity)) return []
    const message =
      `The range of ${name} can hold a ${entity.name}${such}, which it does not name among its results. ` +
      'Narrow the range, move one of the two, or name it.'
    return [finding('ForeignInRange', name, message, details)]
  })
  const absent = entities
    .filter((entity) => !found.has(entity))
    .map(({ name: other }) =>
      finding(
        'NeverReturned',
        name,
        `${name} names ${other}, whose items are never in its range: the kinds of its parameters do not fit the key. Leave ${other} out.`,
        { other },
      ),
    )
  return [...strangers, ...absent]
}

/**
 * A query reads only items of the entities that it names (spec rules 3 and 16), and additions stay out of the ranges of the source
 * document. A get reads one key, and `collisions` proves that a key belongs to one entity.
 */
export const ranges: Check = (survey) =>
  survey.patterns.filter(({ operation }) => operation === 'query').flatMap((pattern) => checkPattern(pattern, survey))
