import type { Sender } from '@freehold/table/runtime'
import { engineSender } from './endpoint.ts'

/** Sends each request after this was done. The request fails as this does. */
export function senderAfter(
  before: (...sent: Parameters<Sender['send']>) => unknown,
  sender: Pick<Sender, 'send'> = engineSender(),
): Sender {
  return {
    send: async (...sent) => {
      await before(...sent)
      return sender.send(...sent)
    },
    close: () => {},
  }
}
