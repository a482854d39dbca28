import { type AccountTable, accountJobHandlers, accountManagement, platform, type RebacTable, rebac } from '@freehold/designs'
import { type ConnectedTable, type ConnectOptions, connect } from '@freehold/table'
import type { PlatformTable } from './calls/platform-calls.ts'
import type { CallBounds, DesignName } from './worker-options.ts'

/** Options that bound calls, which this campaign holds the runtime to. */
export type BoundedOptions = ConnectOptions & Partial<CallBounds> & { readonly monotonic_ms?: () => number }

export interface CampaignTables {
  readonly account: AccountTable
  readonly rebac: RebacTable
  readonly platform: PlatformTable
  readonly all: readonly ConnectedTable[]
  close(): void
}

/** The tables of the campaign's designs, over one endpoint. */
export function connectTables(
  endpoint: string,
  names: Readonly<Record<DesignName, string>>,
  options: Omit<BoundedOptions, 'table' | 'dynamo'>,
): CampaignTables {
  const optionsOf = (name: DesignName): BoundedOptions => ({ ...options, table: names[name], dynamo: { endpoint } })
  const tables = {
    account: connect(accountManagement, { ...optionsOf('account-management'), jobHandlers: accountJobHandlers }),
    rebac: connect(rebac, optionsOf('rebac')),
    platform: connect(platform, optionsOf('platform')),
  }
  // A table of any design has what every table has; `forTenant` alone gives a table of its own design.
  const all = Object.values(tables) as unknown as readonly ConnectedTable[]
  return {
    ...tables,
    all,
    close: () => {
      for (const table of all) table.close()
    },
  }
}
