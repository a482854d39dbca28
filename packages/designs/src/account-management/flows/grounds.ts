import { isDeepStrictEqual } from 'node:util'
import { checking, type Entity, type Item, type Step } from '@freehold/table'
import type { Evidence } from '../../decision/decision.ts'
import { GroundsChanged, type WritingWhole } from '../../flow/write-whole.ts'
import { systemOwner } from '../deciding/standing.ts'
import { Client, Role, User, UserRoleAssignment } from '../design.ts'
import type { AccountContext } from './account-context.ts'

/**
 * So many actions of a transaction are always left to what its caller rests on: what a user holds by two roles, each the last of eight, with itself
 * and its client. `linksAtOnceMax` counts on it. Where a transaction has room for more, it has more.
 */
export const groundsMin = 24

/** In the order in which they matter: what does not fit into a transaction is left out from the end. */
const kinds = ['user', 'client', 'assignment', 'role'] as const

/** An item as it was read when something was allowed by it. */
export interface Ground {
  readonly kind: (typeof kinds)[number]
  /** One for each item. */
  readonly name: string
  readonly check: Step
  /** When it is over by itself. */
  readonly until?: string | undefined
}

type Where = Readonly<Record<string, unknown>>

/** Ids come from decisions, whose evidence is text: what is none is refused where the check is prepared. */
function checkOf(entity: Entity, id: Where, how: { version?: number; where?: Where }): Step {
  return checking(entity, id as never, how as never)
}

/** That the user is active, and of the client that it was of. */
export function userGround({ id, client_id }: Pick<Item<typeof User>, 'id' | 'client_id'>): Ground {
  return { kind: 'user', name: `user ${id}`, check: checkOf(User, { id }, { where: { status: 'active', client_id: client_id ?? null } }) }
}

export function clientGround(id: string): Ground {
  return { kind: 'client', name: `client ${id}`, check: checkOf(Client, { id }, { where: { status: 'active' } }) }
}

/** What decisions tell of an assignment. */
interface AssignmentRead {
  readonly id: Readonly<Record<'user_id' | 'scope_type' | 'scope_id' | 'role_id', string>>
  /** Its owner, start and end; by them, and not by its version, since one that was revoked and given anew counts its versions anew. */
  readonly as: Evidence['as']
}

export function assignmentGround({ id, as = {} }: AssignmentRead): Ground {
  const { user_id, scope_type, scope_id, role_id } = id
  const { expires_at } = as
  return {
    kind: 'assignment',
    name: `assignment ${user_id} ${scope_type} ${scope_id} ${role_id}`,
    check: checkOf(UserRoleAssignment, id, { where: as }),
    until: typeof expires_at === 'string' ? expires_at : undefined,
  }
}

/** Every change of what a role grants counts as a write of the role, linked ones included, and so does a change of its parent. */
export function roleGround(role_owner: string, id: string, version: number): Ground {
  const key = role_owner === systemOwner ? { id } : { client_id: role_owner, id }
  return { kind: 'role', name: `role ${role_owner} ${id}`, check: checkOf(Role, key, { version }) }
}

/** What the design's own decisions name an assignment by; another's that names it otherwise tells nothing to check. */
function isWhole(id: Evidence['id']): id is AssignmentRead['id'] {
  return ['user_id', 'scope_type', 'scope_id', 'role_id'].every((placeholder) => id[placeholder] !== undefined)
}

/** The assignment and the roles of a chain that allows. */
export function chainGrounds(chain: readonly Evidence[]): readonly Ground[] {
  return chain.flatMap(({ entity, id, as, state }): Ground[] => {
    if (state !== 'found') return []
    if (entity === UserRoleAssignment.name) return isWhole(id) && as !== undefined ? [assignmentGround({ id, as })] : []
    const { role_owner, id: role } = id
    const version = as?.version
    return entity === Role.name && role_owner !== undefined && role !== undefined && typeof version === 'number'
      ? [roleGround(role_owner, role, version)]
      : []
  })
}

/** What the writes of one attempt of a flow rest on: it grows while the flow decides. */
export interface Grounds {
  has(name: string): boolean
  /** Throws `GroundsChanged` where an item was read otherwise before: what rested on that is to be decided anew. */
  add(grounds: readonly Ground[]): void
  /** In the order in which they matter. Throws `GroundsChanged` where one is over by now. */
  checks(now: Date): Readonly<Record<string, Step>>
}

export function newGrounds(): Grounds {
  const all = new Map<string, Ground>()
  return {
    has: (name) => all.has(name),
    add: (grounds) => {
      for (const ground of grounds) {
        const known = all.get(ground.name)
        if (known !== undefined && !isDeepStrictEqual(known.check, ground.check)) throw new GroundsChanged(ground.name)
        all.set(ground.name, ground)
      }
    },
    checks: (now) => {
      const at = now.toISOString()
      const over = [...all.values()].find(({ until }) => until !== undefined && until <= at)
      if (over !== undefined) throw new GroundsChanged(over.name)
      const ordered = [...all.values()].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
      return Object.fromEntries(ordered.map(({ name, check }) => [`ground: ${name}`, check]))
    },
  }
}

/**
 * What a calling user's permission rests on, as checks in each transaction that its flow writes: that the user and its client are active still, and
 * that each assignment and role by which it was allowed, and by which it holds what it grants, is as it was when that was decided. So a write that was
 * held up is not applied once one of these is gone, ends earlier or grants something else; the flow decides anew.
 * They are asked of the whole table, since a user without a client is beyond the wall behind which its flows write.
 * Not checked are: the catalogue, by which a linked role's permissions are read, and which only operators write; what a
 * transaction has no room for, beyond `groundsMin`, where a user holds what it grants by very many roles; and what another decider than the design's own allows without
 * evidence. Of these it was so when they were read.
 */
export function besideOf({ user, grounds, whole }: AccountContext): WritingWhole['grounds'] {
  return user === undefined || grounds === undefined
    ? undefined
    : { table: whole, checks: grounds.checks(whole.runtime.now()), min: groundsMin }
}
