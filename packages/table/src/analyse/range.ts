import type { CompiledPattern, CompiledSort } from '../design/compiled-pattern.ts'
import { type Alternative, alternativeOf, delimiter, type Segment, segmentText } from '../key/template.ts'
import type { EntityKey, KeyExample } from './entity-keys.ts'
import { type KindOf, keyTexts, placeholderTexts } from './key-texts.ts'
import { type Automaton, automaton, sharedText } from './text/automaton.ts'
import { anything, type Expression, literal, sequence } from './text/expression.ts'
import { from, upTo } from './text/order.ts'

/** The range of a query: the items of one partition whose sort key every expression of `sort` accepts. It may be wider than the query. */
export interface Range {
  readonly index: string | undefined
  readonly partition: Automaton
  readonly sort: readonly Automaton[]
}

const noSegments = alternativeOf([])

function slice({ segments }: Alternative, start: number, end?: number): Alternative {
  return alternativeOf(segments.slice(start, end))
}

/** Whole segments, each followed by the delimiter. */
function before(segments: Alternative, kindOf: KindOf): Expression {
  return segments.segments.length === 0 ? sequence() : keyTexts(alternativeOf([...segments.segments, { literal: '' }]), kindOf)
}

/** An end of a range. Only the first character of a placeholder's value is known, since a part of a value may be given, such as a day. */
function end(segment: Segment | undefined, kindOf: KindOf, side: 'low' | 'high'): string {
  if (segment === undefined) return ''
  if (segment.placeholder === undefined) return segment.literal
  const { first, characters } = automaton(placeholderTexts(kindOf(segment.placeholder), true))
  const codes = [...first].flatMap((state) => characters[state] ?? []).flat()
  if (codes.length === 0) return segment.before
  // Math.min(...) would take each range as an argument, and a character class may have thousands.
  const code = codes.reduce((a, b) => (side === 'low' ? Math.min(a, b) : Math.max(a, b)))
  return segment.before + String.fromCodePoint(code)
}

function isSame(a: Segment | undefined, b: Segment | undefined): boolean {
  return a !== undefined && b !== undefined && a.placeholder === b.placeholder && segmentText(a, '{}') === segmentText(b, '{}')
}

/** The number of leading segments that both ends of a range share. The range stays within them. */
function commonLength(a: Alternative, b: Alternative): number {
  const longest = Math.min(a.segments.length, b.segments.length) - 1
  let length = 0
  while (length < longest && isSame(a.segments[length], b.segments[length])) length++
  return length
}

function compared(low: Alternative, high: Alternative, operator: 'between' | '<=' | '>=', kindOf: KindOf): Expression[] {
  const length = operator === 'between' ? commonLength(low, high) : low.segments.length - 1
  // A range with one end stays within the text before the compared value, too.
  const text = operator === 'between' ? '' : (low.segments[length]?.before ?? '')
  const start = sequence(before(slice(low, 0, length), kindOf), literal(text))
  return [
    ...(operator === '<=' ? [] : [sequence(start, from(end(low.segments[length], kindOf, 'low').slice(text.length)))]),
    ...(operator === '>=' ? [] : [sequence(start, upTo(end(high.segments[length], kindOf, 'high').slice(text.length)))]),
  ]
}

/** The sort keys that a condition accepts, for any values of its parameters. */
function sortTexts({ operator, templates }: CompiledSort, kindOf: KindOf): Expression[] {
  const [first = noSegments, second = first] = templates.map(({ alternatives }) => alternatives[0] ?? noSegments)
  switch (operator) {
    case '=':
      return [keyTexts(first, kindOf)]
    case 'begins_with':
      return [sequence(keyTexts(first, kindOf), literal(delimiter), anything)]
    case 'begins_with_part': {
      const last = first.segments.at(-1)
      // A part of a value may be any text.
      return [sequence(before(slice(first, 0, -1), kindOf), literal(last === undefined ? '' : (last.literal ?? last.before)), anything)]
    }
    default:
      return compared(first, second, operator, kindOf)
  }
}

/** The range that the query of a pattern reads. */
export function rangeOf({ index, partition, sort, parameters }: CompiledPattern): Range {
  const kindOf: KindOf = (placeholder) => parameters.find(({ name }) => name === placeholder)?.kind
  return {
    index,
    partition: automaton(keyTexts(partition.alternatives[0] ?? noSegments, kindOf)),
    sort: sort === undefined ? [] : sortTexts(sort, kindOf).map(automaton),
  }
}

/** A key of this form that lies in the range, or undefined if there is none. */
export function keyWithin(range: Range, key: EntityKey): KeyExample | undefined {
  if (range.index !== key.index) return undefined
  const partition = sharedText(range.partition, key.partition.texts)
  if (partition === undefined) return undefined
  const sort = sharedText(key.sort.texts, ...range.sort)
  return sort === undefined ? undefined : { partition, sort }
}
