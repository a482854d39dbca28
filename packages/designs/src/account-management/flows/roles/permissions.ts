import { count, creating, flag, type Item, oneOf, updating, uuid } from '@freehold/table'
import { removeItem } from '../../../flow/change-item.ts'
import type { ChangeEntry } from '../../../flow/flow-host.ts'
import { changing, given } from '../../../flow/input-attributes.ts'
import { checkNamedVersion, liveItem } from '../../../flow/live-item.ts'
import { newItem, returnedItem } from '../../../flow/new-item.ts'
import { changedView, isUnchanged } from '../../../flow/recorded-changes.ts'
import { writeRecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { itemOf, nothing } from '../../../flow/returns.ts'
import { Permission } from '../../design.ts'
import { type AccountContext, flow } from '../account-host.ts'
import { confirmedOf, confirming, dangerousAmong, dangerousEntries } from './dangerous.ts'

const named = { id: uuid(), version: count().optional() }

type Entry = Item<typeof Permission>

const weighed = ['module', 'action', 'resource', 'is_dangerous'] as const

/**
 * What a change of an entry makes dangerous, or no longer, for the roles that are linked to it: they are granted what it says from now on. Throws
 * `InvalidInput` where that is not confirmed.
 */
async function confirmedChange(context: AccountContext, before: Entry, after: Entry, confirmed: boolean | null | undefined) {
  if (weighed.every((name) => before[name] === after[name])) return {}
  const { items } = await context.table.rolesOfPermission({ permission_id: before.id }, { consistent: true, limit: 1 })
  if (items.length === 0) return {}
  const others = (await dangerousEntries(context)).filter(({ id }) => id !== before.id)
  // The entry itself counts as it was and as it will be: what takes the mark off is dangerous, too.
  const own = before.is_dangerous || after.is_dangerous ? [after] : []
  return confirmedOf(context.flow, dangerousAmong([...own, ...others], [after]), confirmed)
}

export const createPermission = flow({
  name: 'createPermission',
  summary: 'Enters a permission in the catalogue that all clients share.',
  input: given(Permission, 'id', 'module', 'action', 'resource', 'description', 'is_dangerous'),
  needs: 'operator',
  effect: 'write',
  returns: itemOf(Permission),
  scope: async () => 'system',
  run: async (context, input) => {
    const after = newItem(context.table.runtime, Permission, input)
    const entry = { entity: Permission, id: String(after.id), tenant: undefined, after }
    const { permission } = await writeRecorded(context, { permission: creating(Permission, after) }, entry)
    return returnedItem(Permission, permission)
  },
})

export const updatePermission = flow({
  name: 'updatePermission',
  summary:
    'Changes an entry of the catalogue: the roles that are linked to it follow, which needs confirm_dangerous where that concerns what is dangerous.',
  input: { ...named, ...changing(Permission, 'module', 'action', 'resource', 'description', 'is_dangerous'), ...confirming },
  needs: 'operator',
  effect: 'write',
  returns: itemOf(Permission),
  scope: async () => 'system',
  run: async (context, { id, version, confirm_dangerous, ...change }) =>
    retryOnConflict(context.table.runtime, async () => {
      const before = await liveItem(context, Permission, { id })
      checkNamedVersion(Permission, before.version, version)
      if (isUnchanged(before, change)) return before
      const after = changedView(before, change)
      const confirmed = await confirmedChange(context, before, after, confirm_dangerous)
      const entry: ChangeEntry = { entity: Permission, id, tenant: undefined, before, after, ...confirmed }
      const steps = { permission: updating(Permission, { id }, change, { version: before.version }) }
      return returnedItem(Permission, (await writeRecorded(context, steps, entry)).permission)
    }),
})

/**
 * Roles that embed the permission do not hang on the catalogue: they keep it and go on granting it, and with the entry goes its mark that it is
 * dangerous.
 */
export const deletePermission = flow({
  name: 'deletePermission',
  summary:
    'Takes an entry out of the catalogue, with its mark as dangerous: refused while roles are linked to it, unless asked to cascade, which unlinks them. Roles that embed the permission keep it.',
  input: { ...named, in_use: oneOf('cascade').optional(), wait: flag().optional() },
  needs: 'operator',
  effect: 'write',
  returns: nothing,
  scope: async () => 'system',
  run: async (context, { id, version, in_use, wait }) =>
    removeItem(context, Permission, { id }, { version, inUse: in_use ?? undefined, wait }),
})
