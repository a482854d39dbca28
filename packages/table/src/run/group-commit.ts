import { AsyncResource } from 'node:async_hooks'
import { itemBytes } from '../dynamo/item-bytes.ts'
import { isFreeholdError } from '../errors.ts'
import { type Action, transactionActionsMax } from '../plan/action.ts'
import { keyText } from '../plan/keys.ts'
import { termText } from '../plan/term.ts'
import { left_ms } from './deadline.ts'
import { noteWritten } from './pending.ts'
import type { Runtime } from './runtime.ts'
import { type Sent, sendActions } from './send-actions.ts'

/**
 * Transactions that check the same item cancel each other at AWS, although none changes it. So a transaction waits while another one of this process
 * checks an item that it checks, too, and all that waited go together: one transaction checks the item once (ADR 16).
 */
interface Waiting {
  readonly runtime: Runtime
  readonly actions: readonly Action[]
  /** The items that it checks, or changes atomically. */
  readonly checked: readonly string[]
  /** Runs in the caller's context, so that a meter counts the request of the first one. */
  run<T>(work: () => T): T
  settle(outcome: Promise<Sent>): void
}

interface Queue {
  /** The items that transactions under way check and do not write: the instants at which these were sent, by the monotonic clock. */
  readonly underWay: Map<string, Set<{ readonly sent_ms: number }>>
  waiting: Waiting[]
}

/** A transaction that takes longer than this, in milliseconds, is waited for no more: one that hangs holds nobody up. */
const waitMax_ms = 250
/** Half of DynamoDB's limit of one transaction. */
const groupBytesMax = 2 * 1024 * 1024

const queues = new WeakMap<Runtime['sender'], Map<string, Queue>>()

function queueOf({ sender, table }: Runtime): Queue {
  const byTable = queues.get(sender) ?? new Map<string, Queue>()
  queues.set(sender, byTable)
  const queue = byTable.get(table) ?? { underWay: new Map(), waiting: [] }
  byTable.set(table, queue)
  return queue
}

/** True if no transaction is under way that is worth waiting for. One whose time is up waits for nothing. */
function isFree({ underWay }: Queue, { checked, runtime }: Waiting): boolean {
  const since_ms = runtime.monotonic_ms() - waitMax_ms
  const blocks = (place: string) => [...(underWay.get(place) ?? [])].some(({ sent_ms }) => sent_ms > since_ms)
  return left_ms(runtime) <= 0 || !checked.some(blocks)
}

const sameCheck = (one: Action, other: Action): boolean =>
  one.kind === 'check' && other.kind === 'check' && termText([one.conditions, one.checks]) === termText([other.conditions, other.checks])

const bytesOf = (actions: readonly Action[]) =>
  actions.reduce((sum, action) => sum + (action.kind === 'put' ? itemBytes(action.item) : 1024), 0)

/** The actions of a group by item: undefined if a transaction does not fit in, since it writes an item of another, checks one otherwise, or is too much. */
function joined(group: ReadonlyMap<string, Action>, bytes: number, actions: readonly Action[]): Map<string, Action> | undefined {
  const all = new Map(group)
  for (const action of actions) {
    const place = keyText(action.key)
    const other = all.get(place)
    if (other !== undefined && !sameCheck(other, action)) return undefined
    if (other === undefined) all.set(place, action)
  }
  return all.size <= transactionActionsMax && bytes + bytesOf(actions) <= groupBytesMax ? all : undefined
}

/** True for an error that tells of what was sent, as of an item that is too large: nothing was applied, and one transaction of a group caused it. */
function isOfOne(error: unknown): boolean {
  if (!isFreeholdError(error) || error.details.uncertain === true) return false
  return error.details.failure === 'invalid' || (error.category !== 'unavailable' && error.category !== 'retryable')
}

/**
 * Sends a group as one transaction. If a condition fails, or the request is refused for its content, nothing was applied, and each goes alone: it
 * learns of its own failure.
 */
async function sendGroup(group: readonly Waiting[], actions: readonly Action[]): Promise<void> {
  const [first] = group
  if (first === undefined) return
  // Of the callers, the one whose time ends first bounds the request.
  const { runtime } = group.reduce((least, each) => (left_ms(each.runtime) < left_ms(least.runtime) ? each : least), first)
  const whole = first.run(() => sendActions(runtime, actions))
  if (group.length === 1) {
    first.settle(whole)
    await whole.catch(() => undefined)
    return
  }
  const sent = await whole.catch((error: unknown) => (isOfOne(error) ? 'refused' : 'failed'))
  if (sent === 'failed' || (sent !== 'refused' && sent.failed.length === 0)) {
    for (const each of group) {
      // The send has noted it for the runtime that it was given.
      if (sent !== 'failed' && each.runtime !== runtime) noteWritten(each.runtime)
      each.settle(whole)
    }
    return
  }
  for (const each of group) {
    const alone = each.run(() => sendActions(each.runtime, each.actions))
    each.settle(alone)
    await alone.catch(() => undefined)
  }
}

/** Sends those that wait for nothing any more, in groups that have an item in common. */
function sendFree(queue: Queue): void {
  for (;;) {
    const first = queue.waiting.find((each) => isFree(queue, each))
    if (first === undefined) return
    const group = [first]
    let actions = new Map(first.actions.map((action) => [keyText(action.key), action]))
    let bytes = bytesOf(first.actions)
    for (const each of queue.waiting) {
      const isRelated = each !== first && each.checked.some((place) => actions.has(place))
      const all = isRelated && isFree(queue, each) ? joined(actions, bytes, each.actions) : undefined
      if (all === undefined) continue
      actions = all
      bytes += bytesOf(each.actions)
      group.push(each)
    }
    queue.waiting = queue.waiting.filter((each) => !group.includes(each))
    void underWay(queue, group, first.runtime.monotonic_ms(), () => sendGroup(group, [...actions.values()]))
  }
}

async function underWay(queue: Queue, group: readonly Waiting[], sent_ms: number, work: () => Promise<void>): Promise<void> {
  const places = new Set(group.flatMap(({ checked }) => checked))
  const own = { sent_ms }
  for (const place of places) queue.underWay.set(place, (queue.underWay.get(place) ?? new Set()).add(own))
  try {
    await work()
  } finally {
    for (const place of places) {
      const all = queue.underWay.get(place)
      all?.delete(own)
      if (all?.size === 0) queue.underWay.delete(place)
    }
    sendFree(queue)
  }
}

/** Sends a transaction that checks items which others check, too, or that changes items atomically: of these, one goes after the other. */
export function sendTogether(runtime: Runtime, actions: readonly Action[]): Promise<Sent> {
  const queue = queueOf(runtime)
  const checked = actions.flatMap((action) =>
    action.kind === 'check' || (action.kind === 'update' && action.atomic !== undefined) ? [keyText(action.key)] : [],
  )
  return new Promise((resolve) => {
    const context = new AsyncResource('freehold.groupCommit')
    const waiting: Waiting = { runtime, actions, checked, run: (work) => context.runInAsyncScope(work), settle: resolve }
    queue.waiting.push(waiting)
    sendFree(queue)
    if (!queue.waiting.includes(waiting)) return
    const again = setInterval(() => {
      sendFree(queue)
      if (!queue.waiting.includes(waiting)) clearInterval(again)
    }, waitMax_ms)
  })
}
