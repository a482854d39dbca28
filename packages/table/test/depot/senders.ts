import { randomUUID } from 'node:crypto'
import type { Inputs, Operation, Outputs } from '../../src/dynamo/operation.ts'
import type { Sender } from '../../src/dynamo/sender.ts'
import { UnderWay } from '../../src/testing/under-way.ts'
import { directSender } from './table.ts'

const writes: ReadonlySet<Operation> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'])

/** Tells each request, and lets something happen before it is sent. */
export class WatchedSender implements Sender {
  /** The requests in order. */
  readonly sent: Operation[] = []
  readonly #before: (operation: Operation, index: number) => Promise<void> | void

  constructor(before: (operation: Operation, index: number) => Promise<void> | void = () => {}) {
    this.#before = before
  }

  async send<O extends Operation>(operation: O, input: Inputs[O]): Promise<Outputs[O]> {
    this.sent.push(operation)
    await this.#before(operation, this.sent.length - 1)
    return directSender().send(operation, input)
  }

  close(): void {}
}

/** Raises conflicts as DynamoDB at AWS does, and the embedded engine never. */
export class ConflictingSender implements Sender {
  /** Transactions that met none. */
  transactions = 0
  readonly underWay = new UnderWay()

  async send<O extends Operation>(operation: O, input: Inputs[O]): Promise<Outputs[O]> {
    const entered = this.underWay.enter(operation, { ...input })
    if ('refused' in entered) {
      const { code, ...more } = entered.refused
      throw Object.assign(new Error(code), { name: code, ...more })
    }
    if (operation === 'TransactWriteItems') this.transactions++
    try {
      return await directSender().send(operation, input)
    } finally {
      entered.leave()
    }
  }

  close(): void {}
}

/**
 * A process that ends: of the requests that it sends, so many writes are applied, of the last of which it does not hear; then nothing is
 * sent.
 */
export class DyingSender implements Sender {
  isDead = false
  readonly #writesMax: number
  #writes = 0

  constructor(writesMax: number) {
    this.#writesMax = writesMax
  }

  async send<O extends Operation>(operation: O, input: Inputs[O]): Promise<Outputs[O]> {
    const isWrite = writes.has(operation)
    if (this.isDead || (isWrite && this.#writesMax === 0)) this.#die()
    const output = await directSender().send(operation, input)
    if (isWrite && ++this.#writes === this.#writesMax) this.#die()
    return output
  }

  #die(): never {
    this.isDead = true
    throw new Error('this process has ended')
  }

  close(): void {}
}

/** How an answer is lost: before the table has the request, after it has applied it, or so late that it has forgotten the token as well. */
export type Loss = 'before' | 'after' | 'after, and the token is forgotten'

/** Loses the answer of one write, the first after `skipped` others. */
export class LosingSender implements Sender {
  isLost = false
  /** The engine does not remember tokens. */
  readonly forgets: boolean
  readonly #skipped: number
  readonly #loss: Loss
  #writes = 0

  constructor(skipped: number, loss: Loss) {
    this.#skipped = skipped
    this.#loss = loss
    this.forgets = loss === 'after, and the token is forgotten'
  }

  async send<O extends Operation>(operation: O, input: Inputs[O]): Promise<Outputs[O]> {
    const isLost = writes.has(operation) && this.#writes++ === this.#skipped
    if (isLost && this.#loss === 'before') this.#lose()
    const isForgotten = 'ClientRequestToken' in input && this.forgets
    const output = await directSender().send(operation, isForgotten ? { ...input, ClientRequestToken: randomUUID() } : input)
    if (isLost) this.#lose()
    return output
  }

  #lose(): never {
    this.isLost = true
    throw new Error('the answer is lost')
  }

  close(): void {}
}

/** Keeps the first write back, as a network does that delivers late, and tells its client that no answer came. */
export class HoldingSender implements Sender {
  #held: (() => Promise<unknown>) | undefined

  async send<O extends Operation>(operation: O, input: Inputs[O]): Promise<Outputs[O]> {
    if (this.#held === undefined && writes.has(operation)) {
      this.#held = () => directSender().send(operation, input)
      throw new Error('no answer in time')
    }
    return directSender().send(operation, input)
  }

  /** The held request arrives, and its answer is lost. */
  async deliver(): Promise<void> {
    if (this.#held === undefined) throw new Error('nothing was held')
    await this.#held().catch(() => undefined)
  }

  close(): void {}
}

/** An engine that is started again once: it has forgotten all tokens then, and refuses one connection before, if it is to. */
export class ForgettingSender implements Sender {
  readonly #refuses: boolean
  #start = randomUUID()
  #losing: (() => Promise<unknown>) | undefined
  #left = 0
  #isDown = false
  #readsFail = false
  #ended = () => {}
  readonly #end = new Promise<void>((resolve) => {
    this.#ended = resolve
  })

  constructor(refuses: boolean) {
    this.#refuses = refuses
  }

  /** From now on no read is answered. */
  failReads(): void {
    this.#readsFail = true
  }

  /** The next writes are applied, their answers are lost, the engine is started again, and others do something. */
  loseNext(meanwhile: () => Promise<unknown>, writes_count = 1): void {
    this.#losing = meanwhile
    this.#left = writes_count
  }

  async send<O extends Operation>(operation: O, input: Inputs[O]): Promise<Outputs[O]> {
    if (this.#isDown) {
      this.#isDown = false
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    }
    if (this.#readsFail && !writes.has(operation)) throw new Error('no answer')
    // The engine recognises a token by its first 18 characters and its own start.
    const token =
      'ClientRequestToken' in input ? { ClientRequestToken: `${input.ClientRequestToken}`.slice(0, 18) + this.#start.slice(0, 18) } : {}
    const output = await directSender().send(operation, { ...input, ...token })
    const meanwhile = writes.has(operation) ? this.#losing : undefined
    if (meanwhile === undefined) return output
    if (--this.#left === 0) {
      this.#losing = undefined
      this.#start = randomUUID()
      this.#isDown = this.#refuses
      await meanwhile()
      this.#ended()
    }
    await this.#end
    throw new Error('the answer is lost')
  }

  close(): void {}
}
