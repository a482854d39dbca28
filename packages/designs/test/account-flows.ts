import type { ConnectOptions } from '@freehold/table'
import { operator } from '../../frame/src/flow/actor.ts'
import { accountManagement } from '../src/account-management/design.ts'
import type { AccountTable } from '../src/account-management/flows/account-host.ts'
import { type AccountFlows, accountFlows, offeredAccountFlows } from '../src/account-management/flows/flows.ts'
import { withDeclaredErrors } from './declared-errors.ts'
import { answering } from './flow-decider.ts'
import { ownTableOf } from './own-table.ts'

export interface AccountWork {
  readonly table: AccountTable
  /** An operator's. */
  readonly flows: AccountFlows
  /** Those of a user whom the decisions, which the test makes, allow everything or nothing. */
  acting(user_id: string, allowed?: boolean): { readonly flows: AccountFlows; readonly asked: unknown[] }
  /** The audit of a client, or of the system, oldest first. */
  audit(client_id?: string): Promise<readonly AuditView[]>
}
export interface AuditView {
  readonly action: string
  readonly [name: string]: unknown
}

/** The flows of account-management. An error that its flow does not declare fails the test that meets it. */
export const checkedAccountFlows: typeof offeredAccountFlows = withDeclaredErrors(accountFlows, offeredAccountFlows)

const always = { from: '2000-01-01', to: '2199-12-31' }

/** An account-management table of this test's own, with its flows and the jobs of these. */
export async function accountWork(options: ConnectOptions = {}): Promise<AccountWork> {
  const table = await ownTableOf(accountManagement, { jobHandlers: offeredAccountFlows.jobHandlers, ...options })
  return {
    table,
    flows: checkedAccountFlows.of(table, { actor: operator }),
    acting: (user_id, allowed = true) => {
      const { decider, asked } = answering(() =>
        allowed ? { allowed } : { allowed, reason: { kind: 'policy', code: 'NoGrant', message: 'No role allows it.' } },
      )
      return { flows: checkedAccountFlows.of(table, { actor: { kind: 'user', user_id } }, { decider }), asked }
    },
    audit: async (client_id) => {
      const page =
        client_id === undefined
          ? await table.systemAudit(always, { consistent: true, limit: 1000 })
          : await table.auditOfClient({ client_id, ...always }, { limit: 1000 })
      return [...page.items].reverse().map(({ action = '', ...more }) => ({ action, ...more }))
    },
  }
}

/** The changes that an audit entry tells. */
export function changesOf(entry: AuditView | undefined): unknown {
  const { metadata } = (entry ?? {}) as { readonly metadata?: { readonly changes?: unknown } }
  return metadata?.changes
}

/** The resources of the permissions that a role is linked to, in order. */
export async function linksOf({ table }: Pick<AccountWork, 'table'>, role_id: string): Promise<string[]> {
  const links: string[] = []
  for await (const { resource } of table.linksOfRole.all({ role_id }, { consistent: true })) links.push(String(resource))
  return links.sort()
}
