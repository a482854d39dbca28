/** An action on a resource of a module. In a role or the catalogue `*` stands for any in each part; a question never holds it. */
export interface Permission {
  readonly module: string
  readonly action: string
  readonly resource: string
}

/** A permission that a role grants: `*` stands for any in its part. */
export type PermissionPattern = Permission

export const wildcard = '*'
export const permissionParts = ['module', 'action', 'resource'] as const

/** A role embeds no more, and one call gives or takes no more: more are linked (spec: the linked form is required above that), in several calls. */
export const permissionsMax = 1000

/** One text for a permission. No part holds a control character, and these are stored nowhere. */
export const permissionText = ({ module, action, resource }: Permission): string => `${module}\u0000${action}\u0000${resource}`

/** A permission as people write it. */
export const permissionWords = ({ module, action, resource }: Permission): string => `${module}:${action}:${resource}`

/** The texts of the eight patterns that cover a permission: each part as it stands, or any. */
export function coveringTexts({ module, action, resource }: Permission): readonly string[] {
  return [module, wildcard].flatMap((first) =>
    [action, wildcard].flatMap((second) =>
      [resource, wildcard].map((third) => permissionText({ module: first, action: second, resource: third })),
    ),
  )
}

/** True where a pattern covers a permission, or all that another pattern covers. */
export function covers(pattern: PermissionPattern, permission: Permission): boolean {
  return permissionParts.every((part) => pattern[part] === wildcard || pattern[part] === permission[part])
}

/** True if both stand for one permission, at least. */
export function overlaps(one: PermissionPattern, other: PermissionPattern): boolean {
  return permissionParts.every((part) => one[part] === other[part] || one[part] === wildcard || other[part] === wildcard)
}

/** Each pattern once, in the order of their first mention; of each only its parts. */
export function distinctPatterns(patterns: Iterable<PermissionPattern>): PermissionPattern[] {
  const byText = new Map<string, PermissionPattern>()
  for (const { module, action, resource } of patterns)
    byText.set(permissionText({ module, action, resource }), { module, action, resource })
  return [...byText.values()]
}

/** A test whether a pattern is among these, however many these are. */
export function among(patterns: readonly PermissionPattern[]): (one: PermissionPattern) => boolean {
  const texts = new Set(patterns.map(permissionText))
  return (one) => texts.has(permissionText(one))
}

/** The parts of a permission as callers write it, or the problem with it: an object of three names, or their text if no name holds a colon. */
export function partsWritten(value: unknown): Readonly<Record<string, unknown>> | string {
  const neither = 'is neither {module, action, resource} nor module:action:resource'
  if (typeof value === 'string') {
    const [module, action, resource, ...more] = value.split(':')
    return resource === undefined || more.length > 0 ? neither : { module, action, resource }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return neither
  const isForeign = Object.keys(value).some((name) => !permissionParts.some((part) => part === name))
  return isForeign ? 'has a part that is none of module, action, resource' : { ...value }
}

/** The three parts of a stored permission; undefined for a value that is none. */
export function permissionIn(stored: unknown): Permission | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { module, action, resource } = stored as Readonly<Record<string, unknown>>
  if (typeof module !== 'string' || typeof action !== 'string' || typeof resource !== 'string') return undefined
  return module === '' || action === '' || resource === '' ? undefined : { module, action, resource }
}
