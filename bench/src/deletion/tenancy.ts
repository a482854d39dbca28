import type { Decider } from '@freehold/frame/decision'
import type { AnyDesign, ConnectedTable, ConnectOptions } from '@freehold/table'
import { scanItems } from '@freehold/table/runtime'

/** A design whose tenants are deleted here. */
export interface Tenancy {
  readonly design: AnyDesign
  /** What it calls one. */
  readonly tenant: string
  readonly jobHandlers: NonNullable<ConnectOptions['jobHandlers']>
  /** Entities whose items tell what was done, and stay. */
  readonly records: readonly string[]
  /** Fills the table with another tenant, which asks these questions; `going` creates the tenant that is deleted, and gives its id. */
  fill(table: ConnectedTable, users: number): Promise<{ readonly questions: readonly unknown[]; going(): Promise<string> }>
  connect(options: ConnectOptions): ConnectedTable
  decider(table: ConnectedTable): Pick<Decider, 'can'>
  remove(table: ConnectedTable, id: string): Promise<unknown>
}

/** Items of the table that tell of a tenant, the records left out. It reads the whole table. */
export async function itemsOf({ records }: Tenancy, { runtime }: ConnectedTable, tenant: string): Promise<number> {
  let count = 0
  for await (const page of scanItems(runtime))
    for (const item of page) {
      const isOfTenant = Object.values(item).some((value) => String(value).includes(tenant))
      if (isOfTenant && !records.includes(String(item.Type))) count++
    }
  return count
}
