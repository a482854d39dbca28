import { jobsPartition } from '../../design/design.ts'
import { FreeholdError } from '../../errors.ts'
import type { Json } from '../../kind/value.ts'
import type { Put } from '../../plan/action.ts'
import type { Condition } from '../../plan/condition.ts'
import type { TableKey } from '../../plan/keys.ts'
import type { Stored } from '../../plan/stored.ts'

/**
 * The kind of a durable job: it removes an item with its dependants, updates copies, or does the part of a flow that needs more than one
 * transaction.
 */
export type JobKind = 'remove' | 'follow' | 'flow'
const kinds: ReadonlySet<unknown> = new Set<JobKind>(['remove', 'follow', 'flow'])

/** Work that does not fit into one transaction. It is recorded before it starts, leased, and safe to run twice (spec rule 12). */
export interface Job {
  /** A ULID. */
  readonly id: string
  readonly kind: JobKind
  /** The entity and the key of the job's item. For a flow, its name, and its subject as the partition key. */
  readonly entity: string
  readonly key: TableKey
  readonly createdAt: string
  /** Items written or removed so far. An estimate after a crash. */
  readonly done: number
  readonly holder: string
  /** The instant from which another worker may take the job over. */
  readonly leaseUntil: string
  /** For a removal: dependants that would refuse it are removed, too. */
  readonly inUse?: 'cascade' | undefined
  /** A removal that was refused has become a job for copies: those of the item itself may have changed, too, while it was marked. */
  readonly isSpared?: boolean | undefined
  /** The note of a removal's step. */
  readonly note?: Json | undefined
  /** The input of a flow's job. */
  readonly input?: Json | undefined
  /** The tenant of its item or input, if it has one. Jobs of different tenants are done in turn. */
  readonly tenant?: string | undefined
  /** For the caller that recorded a removal: the version of the item when it was marked. It is not stored. */
  readonly markedVersion?: number | undefined
  /** For a flow's job for which no caller waits: the digest by which equal jobs find it until it begins. */
  readonly same?: string | undefined
}

/** The length of a lease, in milliseconds. After that, others take over the job of a silent worker. */
export const lease_ms = 5000

export function jobKey(id: string): TableKey {
  return { PK: jobsPartition, SK: `JOB#${id}` }
}

/** The condition that a lease is unchanged: a later one has another end. */
export function leaseIs(holder: string, leaseUntil: string): readonly Condition[] {
  return [
    { is: 'equal', attribute: 'holder', value: holder },
    { is: 'equal', attribute: 'leaseUntil', value: leaseUntil },
  ]
}

/** The key of the item that names the waiting job among equal ones. */
export function waitingKey(same: string): TableKey {
  return { PK: jobsPartition, SK: `WAITING#${same}` }
}

/** True until a worker takes the job for the first time. From then on its lease ends later than its creation. */
export function isWaiting({ createdAt, leaseUntil }: Job): boolean {
  return leaseUntil === createdAt
}

export function putJob(job: Job): Put {
  const { id, kind, entity, key, createdAt, done, holder, leaseUntil, inUse, note, input, tenant, same } = job
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
    ...(note === undefined ? {} : { note }),
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

/** Parses the record of a job. Undefined for an item that is none: another program may have put it there, or it is damaged. */
export function jobIn(item: Stored): Job | undefined {
  const { id, kind, entity, key, createdAt, done, holder, leaseUntil, inUse, isSpared, note, input, tenant, same } = item
  const place = key as Partial<TableKey> | undefined
  const isTold = [entity, holder, createdAt, place?.PK, place?.SK].every((text) => typeof text === 'string')
  // Under another key the lease could not be taken, and a lease without an end would never end.
  if (!kinds.has(kind) || !isTold || Number.isNaN(Date.parse(String(leaseUntil))) || item.SK !== jobKey(String(id)).SK) return undefined
  // The types were checked just above.
  return {
    id,
    kind,
    entity,
    key: { PK: place?.PK, SK: place?.SK },
    createdAt,
    holder,
    leaseUntil,
    done: typeof done === 'number' ? done : 0,
    ...(inUse === 'cascade' ? { inUse } : {}),
    ...(isSpared === true ? { isSpared } : {}),
    ...(note === undefined ? {} : { note }),
    ...(input === undefined ? {} : { input }),
    ...(typeof tenant === 'string' ? { tenant } : {}),
    ...(typeof same === 'string' ? { same } : {}),
  } as Job
}

/** Parses the record of a job. Throws `MalformedItem` if the item is not one. */
export function readJob(item: Stored): Job {
  const job = jobIn(item)
  if (job === undefined)
    throw new FreeholdError('MalformedItem', `The item '${item.PK}' / '${item.SK}' is not a job.`, {
      entity: 'Job',
      key: { PK: item.PK, SK: item.SK },
    })
  return job
}
