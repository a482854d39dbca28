import { waiting } from '@freehold/frame/flow'
import { type Item, oneOf } from '@freehold/table'
import { Permission } from '../../design.ts'
import { permissionIn } from '../../permission/patterns.ts'
import { type AccountContext, itemFlows } from '../account-host.ts'
import { confirmedOf, confirming, dangerousAmong, dangerousEntries } from './dangerous.ts'

type Entry = Item<typeof Permission>

const described = ['module', 'action', 'resource', 'description', 'is_dangerous'] as const
const weighed = ['module', 'action', 'resource', 'is_dangerous'] as const

/**
 * Requires a confirmation if a change of an entry makes it dangerous, or no longer so, and roles are linked to it: they grant the new entry from now
 * on. Throws `InvalidInput` if it is not confirmed.
 */
async function confirmedChange(context: AccountContext, before: Entry, after: Entry, confirmed: boolean | null | undefined) {
  if (weighed.every((name) => before[name] === after[name])) return {}
  const { items } = await context.table.rolesOfPermission({ permission_id: before.id }, { consistent: true, limit: 1 })
  if (items.length === 0) return {}
  const others = (await dangerousEntries(context)).filter(({ id }) => id !== before.id)
  // The entry itself counts as it was and as it will be: a change that takes the mark off is dangerous, too.
  const permission = permissionIn(after)
  const own = permission !== undefined && (before.is_dangerous || after.is_dangerous) ? [permission] : []
  return confirmedOf(context.flow, dangerousAmong([...own, ...others], permission === undefined ? [] : [permission]), confirmed)
}

const scope = async () => 'system' as const
const permission = itemFlows(Permission, { scope })

const createPermission = permission.create({
  name: 'createPermission',
  summary: 'Enters a permission in the catalogue that all clients share.',
  given: ['id', ...described],
  needs: 'operator',
  scope,
})

const updatePermission = permission.update({
  name: 'updatePermission',
  summary:
    'Changes an entry of the catalogue: the roles that are linked to it follow, which needs confirm_dangerous where that concerns what is dangerous.',
  input: confirming,
  may: described,
  needs: 'operator',
  alongside: async ({ context, input }, before, after) => ({
    entry: await confirmedChange(context, before, after, input.confirm_dangerous),
  }),
})

/**
 * Roles that embed the permission do not hang on the catalogue: they keep it and go on granting it, and with the entry goes its mark that it is
 * dangerous.
 */
const deletePermission = permission.remove({
  name: 'deletePermission',
  summary:
    'Takes an entry out of the catalogue, with its mark as dangerous: refused while roles are linked to it, unless asked to cascade, which unlinks them. Roles that embed the permission keep it.',
  input: { in_use: oneOf('cascade').optional(), ...waiting },
  needs: 'operator',
  cascades: ({ input }) => input.in_use === 'cascade',
})

export const permissionFlows = { createPermission, updatePermission, deletePermission } as const
