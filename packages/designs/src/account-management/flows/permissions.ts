import { count, creating, flag, type Item, oneOf, uuid } from '@freehold/table'
import { changing, given } from '../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../flow/made-item.ts'
import { Permission } from '../design.ts'
import { accountFlow } from './account-flow.ts'
import { writeAudited } from './audited.ts'
import { changeAudited, removeAudited } from './change-audited.ts'

const named = { id: uuid(), version: count().optional() }

export const createPermission = accountFlow({
  name: 'createPermission',
  summary: 'Enters a permission in the catalogue that all clients share.',
  input: given(Permission, 'id', 'module', 'action', 'resource', 'description', 'is_dangerous'),
  place: async () => 'system',
  run: async (context, input): Promise<Item<typeof Permission>> => {
    const after = madeItem(context.table.runtime, Permission, input)
    const entry = { entity: Permission, id: String(after.id), client_id: undefined, after }
    const { permission } = await writeAudited(context, { permission: creating(Permission, after) }, entry)
    return givenBack(Permission, permission)
  },
})

export const updatePermission = accountFlow({
  name: 'updatePermission',
  summary: 'Changes an entry of the catalogue: the roles that are linked to it follow.',
  input: { ...named, ...changing(Permission, 'module', 'action', 'resource', 'description', 'is_dangerous') },
  place: async () => 'system',
  run: async (context, { id, version, ...change }): Promise<Item<typeof Permission>> =>
    changeAudited(context, Permission, { id }, change, { version }),
})

export const deletePermission = accountFlow({
  name: 'deletePermission',
  summary: 'Takes an entry out of the catalogue: refused while roles are linked to it, unless asked to cascade, which unlinks them.',
  input: { ...named, in_use: oneOf('cascade').optional(), wait: flag().optional() },
  place: async () => 'system',
  run: async (context, { id, version, in_use, wait }): Promise<void> =>
    removeAudited(context, Permission, { id }, { version, inUse: in_use ?? undefined, wait }),
})
