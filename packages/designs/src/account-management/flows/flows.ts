import type { ConnectedTable } from '@freehold/table'
import type { Caller } from '../../flow/actor.ts'
import type { FlowFunctions } from '../../flow/flow.ts'
import { offerFlows } from '../../flow/offered-flows.ts'
import { type AccountContext, type AccountOptions, beginAccountFlow } from './account-context.ts'
import { createClient, deleteClient, reactivateClient, suspendClient, updateClient } from './clients.ts'
import { exportClient } from './export-client.ts'

/** The flows of account-management, by name. */
export const accountFlows = {
  createClient,
  updateClient,
  suspendClient,
  reactivateClient,
  deleteClient,
  exportClient,
} as const

export type AccountFlows = FlowFunctions<typeof accountFlows>

/** What does the durable jobs of these flows: `connect` is given it by whoever runs flows or resumes jobs. */
export const accountJobHandlers = {}

/** The untyped face, for the command and for HTTP. */
export const offeredAccountFlows = offerFlows<AccountContext>(accountFlows, beginAccountFlow, accountJobHandlers)

/** The flows for one caller of a table, typed. A caller who is nobody is refused by the first call: `Denied`. */
export function flowsOf(table: ConnectedTable, caller: Caller, options: AccountOptions = {}): AccountFlows {
  const bound = Object.entries(accountFlows).map(([name, flow]) => [
    name,
    // Each flow validates its input itself.
    async (input: unknown) => flow.run(await beginAccountFlow(table, caller, name, options), input as never),
  ])
  // Each function is of its flow, from which FlowFunctions takes its type.
  return Object.freeze(Object.fromEntries(bound)) as unknown as AccountFlows
}
