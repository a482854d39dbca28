import { type Input, isTransaction, isWrite, mainWrites } from './main-writes.ts'
import type { Random } from './random.ts'

/**
 * The faults that the campaign makes of a request:
 * - `lose-request`, `hang-request`: the engine never has it; the connection breaks, or stays without an answer
 * - `lose-answer`, `hang-answer`: the engine has done it; the connection breaks, or stays without an answer
 * - `drip`: done, and answered so slowly that no part is late and the whole is
 * - `garble-request`, `garble-answer`: not done or done, and answered with what is no answer of DynamoDB
 * - `fail-request`, `fail-answer`: not done or done, and answered with a server's error
 * - `throttle`, `deny`: not done; there are too many, or the credentials lack a right
 * - `cancel`: a transaction that is not done, for a reason that is no condition
 * - `unprocessed`: the last of a batch is left over
 * - `hold`, `hold-silently`: done only once its client has sent it again; its connection breaks at once, or stays without an answer
 * - `hold-lone`: a write of one item alone, done when that has come or gone since, or too late
 * - `restart`: done, then the engine is killed and started again before anything is answered
 * - `restart-refused`: the same, and connections are refused until it is there again
 * - `outage`, `refuse`: for a while every connection breaks, or is refused
 */
const weights = {
  'lose-request': 14,
  'lose-answer': 20,
  'hang-request': 2,
  'hang-answer': 3,
  drip: 2,
  'garble-request': 6,
  'garble-answer': 8,
  'fail-request': 8,
  'fail-answer': 8,
  throttle: 10,
  deny: 3,
  cancel: 3,
  unprocessed: 3,
  hold: 30,
  'hold-silently': 2,
  'hold-lone': 20,
  restart: 1,
  'restart-refused': 1,
  outage: 1,
  refuse: 1,
} as const

export type FaultKind = keyof typeof weights

// The keys of a record of these are the kinds.
export const faultKinds = Object.keys(weights) as readonly FaultKind[]

/** Of so many requests, each kind of fault is drawn as often as its weight says. */
const deckSize = 1200

function suits(kind: FaultKind, operation: string, input: Input): boolean {
  if (kind === 'unprocessed') return operation.startsWith('Batch')
  if (kind === 'cancel') return isTransaction(operation)
  if (kind === 'hold-lone') return mainWrites(operation, input).length === 1
  if (kind.startsWith('hold') || kind.startsWith('restart')) return isWrite(operation)
  return true
}

/**
 * Deals faults like cards: without replacement, so that each deck has every kind. A fault that does not suit a request waits for the next that it
 * does. What is dealt depends on the seed alone; which request gets it depends on the order in which requests arrive, and so on timing.
 */
export class FaultDeck {
  private readonly random: Random
  private readonly kinds: readonly FaultKind[]
  private cards: (FaultKind | undefined)[] = []
  private waiting: FaultKind[] = []

  constructor(random: Random, kinds: readonly FaultKind[]) {
    this.random = random
    this.kinds = kinds
  }

  deal(operation: string, input: Input): FaultKind | undefined {
    const drawn = this.draw()
    const kinds = drawn === undefined ? this.waiting : [...this.waiting, drawn]
    const dealt = kinds.find((kind) => suits(kind, operation, input))
    const at = dealt === undefined ? -1 : kinds.indexOf(dealt)
    this.waiting = kinds.filter((_, index) => index !== at)
    return dealt
  }

  private draw(): FaultKind | undefined {
    if (this.cards.length === 0) {
      const faults = this.kinds.flatMap((kind) => Array.from({ length: weights[kind] }, () => kind))
      const nothing = Array.from({ length: deckSize - faults.length }, () => undefined)
      this.cards = this.random.shuffled<FaultKind | undefined>([...faults, ...nothing])
    }
    return this.cards.pop()
  }
}
