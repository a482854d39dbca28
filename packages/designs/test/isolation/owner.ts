import type { Stored } from '@freehold/table/runtime'
import { accountManagement } from '../../src/account-management/design.ts'

/** Whose an item is: a client's, by its id; `nobody` for what is of none; `jobs` for the record of a durable job or a call, which tells nobody anything. */
export function ownerOf({ PK, Type, id, client_id }: Stored): string {
  if (/^FREEHOLD_(JOBS$|CALLS#)/.test(String(PK))) return 'jobs'
  const owner = Type === 'Client' || Type === 'ClientEntry' ? id : client_id
  return typeof owner === 'string' ? owner : 'nobody'
}

/** Entities whose items of no client every client may read. */
const shared: ReadonlySet<unknown> = new Set(accountManagement.tenants?.shared?.map(({ name }) => name))

export function isShared(item: Stored): boolean {
  return ownerOf(item) === 'nobody' && shared.has(item.Type)
}
