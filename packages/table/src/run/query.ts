import type { CompiledPattern } from '../design/compiled-pattern.ts'
import { fromItem, toItem } from '../dynamo/attribute-value.ts'
import { FreeholdError, isFreeholdError } from '../errors.ts'
import type { Values } from '../plan/input.ts'
import { filtered, planQuery, type QueryPlan } from '../plan/query.ts'
import type { Stored } from '../plan/stored.ts'
import { isWithin } from '../plan/tenant-scope.ts'
import { holdsFor } from '../plan/term.ts'
import { isStaleIn } from '../plan/understood.ts'
import { entityOf, isExpired, viewItem } from '../plan/view.ts'
import { checkListed } from './adopt/adopted.ts'
import { type CursorBinding, openCursor, sealCursor } from './cursor.ts'
import { withDeadline } from './deadline.ts'
import type { Runtime } from './runtime.ts'
import { queryInput, sendQuery } from './send-query.ts'
import { received } from './stored-from.ts'
import { tellTenants } from './told-tenants.ts'

/** Options for reading a list. `W`: the filters that it may have, none by default. */
export interface Reading<W = never> {
  /** Items a page, from 1 to 1,000. 100 by default. */
  readonly limit?: number | undefined
  /** The cursor of the previous page. */
  readonly cursor?: string | undefined
  /** Not for an index: DynamoDB has no consistent reads there. */
  readonly consistent?: boolean | undefined
  readonly order?: 'ascending' | 'descending' | undefined
  /** Secret attributes to return, by name. */
  readonly secrets?: readonly string[] | undefined
  /** What the items must satisfy. DynamoDB filters them after it has read them; a secret is asked for only if `secrets` names it. */
  readonly where?: W
}

/** An item of a list that does not match its entity. It is reported, neither dropped nor cast (spec rule 16). */
export interface Malformed {
  readonly key: { readonly PK: string; readonly SK: string }
  readonly reason: string
}

export interface Page<T> {
  readonly items: readonly T[]
  /** Present if more items may follow. */
  readonly cursor?: string
  readonly malformed?: readonly Malformed[]
}

/** Always sent as the limit: without one the embedded engine reads a whole partition. DynamoDB returns no more at once. */
const queryLimitMax = 1000
/** The largest number of DynamoDB pages for one page of a list (spec rule 14). */
export const pageBudget = 10
const limitDefault = 100

function limitOf({ limit = limitDefault }: Reading<unknown>): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > queryLimitMax) {
    throw new FreeholdError('InvalidInput', `A page has from 1 to ${queryLimitMax} items, not ${String(limit)}.`, {
      issues: [{ path: ['limit'], message: `is not a whole number from 1 to ${queryLimitMax}` }],
    })
  }
  return limit
}

/** The key attributes of an item in the table and in the index of the query. */
function startKey({ pattern }: QueryPlan, item: Stored): Values {
  const names = new Set(['PK', 'SK', ...pattern.keyNames])
  return Object.fromEntries([...names].map((name) => [name, item[name]]))
}

/** The items in order. A malformed item is reported on the page where it stands. */
type Found = { readonly view: Values; readonly item: Stored } | { readonly view?: undefined; readonly malformed: Malformed }

interface Collected {
  readonly found: Found[]
  /** The number of valid items. */
  count: number
  /** Some items were outside the tenant's scope. */
  isHiding: boolean
}

/** Refuses a pattern that reads items of many tenants or of another tenant: nothing is read and then hidden (spec rule 22). */
function checkCrossing({ design: { tenants }, tenantScope }: Runtime, { pattern, parameters }: QueryPlan): void {
  if (tenants === undefined || tenantScope === undefined) return
  const asked = parameters[tenants.by]
  if (tenants.crossing?.includes(pattern.name) !== true && (asked === undefined || asked === tenantScope.tenant)) return
  throw new FreeholdError('Denied', `${pattern.name} is not for this tenant.`, { pattern: pattern.name, reason: 'AnotherTenant' })
}

/**
 * True for an item outside the tenant's scope, even a malformed one, which is not reported either. An item of an unknown entity is judged
 * by the entity that is expected there.
 */
function isOutsideScope({ design: { form }, tenantScope }: Runtime, { entities: [usual] }: CompiledPattern, item: Stored): boolean {
  if (tenantScope === undefined) return false
  const entity = form.entities.get(String(item.Type)) ?? usual
  return entity === undefined || !isWithin(tenantScope, entity, item)
}

function viewed({ design, now }: Runtime, { pattern, asks }: QueryPlan, item: Stored, secrets: readonly string[]): Values | undefined {
  const entity = entityOf(design.form, item)
  if (entity === undefined) return undefined
  // The key of a former version, until the migration has taken it away.
  const { index } = pattern
  if (index !== undefined && (entity.form.indexes[index] === undefined || isStaleIn(entity, item, index))) return undefined
  if (!pattern.entities.includes(entity)) {
    throw new FreeholdError(
      'MalformedItem',
      `The item '${item.PK}' / '${item.SK}' is a ${entity.name}, which ${pattern.name} does not return.`,
      { entity: entity.name },
    )
  }
  if (isExpired(entity, item, now())) return undefined
  const view = viewItem(entity, item, secrets)
  return asks === undefined || holdsFor(asks, item) ? view : undefined
}

function collect(runtime: Runtime, plan: QueryPlan, items: readonly Stored[], secrets: readonly string[], into: Collected): void {
  for (const item of items) {
    if (isOutsideScope(runtime, plan.pattern, item)) {
      into.isHiding = true
      continue
    }
    try {
      const view = viewed(runtime, plan, item, secrets)
      if (view === undefined) continue
      into.found.push({ view, item })
      into.count++
    } catch (error) {
      if (!isFreeholdError(error, 'MalformedItem')) throw error
      into.found.push({ malformed: { key: { PK: String(item.PK), SK: String(item.SK) }, reason: error.message } })
    }
  }
}

/** The first `limit` valid items, and the malformed ones among them. If there are more, the rest belongs to the next page. */
function cut({ found, count }: Collected, limit: number): { items: Values[]; last: Stored | undefined; malformed: Malformed[] } {
  const items: Values[] = []
  const malformed: Malformed[] = []
  let last: Stored | undefined
  for (const each of found) {
    if (items.length === limit && count > limit) break
    if (each.view === undefined) malformed.push(each.malformed)
    else {
      items.push(each.view)
      last = each.item
    }
  }
  return { items, last, malformed }
}

/**
 * The limit of a request. With a filter it is larger than the page, since dropped items count against DynamoDB's Limit. If items outside
 * the tenant's scope were seen, it is the largest: a short page with a cursor would reveal their number.
 */
function requestLimit(plan: QueryPlan, { count, isHiding }: Collected, limit: number): number {
  const missing = limit + 1 - count
  if (isHiding) return queryLimitMax
  return Math.min(queryLimitMax, plan.filterExpression === undefined ? missing : Math.max(100, 4 * missing))
}

/**
 * Reads one page of an access pattern. The page is filled even if a filter drops items, within a budget of ten DynamoDB pages; after that
 * it is short and has a cursor. The last page has no cursor: one more item is read to know that (spec rule 14).
 */
export async function queryPage(
  unbounded: Runtime,
  pattern: CompiledPattern,
  parameters: unknown,
  reading: Reading<unknown> = {},
): Promise<Page<Values>> {
  const plan = filtered(planQuery(pattern, parameters), reading.where, reading.secrets ?? [])
  const runtime = withDeadline(unbounded)
  checkCrossing(runtime, plan)
  const limit = limitOf(reading)
  const descending = reading.order === undefined ? pattern.descending : reading.order === 'descending'
  const consistent = reading.consistent === true && pattern.index === undefined
  const binding: CursorBinding = { kind: 'pattern', name: pattern.name, parameters: plan.parameters, descending }
  let start = reading.cursor === undefined ? undefined : toItem(openCursor(runtime, binding, reading.cursor))
  await checkListed(runtime, pattern.entities)
  const collected: Collected = { found: [], count: 0, isHiding: false }
  for (let pages = 0; pages < pageBudget; pages++) {
    const input = queryInput(runtime, plan, requestLimit(plan, collected, limit), descending, consistent)
    const output = await sendQuery(runtime, plan, start === undefined ? input : { ...input, ExclusiveStartKey: start })
    const items = (output.Items ?? []).map((item) => received(runtime, item))
    await tellTenants(runtime, items)
    collect(runtime, plan, items, reading.secrets ?? [], collected)
    start = output.LastEvaluatedKey
    if (collected.count > limit || start === undefined) break
  }
  const isFull = collected.count > limit
  const { items, last, malformed } = cut(collected, limit)
  const after = isFull && last !== undefined ? startKey(plan, last) : start === undefined ? undefined : fromItem(start)
  return {
    items,
    ...(after === undefined ? {} : { cursor: sealCursor(runtime, binding, after) }),
    ...(malformed.length === 0 ? {} : { malformed }),
  }
}

/** Reads every item of an access pattern, page after page. Throws `MalformedItem` at a malformed item. */
export async function* queryAll(
  runtime: Runtime,
  pattern: CompiledPattern,
  parameters: unknown,
  reading: Omit<Reading<unknown>, 'cursor'> = {},
): AsyncGenerator<Values, void, void> {
  let cursor: string | undefined
  do {
    const page: Page<Values> = await queryPage(runtime, pattern, parameters, { limit: queryLimitMax, ...reading, cursor })
    const [broken] = page.malformed ?? []
    if (broken !== undefined) throw new FreeholdError('MalformedItem', broken.reason, { key: broken.key })
    yield* page.items
    cursor = page.cursor
  } while (cursor !== undefined)
}
