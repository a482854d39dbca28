/** What may be done with what, in which module. In a role or the catalogue `*` stands for any in each part; a question never holds it. */
export interface Permission {
  readonly module: string
  readonly action: string
  readonly resource: string
}

export const wildcard = '*'

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

const parts = ['module', 'action', 'resource'] as const

/** True where a pattern covers a permission, or all that another pattern covers. */
export function covers(pattern: Permission, permission: Permission): boolean {
  return parts.every((part) => pattern[part] === wildcard || pattern[part] === permission[part])
}

/** The three parts of what is stored as a permission; undefined where it is none. */
export function permissionIn(stored: unknown): Permission | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { module, action, resource } = stored as Readonly<Record<string, unknown>>
  if (typeof module !== 'string' || typeof action !== 'string' || typeof resource !== 'string') return undefined
  return module === '' || action === '' || resource === '' ? undefined : { module, action, resource }
}
