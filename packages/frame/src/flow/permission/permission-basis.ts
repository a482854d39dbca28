import { isDeepStrictEqual } from 'node:util'
import type { Step } from '@freehold/table'

/**
 * A transaction always keeps so many of its actions for the permission basis of its caller: for a user who holds a permission by two roles, each the
 * last of eight, with itself, its tenant and two scopes of the chain. A larger basis is checked as far as the transaction has room.
 */
export const basisMin = 24

/** In the order in which they matter: checks that do not fit into a transaction are left out from the end. */
const kinds = ['user', 'tenant', 'scope', 'grant', 'definition'] as const

/** An item that a permission rests on, as it was read when that was decided. */
export interface BasisItem {
  readonly kind: (typeof kinds)[number]
  /** One for each item. */
  readonly name: string
  readonly check: Step
  /** An ISO instant: when the item expires by itself. */
  readonly until?: string | undefined
}

/** The permission basis of the caller has changed; nothing was written. The engine decides again. */
export class BasisChanged extends Error {}

/** The check of an item without a version now compares its attributes. What was decided before it was read is decided again. */
export class BasisRead extends BasisChanged {}

/** By the name of a basis item that another program wrote: its check by the attributes that were read before the decision. */
export type ReadChecks = Map<string, Step>

/** The items that the writes of one attempt of a flow rest on. It grows while the flow decides. */
export function newBasis(read: ReadChecks = new Map()) {
  const all = new Map<string, BasisItem>()
  return {
    has: (name: string): boolean => all.has(name),
    /** Throws `BasisChanged` if an item was read otherwise before. */
    add: (items: readonly BasisItem[]): void => {
      for (const item of items) {
        const known = all.get(item.name)
        if (known !== undefined && !isDeepStrictEqual(known.check, item.check)) throw new BasisChanged(item.name)
        all.set(item.name, item)
      }
    },
    /** Reads the items whose version tells no change, and throws `BasisRead` if it has: only a decision after that is about what was read. */
    readUnversioned: async (asRead: (check: Step) => Promise<Step>): Promise<void> => {
      const unread = [...all.values()].filter(({ name, check }) => check.version === 0 && !read.has(name))
      for (const { name, check } of unread) read.set(name, await asRead(check))
      if (unread.length > 0) throw new BasisRead('read')
    },
    /** Checks for a transaction, in the order in which they matter. Throws `BasisChanged` if an item has expired. */
    checks: (now: Date): Readonly<Record<string, Step>> => {
      const at = now.toISOString()
      const expired = [...all.values()].find(({ until }) => until !== undefined && until <= at)
      if (expired !== undefined) throw new BasisChanged(expired.name)
      const ordered = [...all.values()].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
      const asRead = ({ name, check }: BasisItem) => (check.version === 0 ? { ...check, read: read.get(name)?.read } : check)
      return Object.fromEntries(ordered.map((item) => [`basis: ${item.name}`, asRead(item)]))
    },
  }
}

export type PermissionBasis = ReturnType<typeof newBasis>
