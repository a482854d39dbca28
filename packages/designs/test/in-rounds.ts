import type { Sender } from '@freehold/table/runtime'

/** Longer than any chain of promises between an answer and the next request. */
const turns = 4

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * A sender that answers in rounds: all requests that were sent are answered together, once nobody has anything left to do but to wait for them. So it
 * counts the answers that some work waits for one after the other, also those to requests of others.
 */
export function inRounds(sender: Sender) {
  let waiting: (() => Promise<unknown>)[] = []
  return {
    sender: {
      send: (operation, input, options) =>
        new Promise((resolve, reject) => {
          waiting.push(() => sender.send(operation, input, options).then(resolve, reject))
        }),
      close: () => {},
    } satisfies Sender,
    /** Does all works, each from its round on, and gives the number of rounds that each took. */
    count: async (works: readonly { readonly from: number; readonly work: () => Promise<unknown> }[]): Promise<readonly number[]> => {
      const taken = new Map<number, number>()
      let failed: unknown
      for (let round = 0; taken.size < works.length; round++) {
        for (const [index, { from, work }] of works.entries()) {
          if (from !== round) continue
          const done = () => taken.set(index, -1)
          work().then(done, (error: unknown) => {
            failed ??= error
            done()
          })
        }
        await settled()
        for (const [index, { from }] of works.entries()) if (taken.get(index) === -1) taken.set(index, round - from)
        const sent = waiting
        waiting = []
        await Promise.all(sent.map((answer) => answer()))
      }
      if (failed !== undefined) throw failed
      return works.map((_, index) => taken.get(index) ?? 0)
    },
  }
}
