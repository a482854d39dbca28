import {
  hasLabel,
  labelOf,
  ownKey,
  placeholders,
  plain,
  type ToldDesign,
  type ToldGrant,
  type ToldPattern,
  type ToldReference,
  type Values,
} from '../app/told.ts'

// Which access patterns give what hangs on an item, found in what the service tells of the design. No screen needs one that the design lacks.

/** The entity that a uniqueness guard or a lookup item stands for, else itself. */
export const ownerOf = ({ form }: ToldDesign, entity: string): string => form.entities[entity]?.owner ?? entity

/** `Branch` as `branches`. */
export function pluralOf(entity: string): string {
  const one = entity.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  if (/[^aeiou]y$/.test(one)) return one.replace(/y$/, 'ies')
  if (one === 'person') return 'people'
  return /(s|x|ch|sh)$/.test(one) ? `${one}es` : `${one}s`
}

/** Lookup items refer to what their owner refers to. */
function referencesOf(design: ToldDesign, entity: string): readonly ToldReference[] {
  const { references = [], ends = [] } = design.form.entities[ownerOf(design, entity)] ?? {}
  return [...ends, ...references]
}

/** By what an entity leads to another. */
export const referencesTo = (design: ToldDesign, entity: string, to: string): readonly ToldReference[] =>
  referencesOf(design, entity).filter((reference) => ownerOf(design, reference.to) === to)

/** Where an item leads: to an item, or to a lookup item that stands for one. */
export interface Lead {
  readonly attribute: string
  readonly to: string
  readonly id: Values
}

function leadOf(item: Values, { attribute, to, by, when = {}, absent = {} }: ToldReference, value: unknown): readonly Lead[] {
  if (value === undefined || value === null || Object.entries(when).some(([name, wanted]) => item[name] !== wanted)) return []
  const id = Object.entries(by).flatMap(([theirs, ours]) => {
    const part = ours === attribute ? value : item[ours]
    return part === undefined || part === null || absent[ours] === part ? [] : [[theirs, part] as const]
  })
  return [{ attribute, to, id: Object.fromEntries(id) }]
}

/** All items to which an item leads. */
export const leadsOf = (design: ToldDesign, entity: string, item: Values): readonly Lead[] =>
  referencesOf(design, entity).flatMap((reference) => {
    const value = item[reference.attribute]
    return reference.each === true && Array.isArray(value)
      ? value.flatMap((each) => leadOf(item, reference, each))
      : leadOf(item, reference, value)
  })

export const leadsTo = (design: ToldDesign, entity: string, item: Values, to: string): readonly Lead[] =>
  leadsOf(design, entity, item).filter((lead) => ownerOf(design, lead.to) === to)

/** The name of what an item leads to, where the item has a copy of it. */
export function copiedLabel({ form }: ToldDesign, entity: string, item: Values, attribute: string): string | undefined {
  const copies = Object.entries(form.entities[entity]?.attributes ?? {}).filter(([, { from }]) => from?.through === attribute)
  const named = copies.map(([name, { from }]) => [typeof from?.attribute === 'string' ? from.attribute : name, item[name]])
  return labelOf(Object.fromEntries(named))
}

/** An access pattern with all that it needs. */
export interface List {
  readonly pattern: string
  readonly parameters: Values
  /** What it is a list of: the owner of what it returns. */
  readonly of: string
  /** What it returns, which may be lookup items. */
  readonly returns: string
  /** The smaller, the more its items tell. */
  readonly rank: number
}

function rankOf({ form }: ToldDesign, returns: string, { sort, filters = [] }: ToldPattern): number {
  const told = form.entities[returns]
  const carried = Object.fromEntries((told?.carries ?? []).map((name) => [name, name]))
  // One whose key is a name has it in its lookup items.
  const isNamedByKey =
    told?.owner !== undefined && form.entities[told.owner]?.attributes?.[placeholders(told.key).at(-1) ?? '']?.kind === 'text'
  const tells = told?.owner === undefined ? 0 : labelOf(carried) !== undefined || isNamedByKey ? 1 : 3
  return tells + (sort?.operator === 'between' ? 0.5 : 0) + filters.length
}

/** A range of time is that of the last month, unless somebody says more. */
const month_ms = 30 * 86_400_000
const rangeOf = ({ sort }: ToldPattern, now_ms: number): Values => {
  const [from, to] = placeholders(sort?.operator === 'between' ? sort.templates : [])
  if (from === undefined || to === undefined) return {}
  const day_ms = Math.ceil(now_ms / 86_400_000) * 86_400_000
  return { [from]: new Date(day_ms - month_ms).toISOString(), [to]: new Date(day_ms).toISOString() }
}

const listOf = (design: ToldDesign, pattern: string, told: ToldPattern, parameters: Values): readonly List[] => {
  const [returns, ...others] = told.returns
  if (returns === undefined || others.length > 0 || told.operation !== 'query') return []
  return [{ pattern, parameters, returns, of: ownerOf(design, returns), rank: rankOf(design, returns, told) }]
}

/** The values of a parameter that has few. */
const valuesOf = ({ form }: ToldDesign, entity: string, name: string): readonly string[] => {
  const values = form.entities[entity]?.attributes?.[name]?.limits?.values
  return Array.isArray(values) ? values.map(String) : []
}

/** The lists of a whole table: they take nothing, or one of few values, each of which is a list. The plain one is first. */
export const wholeLists = (design: ToldDesign, of: string): readonly List[] =>
  Object.entries(design.form.patterns)
    .flatMap(([name, told]) => {
      const [parameter, ...more] = told.parameters ?? []
      if (parameter === undefined) return listOf(design, name, told, {})
      return more.length > 0 ? [] : valuesOf(design, of, parameter).flatMap((value) => listOf(design, name, told, { [parameter]: value }))
    })
    .filter((list) => list.of === of && list.rank < 3)
    .sort(
      (one, other) =>
        one.rank - other.rank || Number(plain(other.pattern) === plain(pluralOf(of))) - Number(plain(one.pattern) === plain(pluralOf(of))),
    )

/** What names an item in the parameters of other patterns: by its references, by its name, as `client_id` does, or by its key where that has its name. */
function namesOf(design: ToldDesign, entity: string, item: Values, of: string): Values {
  const own = ownKey(design, entity)
  if (own === undefined) return {}
  const bySelf = [`${plain(entity)}id`, plain(entity)]
  const referred = referencesOf(design, of)
    .filter(({ to, each }) => ownerOf(design, to) === entity && each !== true)
    .map(({ by, when = {} }) => ({ ...when, ...Object.fromEntries(Object.entries(by).map(([theirs, ours]) => [ours, item[theirs]])) }))
  const byName = Object.fromEntries(
    Object.values(design.form.patterns).flatMap(({ parameters = [] }) =>
      parameters
        .filter((each) => bySelf.includes(plain(each)) || (each === own && plain(own).startsWith(plain(entity))))
        .map((each) => [each, item[own]]),
    ),
  )
  return Object.assign(
    {},
    byName,
    ...referred.filter((each) => Object.values(each).every((value) => value !== undefined && value !== null)),
  )
}

/** The lists that begin at an item, those that tell most first. */
export function listsFrom(design: ToldDesign, entity: string, item: Values, now_ms: number): readonly List[] {
  const refers = new Map(referencesOf(design, entity).map(({ attribute }) => [attribute, item[attribute]]))
  const found = Object.entries(design.form.patterns).flatMap(([name, told]) => {
    const { parameters = [], returns } = told
    const names = namesOf(design, entity, item, ownerOf(design, returns[0] ?? ''))
    const range = rangeOf(told, now_ms)
    if (!parameters.some((each) => names[each] !== undefined)) return []
    const given = parameters.map((each) => [each, names[each] ?? range[each] ?? refers.get(each)] as const)
    if (given.some(([, value]) => value === undefined || value === null)) return []
    return listOf(design, name, told, Object.fromEntries(given))
  })
  return found.sort((one, other) => one.rank - other.rank)
}

/** The list of the places right below one. */
export function below({ people }: ToldDesign, entity: string, lists: readonly List[]): List | undefined {
  const places = people?.places ?? []
  const next = places[places.findIndex((place) => place.entity === entity) + 1]
  return places.some((place) => place.entity === entity) ? lists.find(({ of }) => of === next?.entity) : undefined
}

/** The best list for each thing that is listed. */
export const bestLists = (lists: readonly List[]): readonly List[] =>
  [...new Map([...lists].reverse().map((list) => [list.of, list])).values()].reverse()

/** The attribute that says how much of another is used: `seatsUsed` of `seats`. */
export const usedOf = ({ form }: ToldDesign, of: string, attribute: string): string | undefined =>
  Object.keys(form.entities[of]?.attributes ?? {}).find((name) => plain(name) === `${plain(attribute)}used`)

/** True for an entity of which something is used up, such as a licence with seats. */
export const isUsedUp = (design: ToldDesign, of: string): boolean =>
  Object.keys(design.form.entities[of]?.attributes ?? {}).some((name) => usedOf(design, of, name) !== undefined)

/** The attributes of a list that people want to see: not ids, not stamps, and what names the item is there already. */
export function columnsFor({ form }: ToldDesign, of: string, rows: readonly Values[], most: number): readonly string[] {
  const { attributes = {}, references = [], ends = [], key } = form.entities[of] ?? { kind: 'entity', key: ['', ''] as const }
  const leads = new Set([...references, ...ends].map(({ attribute }) => attribute))
  const keys = placeholders(key)
  const order = ['email', 'enum', 'flag', 'count', 'number', 'day', 'instant', 'code', 'text']
  const isShown = ([name, { kind, stamp, secret }]: readonly [string, { kind: string; stamp?: string; secret?: true }]) =>
    order.includes(kind) &&
    stamp === undefined &&
    secret !== true &&
    !leads.has(name) &&
    !keys.includes(name) &&
    rows.some((row) => row[name] !== undefined && row[name] !== null && row[name] !== labelOf(row) && typeof row[name] !== 'object') &&
    !/^(first|last|given|family|display)_?name$|^name$|renaming|used$/i.test(name)
  return Object.entries(attributes)
    .filter(isShown)
    .sort(([, one], [, other]) => order.indexOf(one.kind) - order.indexOf(other.kind))
    .map(([name]) => name)
    .slice(0, most)
}

export const isNamed = (design: ToldDesign, entity: string): boolean => {
  const told = design.form.entities[ownerOf(design, entity)]
  return told !== undefined && hasLabel(told)
}

/** The declared grant that a list is of; both items of an edge are one. */
export const grantIn = ({ people, form }: ToldDesign, of: string): ToldGrant | undefined => {
  const sides = form.entities[of]?.sides ?? [of]
  return people?.grants.find(({ entity }) => entity === of || sides.includes(entity))
}
