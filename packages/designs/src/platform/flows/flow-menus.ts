import type { NeededPermission } from '@freehold/frame/flow'
import { RolePermission } from '../design.ts'
import { type Action, actions } from '../snapshot/menu-flags.ts'

export interface MenuPermission {
  readonly menu: string
  readonly action: Action
}

/** That a calling user is allowed an action in a menu of the account. */
export const on = (menu: string, action: Action): NeededPermission =>
  Object.freeze({ module: 'platform', action, resource: menu, at: 'account' })

const menuKey = RolePermission.attributes.menuKey.schema

/** Reads a permission that a deployer gives. */
export function readPermission(given: unknown): { readonly value: NeededPermission } | { readonly problem: string } {
  const { menu, action }: { readonly menu?: unknown; readonly action?: unknown } = typeof given === 'object' && given !== null ? given : {}
  const read = menuKey.safeParse(menu)
  if (!read.success || read.data === '') return { problem: `: its menu ${read.error?.issues[0]?.message ?? 'is empty'}` }
  const known = actions.find((each) => each === action)
  return known === undefined ? { problem: `: its action is none of ${actions.join(', ')}` } : { value: on(read.data, known) }
}
