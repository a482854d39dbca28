import type { NeededPermission } from '../../flow/flow.ts'
import { permissionTable } from '../../flow/permission-table.ts'
import { Page } from '../design.ts'

/**
 * The page that a calling user must be allowed at the location, by flow; all other flows are for operators, and sign-in for identity providers. A
 * deployer may name other pages. The names are such as no page has by chance: to open one is a power, and not a sight.
 */
export const flowPages = Object.freeze({
  joinLocation: 'manage-memberships',
  leaveLocation: 'manage-memberships',
  joinGroup: 'manage-memberships',
  leaveGroup: 'manage-memberships',
  createGroup: 'manage-groups',
  updateGroup: 'manage-groups',
  deleteGroup: 'manage-groups',
  giveRole: 'manage-group-roles',
  takeRole: 'manage-group-roles',
})

export type FlowPages = Readonly<Record<keyof typeof flowPages, string>>

/** The table of pages with a deployer's own. Throws `InvalidInput` for a flow that needs no page, and for what no page is called. */
export const flowPagesWith = (own: Partial<FlowPages> = {}): FlowPages =>
  permissionTable(flowPages, own, 'page', (page) => {
    const read = Page.attributes.pageName.schema.safeParse(page)
    if (read.success && read.data !== '') return { value: read.data }
    return { problem: read.error?.issues[0]?.message ?? 'is empty' }
  })

/** That a calling user must be allowed a page at the location. */
export const opens = (page: string): NeededPermission => Object.freeze({ module: 'rebac', action: 'open', resource: page, at: 'location' })
