import { type AccountTable, accountManagement, offeredAccountFlows } from '@freehold/designs/account-management'
import { type AuthorizationTable, authorization, authorizationModule } from '@freehold/designs/authorization'
import { type PlatformTable, platform, platformModule } from '@freehold/designs/platform'
import { type RebacTable, rebac } from '@freehold/designs/rebac'
import { serviceDesign } from '@freehold/service'
import { type ClientOptions, type ConnectedTable, type ConnectOptions, connect, type Table } from '@freehold/table'
import type { DesignName } from './worker-options.ts'

/** How the tables are connected, besides where they are. */
export interface ConnectingTables extends Omit<ConnectOptions, 'table' | 'dynamo'> {
  readonly dynamo?: Omit<ClientOptions, 'endpoint'>
}

export interface CampaignTables {
  readonly account: AccountTable
  readonly rebac: RebacTable
  readonly platform: PlatformTable
  readonly authorization: AuthorizationTable
  /** Counts of guesses. */
  readonly service: Table<typeof serviceDesign>
  readonly all: readonly ConnectedTable[]
  close(): void
}

/** The tables of the campaign's designs, over one endpoint. */
export function connectTables(
  endpoint: string,
  names: Readonly<Record<DesignName, string>>,
  { dynamo, ...options }: ConnectingTables,
): CampaignTables {
  const optionsOf = (name: DesignName): ConnectOptions => ({ ...options, table: names[name], dynamo: { endpoint, ...dynamo } })
  const tables = {
    account: connect(accountManagement, { ...optionsOf('account-management'), jobHandlers: offeredAccountFlows.jobHandlers }),
    rebac: connect(rebac, optionsOf('rebac')),
    platform: connect(platform, { ...optionsOf('platform'), jobHandlers: platformModule.flows.jobHandlers }),
    authorization: connect(authorization, { ...optionsOf('authorization'), jobHandlers: authorizationModule.flows.jobHandlers }),
    service: connect(serviceDesign, optionsOf('service')),
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
