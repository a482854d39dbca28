import { type Permission, permissionText, wildcard } from '../../permission/permission.ts'

/** A role embeds no more, and one call gives or takes no more: more are linked (spec: the linked form is required above that), in several calls. */
export const permissionsMax = 1000

/** A permission that a role grants: `*` stands for any in its part. */
export type PermissionPattern = Permission

const parts = ['module', 'action', 'resource'] as const

/** True if both stand for one permission, at least. */
export function overlaps(one: PermissionPattern, other: PermissionPattern): boolean {
  return parts.every((part) => one[part] === other[part] || one[part] === wildcard || other[part] === wildcard)
}

export function isSamePattern(one: PermissionPattern, other: PermissionPattern): boolean {
  return parts.every((part) => one[part] === other[part])
}

/** Each pattern once, in the order of their first mention; of each only its parts. */
export function distinctPatterns(patterns: readonly PermissionPattern[]): readonly PermissionPattern[] {
  const byText = new Map(
    patterns.map(({ module, action, resource }) => [permissionText({ module, action, resource }), { module, action, resource }]),
  )
  return [...byText.values()]
}
