import { type CompiledPattern, compilePattern } from '../design/compiled-pattern.ts'
import type { Item } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import { isFreeholdError } from '../errors.ts'
import { type Alternative, delimiter, segmentText, type Template } from '../key/template.ts'
import type { Values } from '../plan/input.ts'
import { keyText, tableKey, tableKeyIfPresent } from '../plan/keys.ts'
import { planQuery } from '../plan/query.ts'
import type { Stored } from '../plan/stored.ts'
import { isWithin } from '../plan/tenant-scope.ts'
import { isExpired, viewItem } from '../plan/view.ts'
import { canBeMissing, checkAdopted } from './adopt/adopted.ts'
import { parallelMap } from './meter.ts'
import { readItem } from './read.ts'
import type { Runtime } from './runtime.ts'
import { queryInput, sendQuery } from './send-query.ts'
import { received } from './stored-from.ts'

// Another program writes none of the guards and lookup items that a design adds to its document. There their owners are found by what the document has: the
// key of the table, or an index that leads to them from the same attributes. It follows from the design, so every guard and lookup item has it.

function ownerOf({ form: { part } }: Entity): Entity | undefined {
  return part.kind === 'guard' || part.kind === 'mirror' ? part.owner : undefined
}

/** The attributes by which this guard or lookup item is told from the others of its kind. */
function namesOf({ form: { key } }: Entity, known: Readonly<Values>): readonly string[] {
  return [key.partition, key.sort].flatMap((template) => alternativeOf(template, known)?.placeholders ?? [])
}

const alternativeOf = ({ alternatives }: Template, known: Readonly<Values>): Alternative | undefined =>
  alternatives.find(({ placeholders }) => placeholders.every((name) => known[name] !== undefined))

const textOf = ({ segments }: Alternative): string =>
  segments.map((segment) => segmentText(segment, `{${segment.placeholder}}`)).join(delimiter)

/** Owners of one value: of more, nobody is told. */
const ownersMax = 100

/** The query of an index that returns the owners alone which have these attributes. */
function patternOf(lookup: Entity, owner: Entity, known: Readonly<Values>): CompiledPattern | undefined {
  const names = namesOf(lookup, known)
  for (const [index, { partition, sort }] of Object.entries(owner.form.indexes)) {
    const first = alternativeOf(partition, known)
    const second = alternativeOf(sort, known)
    const asked = [...(first?.placeholders ?? []), ...(second?.placeholders ?? [])]
    if (first === undefined || !names.every((name) => asked.includes(name))) continue
    const whole = second === undefined ? {} : { sort: { operator: '=' as const, templates: [textOf(second)] } }
    const shape = { operation: 'query', index, partition: textOf(first), ...whole, entities: [owner] } as const
    return compilePattern(lookup.name, { shape: { ...shape, filters: [], optionalFilters: [], descending: false } })
  }
  return undefined
}

/** The attributes, and the tenant of the caller where the owner has one: it may be what a key of the owner lacks. */
function withTenant({ design: { tenants }, tenantScope }: Runtime, owner: Entity, known: Readonly<Values>): Readonly<Values> {
  const isNamed = tenants !== undefined && tenantScope !== undefined && owner.attributes[tenants.by] !== undefined
  return isNamed ? { [tenants.by]: tenantScope.tenant, ...known } : known
}

/** The owner as callers see it. Undefined unless it is there for the caller. Throws `MalformedItem`. */
function ownerView(runtime: Runtime, owner: Entity, item: Stored | undefined): Values | undefined {
  if (item?.Type !== owner.name) return undefined
  return isExpired(owner, item, runtime.now()) || !isWithin(runtime.tenantScope, owner, item) ? undefined : viewItem(owner, item)
}

/** The guard or lookup item as it would be beside this owner, if there is one. */
function beside(lookup: Entity, owner: Readonly<Values> | undefined): readonly Values[] {
  if (owner === undefined) return []
  const names = ['version', 'deleting', ...Object.keys(lookup.attributes)].filter((name) => owner[name] !== undefined)
  return [{ Type: lookup.name, ...Object.fromEntries(names.map((name) => [name, owner[name]])) }]
}

/** Nothing beside a malformed owner: a caller who asks by its name is not told of it. */
function besideReadable(runtime: Runtime, lookup: Entity, owner: Entity, item: Stored): readonly Values[] {
  try {
    return beside(lookup, ownerView(runtime, owner, item))
  } catch (error) {
    if (!isFreeholdError(error, 'MalformedItem')) throw error
    return []
  }
}

/**
 * Guards or lookup items as they would be beside their owners, for those that are absent: the owners are found by an index of the document. An index follows
 * the table late, so a caller believes one only once its owner was read from the table, and still has these attributes.
 * @param given normalised attributes: those of the key, and others that are known
 * @returns undefined if no index leads there
 */
export async function byIndex<L extends Entity>(
  runtime: Runtime,
  lookup: L,
  given: Readonly<Values>,
): Promise<readonly Item<L>[] | undefined> {
  const owner = ownerOf(lookup)
  if (owner === undefined || !canBeMissing(lookup)) return undefined
  const known = withTenant(runtime, owner, given)
  const pattern = patternOf(lookup, owner, known)
  if (pattern === undefined) return undefined
  const parameters = Object.fromEntries(pattern.parameters.map(({ name }) => [name, known[name]]))
  const plan = planQuery(pattern, parameters)
  const { Items = [] } = await sendQuery(runtime, plan, queryInput(runtime, plan, ownersMax, false, false))
  const found = Items.flatMap((item) => besideReadable(runtime, lookup, owner, received(runtime, item)))
  // They have the attributes of the lookup item, which are some of its owner's.
  return found as unknown as readonly Item<L>[]
}

/** The owners' own keys, if the attributes make one. */
const keyOf = (owner: Entity, lookup: Entity, known: Readonly<Values>) =>
  keyPlaceholders(owner).every((name) => known[name] !== undefined || keyPlaceholders(lookup).includes(name))
    ? tableKeyIfPresent(owner, known)
    : undefined

/**
 * A guard or lookup item that is absent, as it would be beside its owner, which was read consistently. Undefined if there is no owner, or if two have the
 * value, of whom each might be the other. Throws `NotAdopted` where nothing of the document leads to the owner, on a table that may lack the item.
 * @param id the attributes of its key, normalised
 */
export async function besideOwner(runtime: Runtime, lookup: Entity, id: Readonly<Values>): Promise<Values | undefined> {
  const owner = ownerOf(lookup)
  const known = owner && withTenant(runtime, owner, id)
  const key = owner && known && keyOf(owner, lookup, known)
  const found = key === undefined ? await byIndex(runtime, lookup, id) : [{ ...known }]
  if (owner === undefined || found === undefined) {
    await checkAdopted(runtime, `${lookup.name} says what is there`)
    return undefined
  }
  const asked = keyText(tableKey(lookup, id))
  const owners = await parallelMap(found, async (each) => readItem(runtime, key ?? tableKey(owner, each), { consistent: true }))
  const theirs = owners.flatMap((item) => {
    const view = ownerView(runtime, owner, item)
    const own = view && tableKeyIfPresent(lookup, view)
    return own !== undefined && keyText(own) === asked ? beside(lookup, view) : []
  })
  return theirs.length === 1 ? theirs[0] : undefined
}
