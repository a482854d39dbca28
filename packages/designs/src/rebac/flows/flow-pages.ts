import type { NeededPermission } from '@freehold/frame/flow'
import { Page } from '../design.ts'

/** That a calling user must be allowed a page at the location. */
export const opens = (page: string): NeededPermission => Object.freeze({ module: 'rebac', action: 'open', resource: page, at: 'location' })

/** Reads a page that a deployer gives. */
export function readPage(page: unknown): { readonly value: NeededPermission } | { readonly problem: string } {
  const read = Page.attributes.pageName.schema.safeParse(page)
  if (read.success && read.data !== '') return { value: opens(read.data) }
  return { problem: read.error?.issues[0]?.message ?? 'is empty' }
}
