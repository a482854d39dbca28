import { isForeign } from '@freehold/frame/decision'

// The one tree of roles, for decisions and flows: a role grants what it has itself, and all that those above it have.

/** A role, its parent, and so on up to the root are no more than this (spec: depth over 8 is refused). What lies above grants nothing. */
export const roleDepthMax = 8

/** A role and those above it, itself first. It is not whole if more are above than a hierarchy may have, or one of the chain itself. */
export interface RoleChain<R> {
  readonly roles: readonly R[]
  readonly isWhole: boolean
}

/** Walks up from a role as far as `parentOf` knows the roles above. */
export function chainFrom<R>(first: R, keyOf: (role: R) => string, parentOf: (role: R) => R | undefined): RoleChain<R> {
  const chain = new Map<string, R>()
  let next: R | undefined = first
  while (next !== undefined && chain.size < roleDepthMax && !chain.has(keyOf(next))) {
    chain.set(keyOf(next), next)
    next = parentOf(next)
  }
  return { roles: [...chain.values()], isWhole: next === undefined }
}

/** The permissions that a role grants by itself: its form decides which of them count. */
export function byForm<E, L>(form: 'embedded' | 'linked', embedded: () => E, linked: () => L): E | L {
  return form === 'embedded' ? embedded() : linked()
}

/**
 * Of the links that lie at an id, which names no owner, those of the role. Of two roles of one id neither grants what the other is linked to. Another
 * program has only its own role at the id, and does not say whose it is.
 */
export function ownLinks<L extends { readonly client_id?: string | undefined; readonly version: number }>(
  links: readonly L[],
  client_id: string | undefined,
): readonly L[] {
  return links.filter((link) => link.client_id === client_id || (link.client_id === undefined && isForeign(link)))
}
