// This file imports nothing: a browser loads it as it stands.

/** The actions in a menu, in the order in which people say them. */
export const actions = ['view', 'create', 'edit', 'delete'] as const
export type Action = (typeof actions)[number]

/** The flag of each action on a permission. */
export const flagOf = { view: 'canView', create: 'canCreate', edit: 'canEdit', delete: 'canDelete' } as const
export type Flags = { readonly [A in (typeof flagOf)[Action]]: boolean }

/** The flags of a permission alone. */
export const flagsOf = ({ canView, canCreate, canEdit, canDelete }: Flags): Flags => ({ canView, canCreate, canEdit, canDelete })

export const noFlags: Flags = { canView: false, canCreate: false, canEdit: false, canDelete: false }

/** What any of both allows. */
export function either(one: Flags, other: Flags): Flags {
  return {
    canView: one.canView || other.canView,
    canCreate: one.canCreate || other.canCreate,
    canEdit: one.canEdit || other.canEdit,
    canDelete: one.canDelete || other.canDelete,
  }
}

export const isAny = (flags: Flags): boolean => actions.some((action) => flags[flagOf[action]])
