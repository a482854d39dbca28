import type { Entity } from '../design/form.ts'
import type { Dependant, Enumeration } from '../design/relations.ts'
import { ownerOf } from '../design/relations.ts'
import { isAlwaysIn } from '../key/template.ts'
import { mayBeAbsent } from './copy-sources.ts'
import { type EntityKey, keyInWords } from './entity-keys.ts'
import { type Finding, finding } from './finding.ts'
import { keyTexts } from './key-texts.ts'
import { keyWithin } from './range.ts'
import type { Check, Survey } from './survey.ts'
import { automaton } from './text/automaton.ts'
import { anything, literal, sequence } from './text/expression.ts'

function label({ edge, entity }: Dependant): string {
  return edge === undefined ? entity.name : edge.sides.map(({ name }) => name).join(' and ')
}

/** An attribute of the side's key that an item may lack although it refers to the target. Without it the query does not find the item. */
export function missingPlaceholder({ side }: Enumeration, { known, reference }: Dependant): string | undefined {
  const { partition, sort } = side.form.key
  // What the target may lack, the item lacks with it.
  const ours = Object.entries(known).flatMap(([own, { attribute = '' }]) =>
    reference?.to.attributes[attribute]?.presence === 'optional' && isAlwaysIn([partition, sort], own) ? [] : [own],
  )
  return [...partition.placeholders, ...sort.placeholders].find(
    (placeholder) => !ours.includes(placeholder) && mayBeAbsent(ownerOf(side), placeholder, ours),
  )
}

function notEnumerable(target: Entity, dependant: Dependant): Finding[] {
  const { enumeration, onRemove, kind } = dependant
  if (onRemove === 'keep') return []
  const placeholder = enumeration === undefined ? undefined : missingPlaceholder(enumeration, dependant)
  if (enumeration !== undefined && placeholder === undefined) return []
  const name = label(dependant)
  const why =
    placeholder === undefined
      ? `no item of it has a partition key made of the key of ${target.name}`
      : `${enumeration?.side.name}, by which it would be found, is not written where '${placeholder}' is absent`
  const outcome = onRemove === 'refuse' ? 'it could not be refused' : 'it would leave them behind'
  const how = kind === 'reference' ? `a lookup item (mirror) of ${name}, or keep what refers to it` : 'another item of the edge'
  const message = `Removing a ${target.name} cannot find its ${name}, so ${outcome}: ${why}. Add ${how}.`
  return [finding('NotEnumerable', target.name, message, { dependant: name, kind })]
}

function foundWith({ side, sortPrefix }: Enumeration, keys: readonly EntityKey[]): { entity: Entity; words: string } | undefined {
  const partition = side.form.key.partition.alternatives[0]
  if (partition === undefined) return undefined
  const range = {
    index: undefined,
    partition: automaton(keyTexts(partition, (placeholder) => side.attributes[placeholder]?.kind)),
    sort: [automaton(sequence(literal(sortPrefix), anything))],
  }
  for (const key of keys) {
    const example = key.entity === side ? undefined : keyWithin(range, key)
    if (example !== undefined) return { entity: key.entity, words: keyInWords(example) }
  }
  return undefined
}

function mixed(target: Entity, dependant: Dependant, { keys }: Survey): Finding[] {
  const { enumeration } = dependant
  const other = enumeration === undefined ? undefined : foundWith(enumeration, keys)
  if (enumeration === undefined || other === undefined) return []
  const message =
    `The query that finds the ${enumeration.side.name} items of a ${target.name} also reads ${other.entity.name}, such as ${other.words}, ` +
    `and pays for them. Begin the sort key of ${enumeration.side.name} with a literal of its own.`
  return [finding('MixedEnumeration', target.name, message, { side: enumeration.side.name, other: other.entity.name })]
}

/** One query of the table finds all dependants of an item, so its removal leaves nothing behind (spec rules 10 and 12). */
export const enumerations: Check = (survey) =>
  survey.entities.flatMap((target) =>
    survey.design.form
      .dependantsOf(target)
      .flatMap((dependant) => [...notEnumerable(target, dependant), ...mixed(target, dependant, survey)]),
  )
