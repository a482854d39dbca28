import type { Sender } from '@freehold/table/runtime'
import { engineSender } from '../../../test/engine/endpoint.ts'

export interface HeldSender {
  readonly sender: Sender
  /** From now on the answers to requests for these places are held back, once they are there. */
  hold(isHeld: (places: string) => boolean): void
  /** Resolves once answers are held back, and no request for these places is on its way any more. */
  held(): Promise<void>
  /** Requests from now on are answered at once; those that are held back stay so. */
  pass(): void
  /** Lets everything go. */
  release(): void
}

/** A network that withholds answers: what they say was true when it was read. */
export function heldSender(): HeldSender {
  const sender = engineSender()
  let isHeld: (places: string) => boolean = () => false
  let underWay = 0
  let waiting: (() => void)[] = []
  let tellHeld = () => {}
  const settle = () => {
    if (underWay === 0 && waiting.length > 0) tellHeld()
  }
  return {
    hold: (which) => {
      isHeld = which
    },
    held: () =>
      new Promise((resolve) => {
        tellHeld = resolve
        settle()
      }),
    pass: () => {
      isHeld = () => false
    },
    release: () => {
      for (const each of waiting) each()
      waiting = []
    },
    sender: {
      send: async (operation, input, options) => {
        if (!isHeld(JSON.stringify(input))) return sender.send(operation, input, options)
        underWay++
        const answer = await sender.send(operation, input, options)
        underWay--
        const released = new Promise<void>((resolve) => waiting.push(resolve))
        settle()
        await released
        return answer
      },
      close: () => sender.close(),
    },
  }
}
