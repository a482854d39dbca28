import { itemBytes } from '../../dynamo/item-bytes.ts'
import { isFreeholdError } from '../../errors.ts'
import { type Action, mergeActions } from '../../plan/action.ts'
import type { Adoption, AdoptionProblem } from '../../plan/adopted-item.ts'
import { type Leftovers, type Open as Needed, planAdoption } from '../../plan/adoption.ts'
import { keyText, type TableKey } from '../../plan/keys.ts'
import { type Known, knownFrom } from '../../plan/known.ts'
import { planDropped, planOwned } from '../../plan/leftover.ts'
import type { Stored } from '../../plan/stored.ts'
import { isDropped } from '../../plan/understood.ts'
import { isExpired } from '../../plan/view.ts'
import { meter, parallelMap } from '../meter.ts'
import { failedParts, outcomeOf } from '../outcome.ts'
import { readItems } from '../read.ts'
import { removalCommand } from '../removal-command.ts'
import type { FlowJob, Runtime } from '../runtime.ts'
import { scanItems } from '../scan.ts'
import { sendActions } from '../send-actions.ts'
import { markAdopted } from './adopted.ts'
import { type ScannedTenants, scannedTenants } from './scanned-tenants.ts'

/** DynamoDB counts a write by each KB that is begun. */
const unitBytes = 1024

function unitsOfAction(action: Action): number {
  const item = action.kind === 'put' ? action.item : action.kind === 'update' ? (action.whole ?? action.set) : {}
  return Math.max(1, Math.ceil(itemBytes(item) / unitBytes))
}

/** About the write units of these actions, sent together: twice the units in a transaction. */
function writeUnits(actions: readonly Action[]): number {
  const units = actions.reduce((sum, action) => sum + unitsOfAction(action), 0)
  return actions.length > 1 ? 2 * units : units
}

/** What items of a table lack that its design would have written with them. */
export interface Survey {
  /** Items that were looked at, without the runtime's own records of jobs. */
  readonly items: number
  /** False if there are more items than were to be looked at. */
  readonly isWhole: boolean
  /** By entity: how many items are missing, or lack attributes or repeat old ones. */
  readonly missing: Readonly<Record<string, number>>
  /** By entity: how many items have something that only a former version of the design needs. */
  readonly former: Readonly<Record<string, number>>
  /** About the write units of what is missing, and of what goes. Those of indexes come on top. */
  readonly writeUnits: number
  /** The first of what the design cannot add by itself: keys that another item has, items that are malformed, owners that are not there. */
  readonly problems: readonly AdoptionProblem[]
  readonly problemsCount: number
}

interface Counting {
  items: number
  isWhole: boolean
  readonly missing: Record<string, number>
  readonly former: Record<string, number>
  writeUnits: number
  readonly problems: AdoptionProblem[]
  problemsCount: number
}

const problemsKept = 100

/** Keeps a problem, with the command by which a person mends what the design cannot: by removing an item. */
function note(runtime: Runtime, counting: Counting, { oneOf, ...problem }: AdoptionProblem): void {
  counting.problemsCount++
  if (counting.problems.length >= problemsKept) return
  const commands = (oneOf ?? [problem.key]).map((key) => removalCommand(runtime, key))
  const advice = commands.length > 1 ? 'Remove one of the two' : 'If nobody needs it, remove it'
  counting.problems.push({ ...problem, message: `${problem.message} ${advice}: ${commands.join(' or ')}.` })
}

/** An item of another program, with what it lacks. */
interface Planned extends Adoption {
  readonly item: Stored
}

/** Plans one item. Asks for what it has to see first. */
interface Open {
  readonly item: Stored
  plan(known: Known): Needed | Adoption
}

/** What a pass over the table plans by. */
interface Planning {
  readonly tenants: ScannedTenants
  readonly leftovers: Leftovers | undefined
}

/** The items that say something by themselves: derived items follow from them. With leftovers, also those that should not be there. */
function openItems(runtime: Runtime, page: readonly Stored[], problem: (each: AdoptionProblem) => void, { tenants, leftovers }: Planning) {
  const { design, now } = runtime
  const { form } = design
  const making = runtime.making()
  return page.flatMap((item): readonly Open[] => {
    if (item.Type === 'Job' || item.deleting !== undefined) return []
    if (isDropped(form, item)) return leftovers === undefined ? [] : [{ item, plan: () => planDropped(item, leftovers.isFinal) }]
    const entity = form.entities.get(String(item.Type))
    if (entity === undefined) {
      const key = { PK: String(item.PK), SK: String(item.SK) }
      const what =
        item.Type === undefined ? 'is of no entity by its keys' : `has the Type '${String(item.Type)}', which the design does not know`
      const message = `The item at '${key.PK}' / '${key.SK}' ${what}.`
      problem({ entity: String(item.Type ?? 'none'), key, code: 'MalformedItem', message })
      return []
    }
    const { kind } = entity.form.part
    if (isExpired(entity, item, now())) return []
    if (kind !== 'guard' && kind !== 'mirror')
      return [{ item, plan: (known) => planAdoption(design, entity, item, making, known, tenants, leftovers) }]
    // What the document has, another program may write before its owner.
    const isOthers = leftovers === undefined && entity.form.addition === undefined
    return isOthers ? [] : [{ item, plan: (known) => planOwned(form, entity, item, known, now()) }]
  })
}

/** Plans a page of items. What the plans have to see is read for all of them together. */
async function planPage(
  runtime: Runtime,
  page: readonly Stored[],
  problem: (each: AdoptionProblem) => void,
  planning: Planning,
): Promise<readonly Planned[]> {
  const read = new Map<string, Stored | undefined>()
  const done: Planned[] = []
  let open = openItems(runtime, page, problem, planning)
  while (open.length > 0) {
    const known = knownFrom(read)
    const needs: TableKey[] = []
    const waiting: typeof open = []
    for (const each of open) {
      const plan = each.plan(known)
      if (plan.needs === undefined) done.push({ ...plan, item: each.item })
      else {
        needs.push(...plan.needs)
        if (plan.wants !== undefined) await planning.tenants.learn(plan.wants)
        waiting.push(each)
      }
    }
    const found = await readItems(runtime, needs, { consistent: true })
    for (const key of needs) read.set(keyText(key), found.get(keyText(key)))
    open = waiting
  }
  return done
}

export interface Surveying {
  /** All items by default. */
  readonly itemsEnough?: number
  /** What is taken away when a design has changed. */
  readonly leftovers?: Leftovers
  /** Called with the number of items so far. */
  onLooked?(items: number): void
}

/** Looks at the items of a table, all of them or as many as are enough, and writes nothing. It scans: it is an operator's tool (spec rule 14). */
export async function surveyTable(runtime: Runtime, surveying: Surveying = {}): Promise<Survey> {
  const { itemsEnough = Number.POSITIVE_INFINITY, leftovers, onLooked } = surveying
  const planning = { tenants: scannedTenants(runtime), leftovers }
  const counting: Counting = { items: 0, isWhole: true, missing: {}, former: {}, writeUnits: 0, problems: [], problemsCount: 0 }
  for await (const page of scanItems(runtime)) {
    if (counting.items >= itemsEnough) {
      counting.isWhole = false
      break
    }
    counting.items += page.filter(({ Type }) => Type !== 'Job').length
    for (const { missing, former, problems, actions } of await planPage(
      runtime,
      page,
      (problem) => note(runtime, counting, problem),
      planning,
    )) {
      for (const name of missing) counting.missing[name] = (counting.missing[name] ?? 0) + 1
      for (const name of former) counting.former[name] = (counting.former[name] ?? 0) + 1
      counting.writeUnits += writeUnits(actions)
      for (const problem of problems) note(runtime, counting, problem)
    }
    onLooked?.(counting.items)
  }
  return counting
}

/** Other writers may be faster. Their items are read again, and then left to the next run. */
const attemptsMax = 5

type Adopted = 'written' | 'nothing' | 'withoutEnd'

/** Writes what one item lacks. What cannot be written stays missing, and the next survey tells it. */
async function adopt(runtime: Runtime, plan: Planned, planning: Planning, attempt = 1): Promise<Adopted> {
  const { item, actions, problems } = plan
  const isWithoutEnd = problems.some(({ code }) => code === 'MissingEnd')
  if (actions.length === 0) return isWithoutEnd ? 'withoutEnd' : 'nothing'
  const [first] = (await sendActions(runtime, mergeActions(actions))).failed
  if (first === undefined) return isWithoutEnd ? 'withoutEnd' : 'written'
  const [part = first.action] = failedParts(first.action, first.existing)
  if (isFreeholdError(outcomeOf(runtime.design.form, part, first.existing, undefined), 'MissingEnd')) {
    // A reference may outlive its target. What the item itself lacks is written all the same when a design has changed; an edge needs its ends.
    if (planning.leftovers === undefined || actions.some(({ origin }) => origin.role === 'side')) return 'withoutEnd'
    const others = actions.filter(({ origin }) => origin.role !== 'end')
    return others.length === actions.length ? 'withoutEnd' : adopt(runtime, { ...plan, actions: others }, planning, attempt)
  }
  const key = { PK: String(item.PK), SK: String(item.SK) }
  const now = (await readItems(runtime, [key], { consistent: true })).get(keyText(key))
  const [again] = now === undefined || attempt === attemptsMax ? [] : await planPage(runtime, [now], () => undefined, planning)
  return again === undefined ? 'nothing' : adopt(runtime, again, planning, attempt + 1)
}

/** The name of the job in lists of jobs. */
export const adoptJob = 'adopt'

/**
 * Does the job: writes the guards, lookup items, sides of edges and additional attributes that items lack, each in one transaction with a check that
 * its item is unchanged. Items and attributes that are there already stay as they are, so that the job can be repeated, also from its beginning after a crash.
 */
export async function runAdoption(job: FlowJob, leftovers?: Leftovers): Promise<void> {
  // What was written may be what another item refers to: a building's copies come by the lookup item of its project. Other ends are absent for good.
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const { written, withoutEnd } = await runOnce(job, leftovers)
    if (written === 0 || withoutEnd === 0 || withoutEnd >= before) break
    before = withoutEnd
  }
  await markAdopted(job.runtime)
}

async function runOnce({ runtime, advance }: FlowJob, leftovers: Leftovers | undefined) {
  const { jobRequests_max, jobBudget } = runtime
  const counts = { written: 0, withoutEnd: 0, nothing: 0 }
  const planning = { tenants: scannedTenants(runtime), leftovers }
  const pages = scanItems(runtime)
  for (;;) {
    const { result, cost } = await meter(async () => {
      const { value: page } = await pages.next()
      return page === undefined ? undefined : { page, plans: await planPage(runtime, page, () => undefined, planning) }
    })
    if (result === undefined) return counts
    const { page, plans } = result
    // The scan of a whole table would take what others need to read.
    jobBudget?.pay(cost.readUnits)
    await advance(page.length - plans.length)
    for (let from = 0; from < plans.length; from += jobRequests_max) {
      const adopted = await parallelMap(plans.slice(from, from + jobRequests_max), (plan) => adopt(runtime, plan, planning))
      for (const each of adopted) counts[each]++
      await advance(adopted.length)
    }
  }
}
