import { type ConnectedTable, type Entity, FreeholdError, type Item } from '@freehold/table'
import { tableOn } from '@freehold/table/runtime'
import type { Caller } from '../actor.ts'
import { callOnce } from './call-once.ts'

/**
 * Creates an item under an idempotency key: sent again within a day, it is not created again, and the answer says so. `replayed`: the item as it
 * is now. Throws `KeyReused` for another request with the key, `NotFound` if the item is gone by now, and the errors of a creation.
 * @param entityName of the table's design
 */
export async function createOnce(
  table: ConnectedTable,
  entityName: string,
  input: unknown,
  caller: Caller,
  key: string,
): Promise<Item<Entity> & { readonly replayed?: true }> {
  const { runtime } = table
  const items = table.repositoryNamed(entityName)
  return callOnce<Item<Entity> & { readonly replayed?: true }>(
    runtime,
    { key, caller, operation: `create ${entityName}`, input },
    {
      first: async (begin) => {
        const call = begin({ told: null, names: ({ name }) => name === entityName })
        return tableOn({ ...runtime, call })
          .repositoryNamed(entityName)
          .create(input)
      },
      again: async ({ made: [made] }) => {
        const item = made === undefined ? undefined : await items.get(made.id, { consistent: true })
        if (item !== undefined) return { ...item, replayed: true }
        const message = `This ${entityName} was created before, under the same idempotency key. It is not there any more.`
        throw new FreeholdError('NotFound', message, { entity: entityName, ...made, replayed: true })
      },
    },
  )
}
