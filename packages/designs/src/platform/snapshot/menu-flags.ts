// This file imports nothing: a browser loads it as it stands.

/** The actions in a menu, in the order in which people say them. */
export const actions = ['view', 'create', 'edit', 'delete'] as const
export type Action = (typeof actions)[number]

/** The flag of each action on a permission. */
export const flagOf = { view: 'canView', create: 'canCreate', edit: 'canEdit', delete: 'canDelete' } as const
export type Flags = { readonly [A in (typeof flagOf)[Action]]: boolean }
