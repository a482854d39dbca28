import type { DesignForm } from '../../design/design.ts'
import type { Entity } from '../../design/form.ts'
import { type Dependant, knownValue } from '../../design/relations.ts'
import { compareKeys, type KeyRange, prefixRange } from '../../key/range.ts'
import { type Alternative, literalPrefix } from '../../key/template.ts'
import type { Stored } from '../../plan/stored.ts'
import { enumerationOf, partitionOf } from './enumerate.ts'

/** An item that is marked, as it lies there: nothing new can hang on it. */
export interface Marked {
  readonly entity: Entity
  readonly item: Stored
}

/** What was found to hang on a marked item: the item that the enumeration reads, which may be a mirror of what hangs on it. */
export interface Found {
  readonly above: Marked
  readonly dependant: Dependant
  readonly side: Entity
  readonly item: Stored
}

interface Sought {
  readonly above: Marked
  readonly dependant: Dependant
  readonly side: Entity
  readonly sortPrefix: string
  /** Attributes that tell the item above, with its values. */
  readonly filters: readonly (readonly [string, unknown])[]
}

/** One range of one partition, and all that is looked for in it. */
export interface DependantRange {
  readonly partition: string
  readonly range: KeyRange
  readonly sought: readonly Sought[]
}

const firstSegment = (key: string) => key.split('#', 1)[0]

/** True where an entity may have items in a partition, by the first segments of their keys. */
function mayLieIn({ form }: Entity, partition: string): boolean {
  return form.key.partition.alternatives.some(
    ({ segments: [first] }) => first?.literal === undefined || first.literal === firstSegment(partition),
  )
}

function mayMeet(alternative: Alternative, { from, to }: KeyRange): boolean {
  const own = prefixRange(literalPrefix(alternative))
  return compareKeys(own.from, to) <= 0 && compareKeys(own.to, from) >= 0
}

/** By the sides and the range of a partition: whether nothing else lies there. */
type Answers = Map<string, boolean>
const answers = new WeakMap<DesignForm, Answers>()

/** True where a range of a partition holds nothing but what is looked for: one query reads it, and no item for nothing. */
function holdsNothingElse(form: DesignForm, partition: string, range: KeyRange, sides: ReadonlySet<Entity>): boolean {
  const known: Answers = answers.get(form) ?? new Map()
  answers.set(form, known)
  const question = [firstSegment(partition), range.from, range.to, ...[...sides].map(({ name }) => name)].join('\n')
  const answer =
    known.get(question) ??
    [...form.entities.values()].every(
      (entity) =>
        sides.has(entity) || !mayLieIn(entity, partition) || !entity.form.key.sort.alternatives.some((each) => mayMeet(each, range)),
    )
  known.set(question, answer)
  return answer
}

/** Of one partition: as few ranges as read nothing for nothing. */
function rangesOf(form: DesignForm, partition: string, sought: readonly Sought[]): DependantRange[] {
  const sides = new Set(sought.map(({ side }) => side))
  const ranges: { partition: string; range: KeyRange; sought: Sought[] }[] = []
  for (const each of [...sought].sort((one, other) => compareKeys(one.sortPrefix, other.sortPrefix))) {
    const last = ranges.at(-1)
    const own = prefixRange(each.sortPrefix)
    const joined = last === undefined ? own : { from: last.range.from, to: compareKeys(last.range.to, own.to) > 0 ? last.range.to : own.to }
    const isWithin = last !== undefined && compareKeys(own.from, last.range.to) <= 0
    if (last !== undefined && (isWithin || holdsNothingElse(form, partition, joined, sides))) {
      last.range = joined
      last.sought.push(each)
    } else ranges.push({ partition, range: own, sought: [each] })
  }
  return ranges
}

/** Where all is found that hangs on some items. What lies in one partition is read together, be it of one item or of several. */
export function dependantRanges(
  form: DesignForm,
  marked: readonly Marked[],
  goesWith: (entity: Entity) => readonly Dependant[],
): readonly DependantRange[] {
  const partitions = new Map<string, Sought[]>()
  for (const above of marked) {
    for (const dependant of goesWith(above.entity)) {
      const partition = partitionOf(above.entity, above.item, dependant)
      if (partition === undefined) continue
      const { side, sortPrefix, filters } = enumerationOf(above.entity, dependant)
      const told = Object.entries(filters).map(([own, known]) => [own, knownValue(above.item, known)] as const)
      const sought: Sought = { above, dependant, side, sortPrefix, filters: told }
      const others = partitions.get(partition)
      if (others === undefined) partitions.set(partition, [sought])
      else others.push(sought)
    }
  }
  return [...partitions].flatMap(([partition, sought]) => rangesOf(form, partition, sought))
}

/** What of a page hangs on the items above. */
export function foundIn({ sought }: DependantRange, page: readonly Stored[]): Found[] {
  return page.flatMap((item) =>
    sought
      .filter(
        ({ side, sortPrefix, filters }) =>
          item.Type === side.name && String(item.SK).startsWith(sortPrefix) && filters.every(([own, value]) => item[own] === value),
      )
      .map(({ above, dependant, side }) => ({ above, dependant, side, item })),
  )
}
