import { type AnyDesign, jobsPartition } from '../../design/design.ts'
import type { Entity } from '../../design/form.ts'
import { toItem } from '../../dynamo/attribute-value.ts'
import type { Sender } from '../../dynamo/sender.ts'
import { FreeholdError, isFreeholdError } from '../../errors.ts'
import type { Action } from '../../plan/action.ts'
import { parallel } from '../meter.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { send } from '../send.ts'
import { hasMetForeign, isForeign, storedFrom } from '../stored-from.ts'

// A table that another program fills lacks the guards, lookup items and sides of edges that the design adds to its document. What rests on them would be
// wrong there, and says so instead (spec rule 26).

/** The mark of an adopted table, in the partition of the jobs: no design has keys there, exports leave it out, and the list of jobs begins after it. */
const key = { PK: jobsPartition, SK: 'ADOPTED' } as const

/** The tables that were found adopted, by what reaches them. */
const adoptedTables = new WeakMap<Sender, Set<string>>()

/** The tables that may not be scanned, by what reaches them: each question would ask for that in vain. */
const unscannedTables = new WeakMap<Sender, Set<string>>()

/** Notes that this process has made or adopted the table, or found it so. */
export function rememberAdopted(runtime: Runtime): void {
  remember(adoptedTables, runtime)
}

/** Tells that the rights of this process end at the access patterns, as those of a deployed function. */
export function mayNotScan(runtime: Runtime): void {
  remember(unscannedTables, runtime)
}

/** False where `mayNotScan` was told. */
export const isScanned = ({ sender, table }: Runtime): boolean => unscannedTables.get(sender)?.has(table) !== true

function remember(tables: WeakMap<Sender, Set<string>>, { sender, table }: Runtime): void {
  const known = tables.get(sender) ?? new Set()
  tables.set(sender, known.add(table))
}

/**
 * True for items that the items of another program lack: what is derived from them, or the other side of an edge. An entity that is an addition as a whole,
 * with all that hangs on it, is written by this one alone.
 */
export function canBeMissing({ form: { part, addition } }: Entity): boolean {
  if (addition === undefined || part.kind === 'entity') return false
  if (part.kind === 'edge') return part.edge.sides.some(({ form }) => form.addition === undefined)
  return part.owner.form.addition === undefined || canBeMissing(part.owner)
}

/** True if a table can lack something that the design adds to its document. */
function canLack({ form }: AnyDesign): boolean {
  return [...form.entities.values()].some(canBeMissing)
}

/** Marks the table as one that has everything that the design adds. */
export async function markAdopted(runtime: Runtime): Promise<void> {
  const item = { ...key, Type: 'Job', version: 1, adoptedAt: runtime.now().toISOString() }
  await send(runtime, 'PutItem', { TableName: runtime.table, Item: toItem(item), ReturnConsumedCapacity: 'TOTAL' })
  rememberAdopted(runtime)
}

/** Items that are looked at. Of a table that another program fills, nearly every item is its own. */
const itemsLooked = 250

/**
 * True if another program wrote one of the first items. Undefined if the caller may not scan, as the function of a template: its rights end at the access
 * patterns.
 */
async function hasForeignItems(runtime: Runtime): Promise<boolean | undefined> {
  if (!isScanned(runtime)) return undefined
  const looked = send(runtime, 'Scan', {
    TableName: runtime.table,
    FilterExpression: 'attribute_not_exists(#n0)',
    ExpressionAttributeNames: { '#n0': 'version' },
    ConsistentRead: true,
    Limit: itemsLooked,
    ReturnConsumedCapacity: 'TOTAL',
  })
  try {
    return ((await looked).Items ?? []).some((raw) => isForeign(runtime.design, raw, storedFrom(runtime.design, raw)))
  } catch (error) {
    if (isFreeholdError(error, 'Unavailable') && error.details.failure === 'refused') {
      mayNotScan(runtime)
      return undefined
    }
    throw error
  }
}

/**
 * True if the table has everything that the design adds to its document: `adopt` has finished, or no other program wrote to it before this is first
 * asked. Once that is so the process remembers it. Until then each call reads one item, and looks at a few.
 */
export async function isAdopted(runtime: Runtime): Promise<boolean> {
  if (adoptedTables.get(runtime.sender)?.has(runtime.table) === true || !canLack(runtime.design)) return true
  const [mark, isForeign] = await parallel(
    () => readItem(runtime, key, { consistent: true }),
    () => hasForeignItems(runtime),
  )
  // Without a look, the items that were read so far decide, and more may come.
  if (mark === undefined && isForeign !== false) return isForeign === undefined && !hasMetForeign(runtime)
  rememberAdopted(runtime)
  return true
}

/** True if the table may lack items of this entity, which are there with what they are derived from everywhere else. */
export async function mayLack(runtime: Runtime, entity: Entity): Promise<boolean> {
  return canBeMissing(entity) && !(await isAdopted(runtime))
}

/**
 * Refuses what rests on items that the design adds, on a table that may lack them. Throws `NotAdopted`, which names the command.
 * @param what a sentence without its end: what would be wrong
 */
export async function checkAdopted(runtime: Runtime, what: string): Promise<void> {
  if (await isAdopted(runtime)) return
  const { design, table } = runtime
  const command = `freehold adopt ${design.name}`
  throw new FreeholdError('NotAdopted', `${what}, and the table ${table} is not adopted yet. Run \`${command}\`.`, { command, table })
}

/** Refuses a list of items of these entities on a table that may lack some of them: it would be short, and would not say so. */
export async function checkListed(runtime: Runtime, entities: readonly Entity[]): Promise<void> {
  const missing = entities.find(canBeMissing)
  if (missing !== undefined) await checkAdopted(runtime, `${missing.name} says what is listed`)
}

/** What a write promises by items that the design adds. Undefined if it promises nothing by them. */
export function promised({ form }: AnyDesign, actions: readonly Action[], removed: readonly Entity[]): string | undefined {
  const guard = actions.find(({ kind, origin: { role, entity, isCompletion } }) => {
    const added = form.entities.get(entity)
    return kind === 'put' && role === 'guard' && isCompletion !== true && added !== undefined && canBeMissing(added)
  })
  if (guard !== undefined) return `${guard.origin.entity} says what is taken`
  const found = removed
    .flatMap((entity) => form.dependantsOf(entity))
    .find(({ enumeration }) => enumeration !== undefined && canBeMissing(enumeration.side))
  return found === undefined ? undefined : `${found.enumeration?.side.name} says what would be removed, too`
}
