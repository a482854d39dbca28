import { createHash } from 'node:crypto'
import { FreeholdError, isFreeholdError, type Runtime } from '@freehold/table'
import {
  CallRecorded,
  endOf,
  forgetCall,
  invalidInput,
  type KeyedCall,
  type MadeItem,
  type RecordedCall,
  recordCall,
  recordedCall,
} from '@freehold/table/runtime'
import type { Caller } from '../actor.ts'

/** A request under an idempotency key. */
export interface KeyedRequest {
  /** 1 to 255 visible ASCII characters, chosen by the caller: a UUID, say. */
  readonly key: string
  /** One caller's keys say nothing about another's. */
  readonly caller: Caller
  readonly operation: string
  readonly input: unknown
}

/** How a keyed request is answered. */
export interface Answering<R> {
  /** Does the work for the first time. Tables that carry the call write its record with their first write. */
  first(begin: (call: Pick<KeyedCall, 'told' | 'names'>) => KeyedCall): Promise<R>
  /** Answers a repeat; the work is done. */
  again(recorded: RecordedCall): Promise<R>
  /** For work that may be done twice, and whose record is written once all is done: the items that its result names. */
  atEnd?: ((result: R) => readonly MadeItem[]) | undefined
}

const keyForm = /^[\x21-\x7e]{1,255}$/

/** Throws `InvalidInput` for a key that is none. */
export function checkIdempotencyKey(key: unknown): void {
  if (typeof key === 'string' && keyForm.test(key)) return
  throw invalidInput('The request', [{ path: ['Idempotency-Key'], message: 'is not 1 to 255 visible ASCII characters' }])
}

/** Objects that differ by the order of their names are equal. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function digestOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts, inOrder)).digest('hex')
}

/** True for an error after which nothing is under way or in doubt. A refusal after a part was written is one: the request failed. */
function isFinal(error: unknown): boolean {
  if (!isFreeholdError(error)) return false
  const { category, details } = endOf(error)
  return details.uncertain !== true && !['retryable', 'pending', 'unavailable'].includes(category)
}

/**
 * Does a request that its caller may send again, for a day: its record is written in the transaction of its effect, and a repeat is answered from
 * that. A request that writes nothing, or fails, leaves no record. Throws `InvalidInput` for a key that is none, `KeyReused` for another request with
 * the same key.
 */
export async function callOnce<R>(runtime: Runtime, { key, caller, operation, input }: KeyedRequest, how: Answering<R>): Promise<R> {
  checkIdempotencyKey(key)
  const { actor, via, person } = caller
  const by = person === undefined ? actor : [actor, 'id' in person ? person.id : person.subject]
  const digest = digestOf(runtime.tenant ?? null, by, via ?? null, key)
  // The key is a part of it, so that nobody who reads the table can guess a short secret of the input.
  const request = digestOf(digest, key, operation, input)
  const again = (recorded: RecordedCall): Promise<R> => {
    // The first call may have written since this one began to read.
    runtime.reads?.end()
    if (recorded.request === request) return how.again(recorded)
    throw new FreeholdError('KeyReused', 'Another request was made under this idempotency key. Give each request a key of its own.')
  }
  const before = await recordedCall({ ...runtime, reads: undefined }, digest)
  if (before !== undefined) return again(before)
  let call: KeyedCall | undefined
  try {
    const result = await how.first((begun) => {
      call = { id: runtime.making().ulid(), digest, request, isRecorded: false, ...begun }
      return call
    })
    if (how.atEnd !== undefined && call !== undefined) await recordCall(runtime, call, how.atEnd(result))
    return result
  } catch (error) {
    if (call?.isRecorded === true) {
      if (isFinal(error)) await forgetCall(runtime, call).catch(() => undefined)
      throw error
    }
    const isRepeat = error instanceof CallRecorded
    if (!isRepeat && !isFreeholdError(error)) throw error
    runtime.reads?.end()
    // The same request may have been done meanwhile, and left nothing to do; or this one was, and its answer was lost.
    const meanwhile = await recordedCall(runtime, digest).catch(() => undefined)
    if (meanwhile !== undefined) return again(meanwhile)
    throw isRepeat ? new FreeholdError('Busy', 'The same request is under way. Try again.', {}, { cause: error }) : error
  }
}
