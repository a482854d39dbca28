import { jobsPartition } from '../../design/design.ts'
import { FreeholdError } from '../../errors.ts'
import type { Json } from '../../kind/value.ts'
import type { Put } from '../../plan/action.ts'
import type { Condition } from '../../plan/condition.ts'
import type { TableKey } from '../../plan/keys.ts'
import type { Stored } from '../../plan/stored.ts'

/**
 * What a durable job does: removes an item with all that hangs on it, lets copies follow what they were copied from, or what a flow of the
 * design's own needs more than one transaction for.
 */
export type JobKind = 'remove' | 'follow' | 'flow'
const kinds: ReadonlySet<unknown> = new Set<JobKind>(['remove', 'follow', 'flow'])

/** Work that no transaction can hold: recorded before it starts, leased, safe to run twice (spec rule 12). */
export interface Job {
  /** A ULID. */
  readonly id: string
  readonly kind: JobKind
  /** The entity and the key of the item that it is about; of a flow its name, and what it is about as the partition key. */
  readonly entity: string
  readonly key: TableKey
  readonly createdAt: string
  /** Items written or removed so far; an estimate after a crash. */
  readonly done: number
  readonly holder: string
  /** The instant from which another worker may take it over. */
  readonly leaseUntil: string
  /** Of a removal: what would keep the item from going goes too. */
  readonly inUse?: 'cascade' | undefined
  /** What a flow was started with. */
  readonly input?: Json | undefined
  /** Whose it is, where its item or input says so: the jobs of one tenant and those of others are done in turn. */
  readonly tenant?: string | undefined
  /** Of a removal, for the caller that recorded it: the version of the item as it was marked. It is not stored. */
  readonly markedVersion?: number | undefined
  /** Of a flow's job for which nobody waits: the digest by which those that are the same find it until it begins. */
  readonly same?: string | undefined
}

/** How long a worker may be silent before others take its job over, in milliseconds. */
export const lease_ms = 5000

export function jobKey(id: string): TableKey {
  return { PK: jobsPartition, SK: `JOB#${id}` }
}

/** That the lease of a job is as it was seen: another that was given since has another end. */
export function leaseIs(holder: string, leaseUntil: string): readonly Condition[] {
  return [
    { is: 'equal', attribute: 'holder', value: holder },
    { is: 'equal', attribute: 'leaseUntil', value: leaseUntil },
  ]
}

/** Where it is said which job waits of those that are the same. */
export function waitingKey(same: string): TableKey {
  return { PK: jobsPartition, SK: `WAITING#${same}` }
}

/** True until a worker has taken the job for the first time: then its lease ends later than it was recorded. */
export function isWaiting({ createdAt, leaseUntil }: Job): boolean {
  return leaseUntil === createdAt
}

export function putJob(job: Job): Put {
  const { id, kind, entity, key, createdAt, done, holder, leaseUntil, inUse, input, tenant, same } = job
  const item = {
    ...jobKey(id),
    Type: 'Job',
    version: 1,
    id,
    kind,
    entity,
    key: { PK: key.PK, SK: key.SK },
    createdAt,
    done,
    holder,
    leaseUntil,
    ...(inUse === undefined ? {} : { inUse }),
    ...(input === undefined ? {} : { input }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(same === undefined ? {} : { same }),
  }
  return {
    kind: 'put',
    key: jobKey(id),
    item,
    conditions: [{ is: 'absent', now: new Date(0) }],
    origin: { step: 'job', role: 'job', entity: 'Job' },
  }
}

/** A job as it was recorded. Throws `MalformedItem` for what is none. */
export function readJob(item: Stored): Job {
  const { id, kind, entity, key, createdAt, done, holder, leaseUntil, inUse, input, tenant, same } = item
  const texts = [id, entity, createdAt, holder, leaseUntil]
  const place = key as Partial<TableKey> | undefined
  if (
    !kinds.has(kind) ||
    !texts.every((text) => typeof text === 'string') ||
    typeof place?.PK !== 'string' ||
    typeof place.SK !== 'string'
  ) {
    throw new FreeholdError('MalformedItem', `The item '${item.PK}' / '${item.SK}' is no job.`, { entity: 'Job' })
  }
  // The types were checked just above.
  return {
    id,
    kind,
    entity,
    key: { PK: place.PK, SK: place.SK },
    createdAt,
    holder,
    leaseUntil,
    done: typeof done === 'number' ? done : 0,
    ...(inUse === 'cascade' ? { inUse } : {}),
    ...(input === undefined ? {} : { input }),
    ...(typeof tenant === 'string' ? { tenant } : {}),
    ...(typeof same === 'string' ? { same } : {}),
  } as Job
}
