/** An action on a resource of a module. In a role or the catalogue `*` stands for any in each part; a question never holds it. */
export type Permission = {
  readonly module: string
  readonly action: string
  readonly resource: string
}

/** A permission that a role grants: `*` stands for any in its part. */
export type PermissionPattern = Permission

export const wildcard = '*'
export const permissionParts = ['module', 'action', 'resource'] as const
