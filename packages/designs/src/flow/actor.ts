import { FreeholdError } from '@freehold/table'

/** Who acts: an operator of the whole system, or a user of the design, who is held to its own permissions (spec rule 23). */
export type Actor =
  | {
      readonly kind: 'operator'
      /** Who the operator is, for the audit: the name of a key, say. */
      readonly name?: string | undefined
    }
  | { readonly kind: 'user'; readonly user_id: string }

/** What an actor is in a program without types, or in what was parsed: anything else is nobody. Throws `Denied`. */
export function checkActor(actor: unknown): void {
  const { kind, user_id, name } = (typeof actor === 'object' && actor !== null ? actor : {}) as Readonly<Record<string, unknown>>
  const isKnown = kind === 'user' ? typeof user_id === 'string' : kind === 'operator' && (name === undefined || typeof name === 'string')
  if (isKnown) return
  throw new FreeholdError('Denied', "An actor is { kind: 'operator' } or { kind: 'user', user_id }.", { reason: 'UnknownActor' })
}

/** Who calls a flow, and from where, as far as that is known: the audit says so. */
export interface Caller {
  readonly actor: Actor
  readonly ip_address?: string | undefined
  readonly user_agent?: string | undefined
  readonly session_id?: string | undefined
}

export const operator: Actor = Object.freeze({ kind: 'operator' })
