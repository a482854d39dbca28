import { callsPartition, jobsPartition } from '../design/design.ts'
import { type EntityKey, keyInWords, sharedKey } from './entity-keys.ts'
import { type Finding, finding } from './finding.ts'
import type { Check } from './survey.ts'
import { automaton, sharedText } from './text/automaton.ts'
import { anything, choice, literal, sequence } from './text/expression.ts'

function between(a: EntityKey, b: EntityKey): Finding | undefined {
  const example = sharedKey(a, b)
  if (example === undefined) return undefined
  const such = `such as ${keyInWords(example)}`
  if (a.entity === b.entity) {
    return finding(
      'AmbiguousAlternative',
      a.entity.name,
      `${a.entity.name} makes the same key, ${such}, in two ways, so writing such an item would be refused. ` +
        'Give one alternative a literal that no value of the other can be.',
      { example },
    )
  }
  return finding(
    'KeyCollision',
    a.entity.name,
    `${a.entity.name} and ${b.entity.name} can have the same key, ${such}: one would be written in place of the other, and Type does not ` +
      'separate them. Begin the partition or sort key of one with a literal of its own.',
    { other: b.entity.name, example },
  )
}

/** One finding for each pair of entities, even if several forms of their keys meet. */
function firstOfPair(found: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return found.filter(({ subject, details }) => {
    const pair = JSON.stringify([subject, details.other ?? null])
    return !seen.has(pair) && seen.add(pair)
  })
}

/** No two items can have the same table key, whether of two entities or of two alternatives of one template (spec rule 1). */
export const collisions: Check = ({ keys, droppedKeys }) => {
  // An item without a `Type` is known by its keys, also one of an entity that was dropped.
  const table = [...keys, ...droppedKeys].filter(({ index }) => index === undefined)
  return firstOfPair(table.flatMap((a, index) => table.slice(index + 1).flatMap((b) => between(a, b) ?? [])))
}

/** Only the runtime's own items lie in its partitions (spec rule 12). */
export const reservedPartition: Check = ({ keys }) => {
  const reserved = automaton(choice(literal(jobsPartition), sequence(literal(`${callsPartition}#`), anything)))
  const found = keys.filter(({ index, partition }) => index === undefined && sharedText(partition.texts, reserved) !== undefined)
  return [...new Set(found.map(({ entity }) => entity))].map(({ name, key }) =>
    finding(
      'ReservedPartition',
      name,
      `${name} can lie in ${jobsPartition} or a partition ${callsPartition}#…, which hold the runtime's own items: its partition key is '${key[0]}'. Begin that with a literal.`,
      { partition: key[0] },
    ),
  )
}
