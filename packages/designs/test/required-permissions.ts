import type { Needs } from '../../frame/src/flow/flow.ts'
import { accountFlows } from '../src/account-management/flows/flows.ts'

/** By flow of account-management: the permission that a calling user needs. */
export const requiredPermissions: Readonly<Record<string, Needs>> = Object.fromEntries(
  Object.entries(accountFlows).map(([name, { needs }]) => [name, needs]),
)
