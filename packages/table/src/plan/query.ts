import type { Attribute } from '../design/attribute.ts'
import type { CompiledPattern, Parameter } from '../design/compiled-pattern.ts'
import { FreeholdError, type Issue, invalidInput } from '../errors.ts'
import { formatKey, lastCodePoint } from '../key/format.ts'
import { compareKeys } from '../key/range.ts'
import { checkKeySize } from '../key/size.ts'
import { alternativeOf, delimiter, type Segment, segmentText, type Template } from '../key/template.ts'
import { lookedFor, Mismatch } from '../kind/kind.ts'
import { composed } from '../kind/text.ts'
import { isPlainObject } from '../kind/value.ts'
import { attributesOf } from './attributes-of.ts'
import { Expression } from './expression.ts'
import type { Values } from './input.ts'
import { askedTerm } from './lacking.ts'
import { type Asking, readWhere } from './read-where.ts'
import { renderTerm, type Term, termText } from './term.ts'

/** The key condition of a query: the partition by equality, the sort key by one comparison. */
export interface KeyCondition {
  readonly partition: string
  readonly sort?: { readonly operator: '=' | 'BETWEEN' | '<=' | '>='; readonly values: readonly string[] } | undefined
}

/** One Query, with plain values. */
export interface QueryPlan extends KeyCondition {
  readonly pattern: CompiledPattern
  /** The values by which the pattern itself filters. */
  readonly filters: Readonly<Values>
  /** The normalised parameters by name. A cursor is bound to them. */
  readonly parameters: Readonly<Values>
  readonly expression: string
  /** What the items must satisfy. */
  readonly filter?: Term | undefined
  readonly filterExpression?: string | undefined
  /** The same, if DynamoDB cannot decide it for each item: they are looked at once more when they are understood. */
  readonly asks?: Term | undefined
  readonly names: Readonly<Record<string, string>>
  readonly values: Readonly<Values>
}

function normalise({ kind, isBound }: Parameter, value: unknown): string | { message: string } | unknown {
  if (isBound && kind.bound !== undefined) return kind.bound(value)
  const result = lookedFor(kind, value)
  if (!result.success) throw new Mismatch(result.error.issues.map(({ message }) => message).join('; '))
  return result.data
}

function partOf(value: unknown): string {
  if (typeof value !== 'string') throw new Mismatch('is not text')
  return composed(value)
}

/** Validates and normalises the parameters of a pattern. Throws `InvalidInput`, which names each missing, unknown or wrong parameter. */
export function patternParameters(pattern: CompiledPattern, given: unknown): Values {
  if (!isPlainObject(given)) {
    throw new FreeholdError('InvalidInput', `${pattern.name}: the parameters are not an object.`, { pattern: pattern.name, issues: [] })
  }
  const input = given as Values
  const issues: Issue[] = []
  const values: Values = {}
  for (const name of Object.keys(input)) {
    if (!pattern.parameters.some((parameter) => parameter.name === name))
      issues.push({ path: [name], message: 'is not a parameter of this pattern' })
  }
  for (const parameter of pattern.parameters) {
    const value = input[parameter.name]
    if (value === undefined || value === null) {
      if (parameter.isRequired) issues.push({ path: [parameter.name], message: 'is missing' })
      continue
    }
    try {
      // A part of a name is taken as it is: trimming would change the search.
      values[parameter.name] =
        parameter.isBound && pattern.sort?.operator === 'begins_with_part' ? partOf(value) : normalise(parameter, value)
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error
      issues.push({ path: [parameter.name], message: error.message })
    }
  }
  if (issues.length > 0) throw invalidInput(pattern.name, issues, { pattern: pattern.name })
  return values
}

function format(template: Template, values: Readonly<Values>, { name }: CompiledPattern): string {
  const key = formatKey(template, values, name)
  if (key === undefined)
    throw new FreeholdError('InvalidKey', `${name} needs ${template.placeholders.join(' and ')} for '${template.source}'.`, {
      pattern: name,
    })
  return key
}

/** Formats segments that are followed by others: no value may contain the delimiter, and the text ends with it. */
function formatOpen(segments: readonly Segment[], values: Readonly<Values>, pattern: CompiledPattern): string {
  if (segments.length === 0) return ''
  const open = alternativeOf([...segments, { literal: '' }])
  const source = open.segments.map((segment) => segmentText(segment, `{${segment.placeholder}}`)).join(delimiter)
  return format({ source, alternatives: [open], placeholders: open.placeholders }, values, pattern)
}

const segmentsOf = (template: Template): readonly Segment[] => template.alternatives[0]?.segments ?? []

/** The text of one end of a range. If the sort keys continue after it, its value may not contain the delimiter (spec rule 1). */
function formatEnd(template: Template, values: Readonly<Values>, pattern: CompiledPattern): string {
  if (pattern.sort?.isWhole !== false) return format(template, values, pattern)
  return formatOpen(segmentsOf(template), values, pattern).slice(0, -delimiter.length)
}

/**
 * The suffix that ends a range after its last value. A day includes all its instants (spec rule 6). A whole segment includes all keys that
 * continue it, but no longer values that begin with it (rule 3). A whole key needs none.
 */
function pastLast(template: Template, { parameters, sort }: CompiledPattern): string {
  const placeholder = segmentsOf(template).at(-1)?.placeholder
  if (parameters.find(({ name }) => name === placeholder)?.kind.bound !== undefined) return lastCodePoint
  return sort?.isWhole === true ? '' : delimiter + lastCodePoint
}

/**
 * The suffix that begins a range before its first value. If every sort key continues with the delimiter, so does the range: `p1 x` sorts
 * between `p1` and `p1#` and is another value (rule 3). An end that may be a part of a value, such as the day of an instant, has none.
 */
function beforeFirst(template: Template, { parameters, sort }: CompiledPattern): string {
  const placeholder = segmentsOf(template).at(-1)?.placeholder
  return sort?.isOpen === true && parameters.find(({ name }) => name === placeholder)?.kind.bound === undefined ? delimiter : ''
}

function reversed(pattern: CompiledPattern, from: string, to: string): FreeholdError {
  return new FreeholdError('InvalidInput', `${pattern.name}: the range is reversed: '${from}' comes after '${to}'.`, {
    pattern: pattern.name,
    issues: [],
  })
}

function sortCondition(pattern: CompiledPattern, values: Readonly<Values>): KeyCondition['sort'] {
  const { sort } = pattern
  const [first, second] = sort?.templates ?? []
  if (sort === undefined || first === undefined) return undefined
  if (sort.operator === 'begins_with') {
    const prefix = formatOpen(segmentsOf(first), values, pattern)
    return { operator: 'BETWEEN', values: [prefix, prefix + lastCodePoint] }
  }
  const text = formatEnd(first, values, pattern)
  // The range stays within the text before the compared value.
  const start = formatOpen(segmentsOf(first).slice(0, -1), values, pattern) + (segmentsOf(first).at(-1)?.before ?? '')
  switch (sort.operator) {
    case '=':
      return { operator: '=', values: [text] }
    case 'begins_with_part':
      return { operator: 'BETWEEN', values: [text, text + lastCodePoint] }
    case '<=': {
      const end = text + pastLast(first, pattern)
      return start === '' ? { operator: '<=', values: [end] } : { operator: 'BETWEEN', values: [start, end] }
    }
    case '>=': {
      const from = text + beforeFirst(first, pattern)
      return start === '' ? { operator: '>=', values: [from] } : { operator: 'BETWEEN', values: [from, start + lastCodePoint] }
    }
    case 'between': {
      const from = text + beforeFirst(first, pattern)
      const last = formatEnd(second ?? first, values, pattern)
      const end = last + pastLast(second ?? first, pattern)
      if (compareKeys(from, end) > 0) throw reversed(pattern, text, last)
      return { operator: 'BETWEEN', values: [from, end] }
    }
  }
}

function checkedSort(pattern: CompiledPattern, parameters: Readonly<Values>): KeyCondition['sort'] {
  const sort = sortCondition(pattern, parameters)
  // The ends of a range are measured, too: DynamoDB refuses one that is longer than a key.
  for (const value of sort?.values ?? []) checkKeySize(value, 'sort', pattern.name, pattern.keyNames[1])
  return sort
}

/** The key condition for normalised parameters. */
export function keyCondition(pattern: CompiledPattern, parameters: Readonly<Values>): KeyCondition {
  const partition = format(pattern.partition, parameters, pattern)
  checkKeySize(partition, 'partition', pattern.name, pattern.keyNames[0])
  return { partition, sort: checkedSort(pattern, parameters) }
}

function filtersOf({ filters }: CompiledPattern, parameters: Readonly<Values>): Values {
  return Object.fromEntries(filters.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]])))
}

/** Plans the one Query of a pattern. Throws `InvalidInput` for its parameters and for a reversed range. */
export function planQuery(pattern: CompiledPattern, given: unknown): QueryPlan {
  const parameters = patternParameters(pattern, given)
  const { partition, sort } = keyCondition(pattern, parameters)
  const [partitionName, sortName] = pattern.keyNames
  const sortExpression =
    sort === undefined ? '' : sort.operator === 'BETWEEN' ? ' AND #s BETWEEN :s0 AND :s1' : ` AND #s ${sort.operator} :s0`
  const filters = filtersOf(pattern, parameters)
  const plan: QueryPlan = {
    pattern,
    filters,
    parameters,
    partition,
    sort,
    expression: `#p = :p${sortExpression}`,
    filterExpression: undefined,
    names: { '#p': partitionName, ...(sort === undefined ? {} : { '#s': sortName }) },
    values: { ':p': partition, ...Object.fromEntries((sort?.values ?? []).map((value, index) => [`:s${index}`, value])) },
  }
  const terms = Object.entries(filters).map(([name, value]): Term => ({ is: '=', path: [name], with: { value } }))
  const [first, second] = terms
  return first === undefined ? plan : filteredBy(plan, second === undefined ? first : { is: 'and', terms })
}

/** The query with a further filter on its items. */
function filteredBy(plan: QueryPlan, more: Term): QueryPlan {
  const filter: Term = plan.filter === undefined ? more : { is: 'and', terms: [plan.filter, more] }
  const { term, isExact } = askedTerm(plan.pattern.entities, filter)
  const expression = new Expression()
  const filterExpression = renderTerm(term, expression, false)
  return {
    ...plan,
    filter,
    asks: isExact ? undefined : filter,
    filterExpression,
    // An earlier filter is a part of this one, so that all of its placeholders are here again.
    names: { ...plan.names, ...expression.names },
    values: { ...plan.values, ...expression.values },
  }
}

/** The attributes that a filter of the pattern may ask for. Of several entities, the first that has one says what it is. */
function askedOf({ entities }: CompiledPattern, secrets: readonly string[]): Asking {
  // Callers' names are looked up in it, so it has no prototype.
  const attributes: Record<string, Attribute> = Object.create(null)
  for (const entity of entities) for (const [name, attribute] of attributesOf(entity)) attributes[name] ??= attribute
  const isSecret = (name: string) => entities.some((entity) => entity.attributes[name]?.isSecret === true)
  return { attributes, isHidden: (name) => isSecret(name) && !secrets.includes(name) }
}

/** The query with a further filter, to which its cursors are bound. Throws `InvalidInput`. */
export function filtered(plan: QueryPlan, where: unknown, secrets: readonly string[]): QueryPlan {
  const { pattern, parameters } = plan
  const term = readWhere(pattern.name, where, askedOf(pattern, secrets))
  if (term === undefined) return plan
  // No parameter has such a name.
  return filteredBy({ ...plan, parameters: { ...parameters, ' where': termText(term) } }, term)
}
