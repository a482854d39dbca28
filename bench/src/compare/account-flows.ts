import type { Packages } from './packages.js'

type Offered = Packages['designs']['offeredAccountFlows']

/** The flows of account-management; a commit before `offeredAccountFlows` exports its two parts by names of their own. */
export function accountFlowsOf({ designs }: Packages): Pick<Offered, 'of' | 'jobHandlers'> {
  if (designs.offeredAccountFlows !== undefined) return designs.offeredAccountFlows
  // The bench compares any two commits: those before have these.
  const { flowsOf, accountJobHandlers } = designs as unknown as { flowsOf: Offered['of']; accountJobHandlers: Offered['jobHandlers'] }
  return { of: flowsOf, jobHandlers: accountJobHandlers }
}
