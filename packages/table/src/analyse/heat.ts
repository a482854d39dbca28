import type { Entity } from '../design/form.ts'
import { outline } from '../key/template.ts'
import type { EntityKey, KeyPart } from './entity-keys.ts'
import type { Survey } from './survey.ts'

/**
 * `spread`: a fixed number of items in each of many partitions. `bounded`: a growing collection in the partition of one owner, which takes
 * the load of that owner. `hot`: one or a few partitions that take the load of all owners.
 */
export type Heat = 'spread' | 'bounded' | 'hot'

/** The load of one kind of partition. */
export interface PartitionHeat {
  /** The template, as its first entity declares it. */
  readonly partition: string
  /** The index's name; absent for the table. */
  readonly index?: string | undefined
  readonly entities: readonly string[]
  readonly heat: Heat
  readonly reason: string
  /** The load at which to worry. */
  readonly watch: string
}

/** DynamoDB's limits of one partition, in request units a second. */
export const partitionUnits = { write: 1000, read: 3000 } as const

interface Group {
  readonly first: EntityKey
  readonly keys: EntityKey[]
}

/** Templates that differ only in the names of their placeholders share their partitions. */
const place = ({ index, partition }: EntityKey): string => `${index ?? ''} ${outline(partition.alternative)}`

function groupsOf(keys: readonly EntityKey[]): Group[] {
  const groups = new Map<string, Group>()
  for (const key of keys) {
    const group = groups.get(place(key)) ?? { first: key, keys: [] }
    group.keys.push(key)
    groups.set(place(key), group)
  }
  return [...groups.values()]
}

/** The number of values of a part of a key, once the `given` placeholders have theirs. Infinite unless the others are enumerations. */
function valuesOf({ alternative }: KeyPart, entity: Entity, given: readonly string[] = []): number {
  return alternative.placeholders
    .filter((placeholder) => !given.includes(placeholder))
    .reduce(
      (product, placeholder) => product * (entity.attributes[placeholder]?.kind.domain?.values?.length ?? Number.POSITIVE_INFINITY),
      1,
    )
}

function heatOf({ first, keys }: Group): Heat {
  const grows = keys.some(
    ({ entity, partition, sort }) => valuesOf(sort, entity, partition.alternative.placeholders) === Number.POSITIVE_INFINITY,
  )
  if (!grows) return 'spread'
  return valuesOf(first.partition, first.entity) === Number.POSITIVE_INFINITY ? 'bounded' : 'hot'
}

function isTransactional(entity: Entity, { design }: Survey): boolean {
  const { part, references } = entity.form
  return part.kind !== 'entity' || references.length > 0 || design.form.derivedItemsOf(entity).length > 0
}

const count = (value: number) => value.toLocaleString('en-US')

/** The writes a second that one partition takes, of items up to 1 KB, and the reason. */
function writesMax({ first, keys }: Group, survey: Survey): { writes: number; because: string } {
  const { write } = partitionUnits
  if (first.index !== undefined) {
    return { writes: write, because: `${count(write)} write units a second; a full index partition delays the writes of the table` }
  }
  return keys.some(({ entity }) => isTransactional(entity, survey))
    ? { writes: write / 2, because: `${count(write)} write units a second, and a write in a transaction takes 2 for each KB` }
    : { writes: write, because: `${count(write)} write units a second, 1 for each KB` }
}

const readsMax = `${count(partitionUnits.read)} read units a second (12 MB read consistently, 24 MB otherwise)`

function texts(
  heat: Heat,
  partitions: number,
  { writes, because }: ReturnType<typeof writesMax>,
): readonly [reason: string, watch: string] {
  switch (heat) {
    case 'spread':
      return [
        'A partition holds a fixed number of items, so the load spreads over the values of its key.',
        `Worry only if a single value alone exceeds ${readsMax}, or ${count(writes)} writes a second.`,
      ]
    case 'bounded':
      return [
        `All items of one owner share a partition: at most ${count(writes)} writes a second for each owner (${because}). Others are not affected.`,
        `Worry when one owner gets more than ${count(writes / 2)} writes a second, or is listed so often that it exceeds ${readsMax}.`,
      ]
    case 'hot':
      return [
        `${partitions === 1 ? 'This one partition takes every write of its entities' : `The writes of its entities go to ${partitions} partitions, possibly most of them to one`}: at most ${count(writes)} a second (${because}).`,
        `Worry when its entities are written more than ${count(writes / 2)} times a second, as an import may, or listed so often that they exceed ${readsMax}.`,
      ]
  }
}

function describe(group: Group, survey: Survey): PartitionHeat {
  const { partition, index, entity } = group.first
  const entities = [...new Set(group.keys.map((key) => key.entity.name))]
  const heat = heatOf(group)
  const [reason, watch] = texts(heat, valuesOf(partition, entity), writesMax(group, survey))
  return Object.freeze({ partition: partition.source, index, entities, heat, reason, watch })
}

const order: readonly Heat[] = ['hot', 'bounded', 'spread']

/** Every kind of partition, the hottest first. */
export function partitionHeat(survey: Survey): PartitionHeat[] {
  return groupsOf(survey.keys)
    .map((group) => describe(group, survey))
    .sort((a, b) => order.indexOf(a.heat) - order.indexOf(b.heat))
}
