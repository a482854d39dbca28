import type { Entity } from '../design/form.ts'
import { delimiter } from '../key/template.ts'
import type { EntityKey, KeyPart } from './entity-keys.ts'
import type { Survey } from './survey.ts'

/**
 * spread: a fixed number of items in each of many partitions. bounded: a collection that grows, in the partition of one thing, so
 * that its load is the load of that thing. hot: one or few partitions that take the load of all things.
 */
export type Heat = 'spread' | 'bounded' | 'hot'

/** How much of the load one kind of partition takes. */
export interface PartitionHeat {
  /** The template, as the first entity writes it. */
  readonly partition: string
  /** The index's name; absent for the table. */
  readonly index?: string | undefined
  readonly entities: readonly string[]
  readonly heat: Heat
  readonly reason: string
  /** When to worry. */
  readonly watch: string
}

/** What DynamoDB gives one partition, in request units a second. */
export const partitionUnits = { write: 1000, read: 3000 } as const

interface Group {
  readonly first: EntityKey
  readonly keys: EntityKey[]
}

/** Templates that differ in the names of their placeholders only are of the same partitions. */
function outline({ index, partition }: EntityKey): string {
  return `${index ?? ''} ${partition.alternative.segments.map(({ literal }) => literal ?? '{}').join(delimiter)}`
}

function groupsOf(keys: readonly EntityKey[]): Group[] {
  const groups = new Map<string, Group>()
  for (const key of keys) {
    const group = groups.get(outline(key)) ?? { first: key, keys: [] }
    group.keys.push(key)
    groups.set(outline(key), group)
  }
  return [...groups.values()]
}

/** How many values a part of a key can take beyond those of `given` placeholders; infinite where a placeholder is no enumeration. */
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

/** Writes of items up to 1 KB that one partition takes a second, and why. */
function writesMax({ first, keys }: Group, survey: Survey): { writes: number; because: string } {
  const { write } = partitionUnits
  if (first.index !== undefined) {
    return { writes: write, because: `${count(write)} write units a second; a full index partition holds up the writes of the table` }
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
        'A partition holds a fixed number of items, so the load spreads as far as the values of its key do.',
        `Worry only when one value is read or written so often that it alone passes ${readsMax}, or ${count(writes)} writes a second.`,
      ]
    case 'bounded':
      return [
        `All items of one thing share a partition: at most ${count(writes)} writes a second for one of them (${because}). The others are not held up.`,
        `Worry when one thing gets more than ${count(writes / 2)} writes a second, or is listed so often that it passes ${readsMax}.`,
      ]
    case 'hot':
      return [
        `${partitions === 1 ? 'This one partition takes every write of its entities' : `The writes of its entities go to ${partitions} partitions, perhaps most of them to one`}: at most ${count(writes)} a second (${because}).`,
        `Worry when its entities are written more than ${count(writes / 2)} times a second, as an import may, or listed so often that they pass ${readsMax}.`,
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
