import type { DesignForm } from '../../design/design.ts'
import type { Entity } from '../../design/form.ts'
import { type Dependant, knownValue } from '../../design/relations.ts'
import { compareKeys, type KeyRange, prefixRange } from '../../key/range.ts'
import { type Alternative, literalPrefix } from '../../key/template.ts'
import type { Stored } from '../../plan/stored.ts'
import { enumerationOf, partitionOf } from './enumerate.ts'

/** A marked item, as stored. It gets no new dependants. */
export interface Marked {
  readonly entity: Entity
  readonly item: Stored
}

/** A dependant that was found: the item that the enumeration reads, which may be a lookup item of the dependant. */
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
  /** Attributes that name the item above, with their values. */
  readonly filters: readonly (readonly [string, unknown])[]
}

/** A range of one partition, with all dependants that are sought in it. */
export interface DependantRange {
  readonly partition: string
  readonly range: KeyRange
  readonly sought: readonly Sought[]
}

const firstSegment = (key: string) => key.split('#', 1)[0]

/** Whether an entity may have items in a partition, judged by the first segments of its keys. */
function mayLieIn({ form }: Entity, partition: string): boolean {
  return form.key.partition.alternatives.some(
    ({ segments: [first] }) => first?.literal === undefined || first.literal === firstSegment(partition),
  )
}

function mayMeet(alternative: Alternative, { from, to }: KeyRange): boolean {
  const own = prefixRange(literalPrefix(alternative))
  return compareKeys(own.from, to) <= 0 && compareKeys(own.to, from) >= 0
}

/** By sides and range of a partition: whether it holds no other items. */
type Answers = Map<string, boolean>
const answers = new WeakMap<DesignForm, Answers>()

/** True if a range of a partition only has sought items: one query reads them, and no item is read in vain. */
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

/** The smallest number of ranges of a partition that read no item in vain. */
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

/** The ranges that find all dependants of some items. Those in the same partition are read together, even of several items. */
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

/** The items of a page that are dependants of the items above. */
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
