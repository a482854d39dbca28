import { FreeholdError, type Json } from '@freehold/table'

/** An operator of the whole system, or a user of the design, who is held to its own permissions (spec rule 23). */
export type Actor =
  | {
      readonly kind: 'operator'
      /** The operator's name, for the audit: that of a key, say. */
      readonly name?: string | undefined
    }
  | { readonly kind: 'user'; readonly user_id: string }

/** Checks an actor of a program without types, or of parsed input: anything else is nobody. Throws `Denied`. */
export function checkActor(actor: unknown): void {
  const { kind, user_id, name } = (typeof actor === 'object' && actor !== null ? actor : {}) as Readonly<Record<string, unknown>>
  const isKnown = kind === 'user' ? typeof user_id === 'string' : kind === 'operator' && (name === undefined || typeof name === 'string')
  if (isKnown) return
  throw new FreeholdError('Denied', "An actor is { kind: 'operator' } or { kind: 'user', user_id }.", { reason: 'UnknownActor' })
}

/** The caller of a flow, and its origin as far as that is known: the audit tells both. */
export interface Caller {
  readonly actor: Actor
  readonly ip_address?: string | undefined
  readonly user_agent?: string | undefined
  /** Any text: a record takes what it can keep. */
  readonly session_id?: string | undefined
  /** The id of an API key, say, that passed a user's call on. An operator is that itself, by its name. */
  readonly via?: string | undefined
}

/** An actor in an attribute such as `created_by`: the id of a user, or `operator` and its name. */
export function actorText({ actor }: Caller): string {
  if (actor.kind === 'user') return actor.user_id
  // A program may name its operators by any text.
  const name = Buffer.from(
    (actor.name ?? '')
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 100),
  ).toString()
  return `operator ${name}`.trim()
}

export const operator: Actor = Object.freeze({ kind: 'operator' })

/** A caller, as the record of a durable job keeps it: the records of what the job does tell it. */
export function recordedCaller({ actor, ...from }: Caller): Json {
  // Without values that are undefined.
  return JSON.parse(JSON.stringify({ ...actor, ...from }))
}

/** The caller of the record of a job. */
export function callerOf(recorded: unknown): Caller {
  // Only `recordedCaller` writes these.
  const { kind, user_id = '', name, ...from } = recorded as Readonly<Record<string, string>>
  return { actor: kind === 'operator' ? { kind, name } : { kind: 'user', user_id }, ...from }
}
