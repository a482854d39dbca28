import { isForeign } from '../../decision/record.ts'

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

/**
 * Of the links that lie at an id, which names no owner, those of the role. Of two roles of one id neither grants what the other is linked to. Another
 * program has only its own role at the id, and does not say whose it is.
 * @param owner undefined for the system
 */
export function ownLinks<L extends { readonly version: number }>(
  links: readonly L[],
  owner: string | undefined,
  ownerOf: (link: L) => string | undefined,
): readonly L[] {
  return links.filter((link) => ownerOf(link) === owner || (ownerOf(link) === undefined && isForeign(link)))
}
