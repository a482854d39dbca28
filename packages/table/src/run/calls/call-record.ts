import { callsPartition } from '../../design/design.ts'
import type { Entity } from '../../design/form.ts'
import { keyPlaceholders } from '../../design/reference.ts'
import { FreeholdError } from '../../errors.ts'
import type { Json } from '../../kind/value.ts'
import type { Action, Put } from '../../plan/action.ts'
import { epochSeconds } from '../../plan/condition.ts'
import type { Values } from '../../plan/input.ts'
import type { TableKey } from '../../plan/keys.ts'
import type { Stored } from '../../plan/stored.ts'
import type { Job } from '../jobs/job.ts'
import type { PendingJob } from '../pending.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { CallRecorded, type KeyedCall, type MadeItem } from './keyed-call.ts'

/** The record of a call, as a repeat reads it. */
export interface RecordedCall extends Pick<KeyedCall, 'id' | 'request' | 'told'> {
  readonly made: readonly MadeItem[]
  /** The durable jobs of the recorded write. */
  readonly jobs: readonly PendingJob[]
}

/** How long a repeat is recognised: one day. */
export const kept_ms = 86_400_000
/** The largest number of items that a record names. */
const madeMax = 10
const expires = 'expiresAt'
const origin = { step: 'call', role: 'call', entity: 'Job' } as const

const keyOf = (digest: string): TableKey => ({ PK: `${callsPartition}#${digest}`, SK: 'CALL' })

/** The name of an item. */
export function madeItem(entity: Entity, item: Readonly<Values>): MadeItem {
  const id = keyPlaceholders(entity).flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]]))
  // Attributes of a key are texts and numbers.
  return { entity: entity.name, id: Object.fromEntries(id) as MadeItem['id'] }
}

function putCall(
  { id, digest, request, told }: KeyedCall,
  now: Date,
  made: readonly MadeItem[],
  jobs: readonly Pick<Job, 'id' | 'kind' | 'entity'>[],
): Put {
  const until = new Date(now.getTime() + kept_ms)
  const key = keyOf(digest)
  const item = {
    ...key,
    Type: 'Job',
    version: 1,
    call: id,
    request,
    told,
    made: made.slice(-madeMax),
    jobs: jobs.map((job) => ({ job: job.id, kind: job.kind, entity: job.entity })),
    createdAt: now.toISOString(),
    [expires]: until.toISOString(),
    ttl: epochSeconds(until),
  }
  return { kind: 'put', key, item, conditions: [{ is: 'absent', now, expires }], origin }
}

/** What a write does, for the record of its call. */
interface Recorded {
  readonly actions: readonly Action[]
  /** Items that are put or updated. */
  readonly items?: readonly (readonly [Entity, Stored])[]
  readonly jobs: readonly Pick<Job, 'id' | 'kind' | 'entity'>[]
  readonly made?: readonly MadeItem[] | undefined
}

/** The actions of a write, with the record of the call if this is its first write. A write of checks alone changes nothing. */
export function withCall({ call, now }: Runtime, { actions, items = [], jobs, made = [] }: Recorded): readonly Action[] {
  if (call === undefined || call.isRecorded || actions.every(({ kind }) => kind === 'check')) return actions
  const named = items.filter(([entity]) => call.names(entity)).map(([entity, item]) => madeItem(entity, item))
  return [...actions, putCall(call, now(), [...made, ...named], jobs)]
}

/** Notes what became of a write: its record was written with it, or was there before. Throws `CallRecorded`. */
export function noteCall({ call }: Runtime, sent: readonly Action[], failed: readonly { readonly action: Action }[]): void {
  if (call === undefined) return
  const isCall = ({ origin: { role } }: Action) => role === 'call'
  if (failed.some(({ action }) => isCall(action))) throw new CallRecorded('this call is recorded already')
  if (failed.length === 0 && sent.some(isCall)) call.isRecorded = true
}

/** Records a call whose flow has written without its record. False if it is recorded already. */
export async function recordCall(runtime: Runtime, call: KeyedCall, made: readonly MadeItem[]): Promise<boolean> {
  const { failed } = await sendActions(runtime, [putCall(call, runtime.now(), made, [])])
  call.isRecorded = failed.length === 0
  return call.isRecorded
}

/** The record of a call; undefined if there is none, or it has expired. */
export async function recordedCall(runtime: Runtime, digest: string): Promise<RecordedCall | undefined> {
  const item = await readItem(runtime, keyOf(digest), { consistent: true })
  if (item === undefined || String(item[expires]) <= runtime.now().toISOString()) return undefined
  const { call: id, request, told, made, jobs } = item
  if (typeof id !== 'string' || typeof request !== 'string' || !Array.isArray(made) || !Array.isArray(jobs))
    throw new FreeholdError('MalformedItem', `The item '${item.PK}' / '${item.SK}' is no record of a call.`, { entity: 'Job' })
  // Only `putCall` writes these.
  return { id, request, told: told as Json, made: made as readonly MadeItem[], jobs: jobs as readonly PendingJob[] }
}

/** Takes the record of a call away whose flow failed after all: it may be tried again. */
export async function forgetCall(runtime: Runtime, { id, digest }: KeyedCall): Promise<void> {
  await sendActions(runtime, [{ kind: 'delete', key: keyOf(digest), conditions: [{ is: 'equal', attribute: 'call', value: id }], origin }])
}
