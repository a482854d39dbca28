import { type Permission, wildcard } from '../permission/permission.ts'

/** The next level after each part of a pattern: by the part's name, and the one after a wildcard. */
interface Level<T> {
  readonly named: Map<string, T>
  any: T | undefined
}

/** Patterns by module, action and resource. */
export type PermissionSet = Level<Level<Level<true>>>

const level = <T>(): Level<T> => ({ named: new Map(), any: undefined })

/** The next level after this part, made if there is none yet. */
function following<T>(at: Level<T>, part: string, make: () => T): T {
  const known = part === wildcard ? at.any : at.named.get(part)
  if (known !== undefined) return known
  const made = make()
  if (part === wildcard) at.any = made
  else at.named.set(part, made)
  return made
}

export function permissionSet(patterns: Iterable<Permission>): PermissionSet {
  const modules: PermissionSet = level()
  for (const { module, action, resource } of patterns) {
    const actions = following(modules, module, () => level<Level<true>>())
    following(
      following(actions, action, () => level<true>()),
      resource,
      () => true as const,
    )
  }
  return modules
}

/** True if a pattern covers the permission, which holds no wildcard. Makes nothing: no text, no closure, no iterator. */
export function isCovered(set: PermissionSet, { module, action, resource }: Permission): boolean {
  return hasAction(set.named.get(module), action, resource) || hasAction(set.any, action, resource)
}

function hasAction(actions: Level<Level<true>> | undefined, action: string, resource: string): boolean {
  return actions !== undefined && (hasResource(actions.named.get(action), resource) || hasResource(actions.any, resource))
}

function hasResource(resources: Level<true> | undefined, resource: string): boolean {
  return resources !== undefined && (resources.any === true || resources.named.has(resource))
}
