import type { ClientOptions } from './client-options.ts'
import { type CommandClient, CommandSender } from './command-sender.ts'
import { connectionBy } from './connection.ts'
import type { Sender } from './sender.ts'
import { SignedSender } from './signed-sender.ts'
import { tracedSender } from './traced-sender.ts'

/** A caller's own client. Its middleware, retries and signing are used. */
export interface OwnClient {
  readonly client: CommandClient
}

/** A sender with a client of our own, or over a caller's client. */
export function senderOf(options: ClientOptions | OwnClient = {}): Sender {
  if ('client' in options) return tracedSender(new CommandSender(options.client))
  return tracedSender(new SignedSender(connectionBy(options)))
}
