import { Role } from '../../design.ts'
import { listFlow } from '../account-host.ts'
import { at } from '../needs.ts'
import { askedClient, clientNamed, clientScope } from '../scope.ts'

const pageDefault = 100
const ofSystem = 'system:'

/** One cursor over two lists, each of which has its own. */
const systemCursor = (cursor: string | undefined) => `${ofSystem}${cursor ?? ''}`

export const assignableRoles = listFlow(Role, {
  name: 'assignableRoles',
  summary: 'The roles that can be assigned at a client: its own, then those of the system, a page at a time.',
  input: { client_id: askedClient },
  needs: at('client', 'read', 'role'),
  scope: async (context, { client_id }) => clientScope(context, clientNamed(context, client_id)),
  read: async ({ table }, _, { limit = pageDefault, cursor }, { client_id }) => {
    const isSystem = cursor?.startsWith(ofSystem) === true
    const own = isSystem ? { items: [] } : await table.rolesOfClient({ client_id }, { limit, cursor, consistent: true })
    if ('cursor' in own) return own
    const left = limit - own.items.length
    if (left === 0) {
      const more = await table.systemRoles({}, { limit: 1, consistent: true })
      return more.items.length === 0 ? own : { ...own, cursor: systemCursor(undefined) }
    }
    const after = isSystem ? (cursor ?? '').slice(ofSystem.length) : ''
    const system = await table.systemRoles({}, { limit: left, consistent: true, ...(after === '' ? {} : { cursor: after }) })
    return {
      items: [...own.items, ...system.items].filter(({ deleting }) => deleting === undefined),
      ...(system.cursor === undefined ? {} : { cursor: systemCursor(system.cursor) }),
    }
  },
})
