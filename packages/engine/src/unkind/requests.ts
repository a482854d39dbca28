import { ServiceError } from '../errors.ts'
import { expire } from '../operation/expire.ts'
import type { Context } from '../operation/operation.ts'
import { LateView } from './late-view.ts'
import { chanceOf, randomBy } from './random.ts'
import { itemsNamed, refusedAs, UnderWay } from './under-way.ts'

/** What may happen at any time on AWS, and that a test wants to happen. The same seed gives the same choices. Shares are read at each request. */
export interface Unkind {
  readonly seed: number
  /** How late an item may become visible in a global index, in milliseconds. Each has its own delay. */
  readonly lateIndexes_ms?: number
  /** How old an answer of an eventually consistent read may be, in milliseconds. */
  readonly staleReads_ms?: number
  /** True if requests under way on one item conflict with a transaction. Each write then takes a turn of the event loop. */
  readonly conflicts?: boolean
  /** The share of partitions that are throttled in each second, from 0 to 1. */
  readonly throttled?: number
  /** The share of keys and items of a batch that it leaves unprocessed, from 0 to 1. */
  readonly unprocessed?: number
  /** How long after it expired an item may be removed, in milliseconds. Without it none is removed until `expire`. */
  readonly expiry_ms?: number
  /** The share of requests that are lost before they are applied, from 0 to 1. */
  readonly lostBefore?: number
  /** The share of requests whose answer is lost, from 0 to 1. */
  readonly lostAfter?: number
}

type Run = (operation: string, input: unknown) => Promise<object>

/** Requests to an engine that is unkind. */
export class UnkindRequests {
  readonly context: Context
  readonly #unkind: Unkind
  readonly #kind: Context
  readonly #random: () => number
  readonly #underWay = new UnderWay()

  constructor(kind: Context, unkind: Unkind) {
    this.#unkind = unkind
    this.#kind = kind
    this.#random = randomBy(unkind.seed)
    const { lateIndexes_ms = 0, staleReads_ms = 0 } = unkind
    // Spaces are never used again, so what was found of one stays true.
    const kinds = new Map<string, 'item' | 'local' | 'global' | 'other'>()
    const view = new LateView((key) => {
      const found = kinds.get(key.slice(0, 4))
      if (found === 'global') return Math.ceil(this.#random() * lateIndexes_ms)
      return found === 'item' || found === 'local' ? Math.ceil(this.#random() * staleReads_ms) : 0
    }, kind.now_ms)
    this.context = {
      ...kind,
      read: (isConsistent, work) => kind.read(isConsistent, (reading) => work(isConsistent ? reading : view.over(reading))),
      write: (work) =>
        kind.write((writing) => {
          for (const name of kind.catalog.names(writing)) {
            const table = kind.catalog.table(writing, name)
            kinds.set(table.space, 'item')
            for (const index of table.indexes) kinds.set(index.space, index.isGlobal ? 'global' : 'local')
          }
          return work(view.recording(writing, (key) => kinds.get(key.slice(0, 4)) === 'item'))
        }),
    }
  }

  async execute(run: Run, operation: string, input: unknown): Promise<object> {
    const { seed, conflicts = false, throttled = 0, unprocessed = 0, expiry_ms, lostBefore = 0, lostAfter = 0 } = this.#unkind
    if (expiry_ms !== undefined) await expire(this.#kind, { late_ms: (key) => chanceOf(seed, key) * expiry_ms })
    if (this.#happens(lostBefore)) throw lost()
    const items = itemsNamed(this.#kind, operation, input)
    const second = Math.floor(this.#kind.now_ms() / 1000)
    if (items.some(({ partition }) => chanceOf(seed, `${second} ${partition}`) < throttled)) {
      throw new ServiceError(
        'ProvisionedThroughputExceededException',
        'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
      )
    }
    const answering = conflicts
      ? this.#underWay.run(operation, items, () => run(operation, input))
      : this.#inPart(run, operation, input, unprocessed)
    if (!this.#happens(lostAfter)) return answering
    // A refusal is an answer, too.
    await answering.catch(() => undefined)
    throw lost()
  }

  #happens(share: number): boolean {
    return share > 0 && this.#random() < share
  }

  /** A batch without some of its keys or items, but with one at least: DynamoDB throttles a batch of which it can process none. */
  async #inPart(run: Run, operation: string, input: unknown, share: number): Promise<object> {
    const left = share > 0 ? refusedAs(operation, input, (isFirst) => !isFirst && this.#happens(share)) : undefined
    if (left === undefined) return run(operation, input)
    return { ...(await run(operation, left.input)), ...left.refused }
  }
}

/** As Node tells that a connection broke under a request. */
function lost(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
}
