import { FreeholdError } from '../errors.ts'
import { delimiter, parseTemplate, type Segment, type Template } from '../key/template.ts'
import type { Kind } from '../kind/kind.ts'
import type { SortOperator } from './comparison.ts'
import type { Entity } from './form.ts'
import { frozen } from './frozen.ts'
import { type Pattern, type QueryShape, templatesIn } from './pattern.ts'
import { keyPlaceholders } from './reference.ts'

/** A parameter of an access pattern. It has the kind of its attribute. */
export interface Parameter {
  readonly name: string
  readonly kind: Kind
  readonly isRequired: boolean
  /** It ends a range or a prefix, so a part of a value may be given. */
  readonly isBound: boolean
}

export interface CompiledSort {
  readonly operator: SortOperator
  readonly templates: readonly Template[]
  /** The prefix consists of whole segments and others follow, so it ends with the delimiter (spec rule 3). */
  readonly endsWithDelimiter: boolean
  /** The templates cover the whole sort key. Only then may the value of the last placeholder contain the delimiter (spec rule 1). */
  readonly isWhole: boolean
  /** Every sort key has further segments after the templates. */
  readonly isOpen: boolean
}

/** An access pattern, checked against its entities. Planning, proofs and listings read it. */
export interface CompiledPattern {
  readonly name: string
  readonly operation: 'get' | 'query'
  readonly index?: string | undefined
  /** Names of the key attributes that the request uses. */
  readonly keyNames: readonly [partition: string, sort: string]
  readonly partition: Template
  readonly sort?: CompiledSort | undefined
  readonly filters: readonly string[]
  readonly descending: boolean
  readonly parameters: readonly Parameter[]
  readonly entities: readonly Entity[]
  /** Why the pattern exists although the source document does not have it. */
  readonly addition?: string | undefined
}

/** The attribute names of a key: `PK` and `SK`, or `GSI1PK` and `GSI1SK`. */
export function keyNames(index: string | undefined): readonly [partition: string, sort: string] {
  return [`${index ?? ''}PK`, `${index ?? ''}SK`]
}

type Bindings = Map<string, Kind>

function bindSegment(own: Segment, theirs: Segment, entity: Entity, bindings: Bindings): boolean {
  if (theirs.placeholder === undefined) return own.literal === theirs.literal
  const { before, behind } = theirs
  const kind = entity.attributes[theirs.placeholder]?.kind
  if (kind?.domain === undefined) return false
  if (own.placeholder === undefined) {
    const value = own.literal.slice(before.length, own.literal.length - behind.length)
    return own.literal === before + value + behind && kind.domain.pattern.test(value)
  }
  if (own.before !== before || own.behind !== behind) return false
  if (!bindings.has(own.placeholder)) bindings.set(own.placeholder, kind)
  return true
}

/**
 * Gives each placeholder of a pattern's template the kind of the entity's placeholder at the same position. Undefined if the templates
 * differ.
 */
function bind(
  template: Template,
  entityTemplate: Template,
  entity: Entity,
  isPrefix: boolean,
): { bindings: Bindings; isWhole: boolean } | undefined {
  const own = template.alternatives[0]?.segments ?? []
  // The prefix `BUILDING#` is the segment BUILDING, followed by anything.
  const segments = isPrefix && own.at(-1)?.literal === '' ? own.slice(0, -1) : own
  for (const { segments: theirs } of entityTemplate.alternatives) {
    if (isPrefix ? segments.length > theirs.length : segments.length !== theirs.length) continue
    const bindings: Bindings = new Map()
    const fits = segments.every((segment, index) => {
      const other = theirs[index]
      return other !== undefined && bindSegment(segment, other, entity, bindings)
    })
    if (fits) return { bindings, isWhole: segments.length === theirs.length }
  }
  return undefined
}

type SortShape = Omit<CompiledSort, 'isWhole' | 'isOpen'>

function bindSort(sort: SortShape, entitySort: Template, entity: Entity, bindings: Bindings, refuse: (why: string) => Error): boolean {
  let isWhole = true
  for (const template of sort.templates) {
    const bound = bind(template, entitySort, entity, sort.operator !== '=')
    if (bound === undefined)
      throw refuse(`'${template.source}' is not the beginning of the sort key '${entitySort.source}' of ${entity.name}`)
    if (sort.operator === 'begins_with' && bound.isWhole)
      throw refuse(`'${template.source}' is the whole sort key of ${entity.name}: use equals, or beginsWithPart`)
    for (const [placeholder, kind] of bound.bindings) if (!bindings.has(placeholder)) bindings.set(placeholder, kind)
    isWhole &&= bound.isWhole
  }
  return isWhole
}

function compileSort({ operator, templates }: NonNullable<QueryShape['sort']>): SortShape {
  const compiled = templates.map((template) => {
    const whole = operator === 'begins_with' && template.endsWith(delimiter) ? template.slice(0, -1) : template
    return parseTemplate(whole)
  })
  return { operator, templates: compiled, endsWithDelimiter: operator === 'begins_with' }
}

/** `a` comes before `a!`, but `a_x` behind `a!_x`. */
const endsBehindPlaceholder = ({ alternatives }: Template) => alternatives.some(({ segments }) => (segments.at(-1)?.behind ?? '') !== '')

function isOpen({ templates }: SortShape, { index, entities }: QueryShape): boolean {
  const longest = Math.max(...templates.flatMap(({ alternatives }) => alternatives.map(({ segments }) => segments.length)))
  const sorts = entities.flatMap((entity) => templatesIn(entity, index)?.sort.alternatives ?? [])
  return sorts.every(({ segments }) => segments.length > longest)
}

function compileQuery(name: string, shape: QueryShape, why: string | undefined): CompiledPattern {
  const refuse = (problem: string) => new FreeholdError('InvalidDesign', `The access pattern ${name}: ${problem}.`, { pattern: name })
  const partition = parseTemplate(shape.partition)
  const sort = shape.sort === undefined ? undefined : compileSort(shape.sort)
  if (shape.entities.length === 0) throw refuse('names no entity that it returns')
  if ([partition, ...(sort?.templates ?? [])].some(({ alternatives }) => alternatives.length > 1))
    throw refuse("has '|' in a key: a query reads one partition")
  const behind = sort?.operator === '=' || sort?.operator === 'begins_with' ? [] : sort?.templates.filter(endsBehindPlaceholder)
  if (behind?.[0] !== undefined)
    throw refuse(`compares '${behind[0].source}', where text behind a placeholder changes the order of its values`)
  const bindings: Bindings = new Map()
  let isWhole = true
  for (const entity of shape.entities) {
    const templates = templatesIn(entity, shape.index)
    if (templates === undefined) throw refuse(`${entity.name} has no key in ${shape.index}`)
    const bound = bind(partition, templates.partition, entity, false)
    if (bound === undefined)
      throw refuse(`${entity.name} is not in partition '${shape.partition}': its partition key is '${templates.partition.source}'`)
    for (const [placeholder, kind] of bound.bindings) if (!bindings.has(placeholder)) bindings.set(placeholder, kind)
    if (sort !== undefined) isWhole = bindSort(sort, templates.sort, entity, bindings, refuse) && isWhole
  }
  const boundPlaceholders = new Set(
    sort !== undefined && sort.operator !== '=' && sort.operator !== 'begins_with'
      ? sort.templates.flatMap(({ placeholders }) => placeholders.slice(-1))
      : [],
  )
  const placeholders: Parameter[] = [...bindings].map(([placeholder, kind]) => ({
    name: placeholder,
    kind,
    isRequired: true,
    isBound: boundPlaceholders.has(placeholder),
  }))
  const filters = [...shape.filters, ...shape.optionalFilters].map((filter): Parameter => {
    const kind = shape.entities[0]?.attributes[filter]?.kind
    const lacking = shape.entities.find(({ attributes }) => attributes[filter] === undefined)
    if (lacking !== undefined || kind === undefined) throw refuse(`filters by '${filter}', which ${lacking?.name} does not have`)
    return { name: filter, kind, isRequired: shape.filters.includes(filter), isBound: false }
  })
  return frozen({
    name,
    operation: 'query',
    index: shape.index,
    keyNames: keyNames(shape.index),
    partition,
    sort: sort === undefined ? undefined : { ...sort, isWhole, isOpen: isOpen(sort, shape) },
    filters: [...shape.filters, ...shape.optionalFilters],
    descending: shape.descending,
    parameters: [...placeholders, ...filters.filter(({ name: filter }) => !bindings.has(filter))],
    entities: shape.entities,
    addition: why,
  })
}

function compileGet(name: string, entity: Entity, why: string | undefined): CompiledPattern {
  const { partition, sort } = entity.form.key
  const parameters = keyPlaceholders(entity).flatMap((placeholder): Parameter[] => {
    const attribute = entity.attributes[placeholder]
    return attribute === undefined
      ? []
      : [{ name: placeholder, kind: attribute.kind, isRequired: attribute.presence !== 'optional', isBound: false }]
  })
  const equal: CompiledSort = { operator: '=', templates: [sort], endsWithDelimiter: false, isWhole: true, isOpen: false }
  return frozen({
    name,
    operation: 'get',
    keyNames: keyNames(undefined),
    partition,
    sort: equal,
    filters: [],
    descending: false,
    parameters,
    entities: [entity],
    addition: why,
  })
}

/** Checks and compiles an access pattern. Throws `InvalidDesign` if it cannot return one of its entities. */
export function compilePattern(name: string, { shape }: Pick<Pattern, 'shape'>): CompiledPattern {
  const additions = shape.entities.map(({ form }) => form.addition)
  const why = shape.addition ?? (additions.every((addition) => addition !== undefined) ? additions[0] : undefined)
  return shape.operation === 'get' ? compileGet(name, shape.entities[0], why) : compileQuery(name, shape, why)
}
