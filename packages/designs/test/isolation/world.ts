import { connect, type Table } from '@freehold/table'
import { ensureTable, type Sender, type Stored, scanItems } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { accountManagement } from '../../src/account-management/design.ts'
import { checkedAccountFlows } from '../account-flows.ts'
import { engineSender } from '../own-table.ts'
import { plant, plantation } from './plant.ts'
import { idsOf, type Step } from './step.ts'
import { WatchedSender } from './watched-sender.ts'

type AccountTable = Table<typeof accountManagement>

/** When every course begins. */
export const beginning = new Date('2026-02-01T12:00:00.000Z')

/** One table that is planted anew for each course, so that a cursor means the same in every one. */
export interface World {
  readonly table: AccountTable
  readonly sender: WatchedSender
  /** Sets the clock, and the ids that are made. */
  turnTo(step: Pick<Step, 'now' | 'number'>): void
  /** Puts everything back to where it was. */
  begin(): Promise<void>
}

const batchMax = 25

async function wipe(sender: Sender, table: AccountTable): Promise<void> {
  const keys: Stored[] = []
  for await (const page of scanItems(table.runtime)) keys.push(...page)
  for (let at = 0; at < keys.length; at += batchMax) {
    const writes = keys
      .slice(at, at + batchMax)
      .map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK: { S: String(PK) }, SK: { S: String(SK) } } } }))
    await sender.send('BatchWriteItem', { RequestItems: { [table.runtime.table]: writes } })
  }
}

export async function worldAt(name: string): Promise<World> {
  let now = beginning
  let ids = idsOf(0)
  const sender = new WatchedSender(engineSender())
  const table = connect(accountManagement, {
    table: name,
    sender,
    secret: new Uint8Array(32),
    now: () => now,
    ids: { uuid: () => ids.uuid(), ulid: () => ids.ulid() },
    random: () => 0.5,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    jobHandlers: checkedAccountFlows.jobHandlers,
  })
  await ensureTable(table.runtime)
  await plant(table)
  await restoreItems(table.runtime, plantation.damage)
  const planted: Stored[] = []
  for await (const page of scanItems(table.runtime)) planted.push(...page)
  return {
    table,
    sender,
    turnTo: (step) => {
      now = new Date(step.now)
      ids = idsOf(step.number)
    },
    begin: async () => {
      await wipe(sender, table)
      await restoreItems(table.runtime, planted)
      sender.take()
    },
  }
}
