import type { Decider, DeciderOptions } from '@freehold/frame/decision'
import type { Log } from '../http/access-log.ts'
import type { Handle } from '../http/service-request.ts'
import type { AskingRequest } from './decision-log.ts'

/** What a service does for those who watch it, around its own parts. Without watchers it gives each part back as it is. */
export interface Observing {
  log(log: Log): Log
  handle(handle: Handle): Handle
  /** Around the work of a route. */
  readonly within: <T>(request: AskingRequest, work: () => T) => T
  decider<D extends Decider | undefined>(design: string, decider: D): Decider | D
  /** The options of deciders that the service makes. */
  readonly deciding: DeciderOptions
}
