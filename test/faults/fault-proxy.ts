import { type FaultRule, type FaultySender, faultySender } from '@freehold/table/testing'
import { engineSender } from '../engine/endpoint.ts'
import { serveSender } from '../engine/serve-sender.ts'

export interface FaultProxy extends Pick<FaultySender, 'log' | 'add'> {
  /** The endpoint to which clients send instead. */
  readonly endpoint: string
  close(): Promise<void>
}

/** A faulty sender behind a socket, for commands and servers. */
export async function startFaultProxy(rules: readonly FaultRule[] = []): Promise<FaultProxy> {
  const sender = faultySender(engineSender(), rules)
  return { ...(await serveSender(sender)), log: sender.log, add: sender.add }
}
