import type { Unusable } from '../decision/record.ts'
import type { Fields, Link } from './link.ts'
import type { Tied } from './load-tied.ts'
import type { Route } from './route.ts'
import type { Ids } from './tie.ts'

/** Items that count, from the subject to what allows. */
export interface Chain {
  /** Worked out only for who is told. */
  links(): readonly Link[]
  /** The link that says which actions it allows. */
  holder(): Link
  readonly actions: readonly string[]
  /** Where actions are flags: the permissions, by what they are for. */
  readonly permissions?: ReadonlyMap<string, Fields> | undefined
  /** All actions, where they are items. */
  readonly isAll?: boolean | undefined
  /** The first end of them. */
  readonly end: Link['end']
}

/** A hub: its key, and the links that lead to it. A link that is not read yet is undefined. */
export interface Hub {
  readonly ids: Ids
  readonly links: readonly (Link | undefined)[]
}

/** A subject and a place by their ids, and an action if it is an item, or what a flag is for. Without one, all actions are looked for. */
export interface Pair {
  readonly subject: string
  readonly place: string
  /** A part of the place. */
  readonly within?: string | undefined
  readonly action?: string | undefined
  /** The flag that a permission needs to allow it, where actions are flags. */
  readonly flag?: string | undefined
  /** The only routes to look at, each with its groups, if that is known of a candidate; all of them otherwise. */
  readonly by?: readonly (readonly [Route, readonly Ids[] | undefined])[] | undefined
  /** A round trip has gone on looking up names. */
  readonly isLate?: boolean | undefined
}

/** All that is known of a subject at a place. */
export interface Finding {
  readonly pair: Pair
  /** Undefined until they are read. */
  readonly subject: Link | undefined
  readonly place: Link | undefined
  /** A part of the place, and what ties the subject to it. */
  readonly within: Link | undefined
  readonly member: Link | undefined
  /** Undefined unless actions are items. */
  readonly action: Link | undefined
  readonly chains: readonly Chain[]
  /** Those of each way that is needed, too. */
  readonly needed: readonly (readonly Chain[])[]
  /** Items that are missing, or do not count. */
  readonly broken: readonly Link[]
  /** More of them, worked out only if they are told. */
  readonly more: readonly (() => readonly Link[])[]
  /** The subject is in a group that refers to the place. */
  readonly isInGroup: boolean
}

/** Groups of a subject. */
export interface Group {
  readonly ids: Ids
  readonly tie: Link | undefined
}
export interface Groups {
  readonly all: readonly Group[]
  readonly unusable: readonly Unusable[]
}

/** A group of a subject, with its roles. */
export interface Held extends Group {
  readonly of: Tied
}

/** What is asked of roles: an action, by a flag if it is one, at the hub. */
export interface On {
  readonly action: string
  readonly flag: string | undefined
  readonly hub: Ids
}

/** The rest of a chain, from a role on. */
export type Allowed = Pick<Chain, 'links' | 'actions' | 'permissions'>

export interface RoleOn {
  readonly role: Link
  readonly permission: Link
  /** Undefined if it does not allow the action. */
  readonly allows: Allowed | undefined
}

/** A finding while it is worked out. */
export interface Found extends Finding {
  /** The subject and the place, with which each chain begins. */
  readonly head: readonly (Link | undefined)[]
  chains: readonly Chain[]
  needed: readonly (readonly Chain[])[]
  readonly broken: Link[]
  more: readonly (() => readonly Link[])[]
  action: Link | undefined
  isInGroup: boolean
  /** The subject, the place or the membership denies whatever is asked. */
  readonly isRefused: boolean
  /** Something that is needed is known not to be there. */
  isUnmet: boolean
}

/** Where groups are looked at. */
export interface AtHub {
  readonly route: Route
  readonly hub: Hub
  readonly found: Found
}

const lastEnd = ({ end }: Chain) => end?.at_ms ?? Number.POSITIVE_INFINITY
const byEnd = (one: Chain, other: Chain) => (lastEnd(one) === lastEnd(other) ? 0 : lastEnd(other) - lastEnd(one))
/** Those that hold longest first. Most are alone. */
const inOrder = (all: readonly Chain[]) => (all.length > 1 ? [...all].sort(byEnd) : all)

/** A chain with those that it needs, too, without the subject and the place again. */
function joined(chain: Chain, others: readonly Chain[]): Chain {
  if (others.length === 0) return chain
  let first = chain
  for (const other of others) if (lastEnd(other) < lastEnd(first)) first = other
  const links = () => {
    const own = chain.links()
    return [...own.slice(0, 2), ...others.flatMap((other) => other.links().slice(2)), ...own.slice(2)]
  }
  const { holder, actions, permissions, isAll } = chain
  return { links, holder, actions, permissions, isAll, end: first.end }
}

/** A test of chains whether they allow an action. */
export const allows =
  (action: string) =>
  ({ actions, isAll }: Chain): boolean =>
    isAll === true || actions.includes(action)

/** True if a chain allows an action, and each that is needed does, too. */
export function isAllowed({ chains, needed }: Pick<Finding, 'chains' | 'needed'>, action: string): boolean {
  return chains.some(allows(action)) && needed.every((all) => all.some(allows(action)))
}

/** Of the chains that allow an action, the one that holds longest. */
function longest(chains: readonly Chain[], action: string): Chain | undefined {
  const isAllowing = allows(action)
  let best: Chain | undefined
  for (const chain of chains) if (isAllowing(chain) && (best === undefined || lastEnd(chain) > lastEnd(best))) best = chain
  return best
}

/** The one that holds longest of each way that is needed. Undefined if one has none. */
function neededFor(needed: Finding['needed'], action: string): readonly Chain[] | undefined {
  const all = needed.map((chains) => longest(chains, action))
  return all.every((chain) => chain !== undefined) ? all : undefined
}

/** The chains that allow an action, those that hold longest first. */
export function allowing({ chains, needed }: Pick<Finding, 'chains' | 'needed'>, action: string): readonly Chain[] {
  const others = neededFor(needed, action)
  return others === undefined ? [] : inOrder(inOrder(chains.filter(allows(action))).map((chain) => joined(chain, others)))
}

/** The first of them. */
export function bestChain({ chains, needed }: Pick<Finding, 'chains' | 'needed'>, action: string): Chain | undefined {
  const own = longest(chains, action)
  const others = own && neededFor(needed, action)
  return own && others && joined(own, others)
}

/** The best chain of each action that is allowed. */
export function bestChains({ chains, needed }: Pick<Finding, 'chains' | 'needed'>): ReadonlyMap<string, Chain> {
  const best = new Map<string, Chain>()
  for (const chain of inOrder(chains))
    for (const action of chain.actions) {
      const others = best.has(action) ? undefined : neededFor(needed, action)
      if (others !== undefined) best.set(action, joined(chain, others))
    }
  return best
}
