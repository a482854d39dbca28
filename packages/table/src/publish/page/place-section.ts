import type { EntityKey } from '../../analyse/entity-keys.ts'
import type { PartitionHeat } from '../../analyse/heat.ts'
import type { Proof } from '../../analyse/prove.ts'
import { surveyOf } from '../../analyse/survey.ts'
import { type CompiledPattern, keyNames } from '../../design/compiled-pattern.ts'
import type { AnyDesign } from '../../design/design.ts'
import { grouped } from '../../grouped.ts'
import { compareKeys } from '../../key/range.ts'
import { type Alternative, segmentText } from '../../key/template.ts'
import { code, codes, lines, listed, prose, table } from './markdown.ts'
import { itemLink } from './thing.ts'

/** Templates that differ only in the names of their placeholders share their partitions. */
const outline = (partition: string) => partition.replace(/\{[^}]*\}/g, '{}')

function canRead(mine: Alternative, { alternative }: EntityKey['partition']): boolean {
  return (
    mine.segments.length === alternative.segments.length &&
    mine.segments.every((segment, index) => {
      const theirs = alternative.segments[index]
      // A literal may be a value of a placeholder of another.
      if (theirs === undefined || (segment.placeholder === undefined) !== (theirs.placeholder === undefined)) return true
      return segmentText(segment, '{}') === segmentText(theirs, '{}')
    })
  )
}

function isReadBy({ entities, partition }: CompiledPattern, keys: readonly EntityKey[]): boolean {
  return keys.some(
    (key) => entities.includes(key.entity) && partition.alternatives.some((alternative) => canRead(alternative, key.partition)),
  )
}

/** The keys in DynamoDB's order. */
function inOrder(keys: readonly EntityKey[]): EntityKey[] {
  return keys.toSorted((a, b) => compareKeys(a.sort.source, b.sort.source))
}

function placeTable(keys: readonly EntityKey[], patterns: readonly CompiledPattern[], heats: readonly PartitionHeat[]): string {
  const partitions = grouped(keys, ({ partition }) => outline(partition.source))
  const rows = [...partitions].map(([name, here]) => [
    code(here[0]?.partition.source ?? ''),
    lines(inOrder(here).map(({ entity, sort }) => `${code(sort.source)} ${itemLink(entity)}`)),
    codes(patterns.filter((pattern) => isReadBy(pattern, here)).map((pattern) => pattern.name)),
    heats.find(({ partition }) => outline(partition) === name)?.heat ?? '',
  ])
  return table(['partition key', 'items, by sort key', 'read by', 'heat'], rows)
}

/** The contents of the table and of each index, partition by partition. */
export function placeSection(design: AnyDesign, { partitions }: Proof): string[] {
  const { keys, patterns } = surveyOf(design)
  const at = (index: string | undefined) =>
    placeTable(
      keys.filter((key) => key.index === index),
      patterns.filter((pattern) => pattern.index === index),
      partitions.filter((heat) => heat.index === index),
    )
  const { indexes } = design.form
  const noIndex = design.noIndexes ? 'It has no index, and may have none.' : 'It has no index.'
  return [
    '## The table',
    `Items that share a partition key lie together, in the order of their sort keys.${indexes.length === 0 ? ` ${noIndex}` : ''}`,
    at(undefined),
    ...(indexes.length === 0
      ? []
      : [
          '## Indexes',
          'Each index holds whole items: all that have both attributes of its key. It has no consistent reads.',
          `Keys: ${indexes.map((index) => listed(keyNames(index).map(code))).join(', ')}.`,
          ...indexes.flatMap((index) => [`### ${prose(index)}`, at(index)]),
        ]),
  ]
}
