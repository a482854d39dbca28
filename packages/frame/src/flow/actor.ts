import { FreeholdError, type Json, text } from '@freehold/table'
import type { VerifiedToken } from '../issuers/verified-token.ts'
import { asJson } from './as-json.ts'

/**
 * Who acts: an operator of the whole system, a user of the design, who is held to its own permissions (spec rule 23), or an identity provider, which
 * only signs people in.
 */
export type Actor =
  | {
      readonly kind: 'operator'
      /** The operator's name, for the audit: that of a key, say. */
      readonly name?: string | undefined
    }
  | { readonly kind: 'user'; readonly user_id: string }
  | {
      readonly kind: 'identity-provider'
      /** The provider for which it speaks, in the design's words. Without it, any. */
      readonly name?: string | undefined
    }

/** Checks an actor of a program without types, or of parsed input: anything else is nobody. Throws `Denied`. */
export function checkActor(actor: unknown): void {
  const { kind, user_id, name } = (typeof actor === 'object' && actor !== null ? actor : {}) as Readonly<Record<string, unknown>>
  const isNamed = kind === 'operator' || kind === 'identity-provider'
  const isKnown = kind === 'user' ? typeof user_id === 'string' : isNamed && (name === undefined || typeof name === 'string')
  if (isKnown) return
  const message = "An actor is { kind: 'operator' }, { kind: 'user', user_id } or { kind: 'identity-provider' }."
  throw new FreeholdError('Denied', message, { reason: 'UnknownActor' })
}

/** The caller of a flow, and its origin as far as that is known: the audit tells both. */
export interface Caller {
  readonly actor: Actor
  readonly ip_address?: string | undefined
  readonly user_agent?: string | undefined
  /** Any text: a record takes what it can keep. */
  readonly session_id?: string | undefined
  /** The person whose token an identity provider shows: it runs the flows that need one, and no others. No record tells it. */
  readonly person?: VerifiedToken['user'] | undefined
  /** The id of an API key, say, that passed a user's call on. An operator is that itself, by its name. */
  readonly via?: string | undefined
}

const storable = text().schema

/**
 * Text of anybody, as it can be stored: on one line, and a cut through a character, or half of one, is the replacement character. Text that cannot be
 * stored is left out.
 */
export function cleanText(said = '', max = 1024): string | undefined {
  const line = said.replace(/\p{Cc}+/gu, ' ').trim()
  return storable.safeParse(Buffer.from(line.slice(0, max)).toString()).data || undefined
}

/** An actor in an attribute such as `created_by`: the id of a user, or the kind and name of another. */
export function actorText({ actor }: Caller): string {
  if (actor.kind === 'user') return actor.user_id
  // A program may name its operators and identity providers by any text.
  return `${actor.kind} ${cleanText(actor.name, 100) ?? ''}`.trim()
}

/** Who acts for the deployer, and may do everything. */
export const operator: Extract<Actor, { kind: 'operator' }> = Object.freeze({ kind: 'operator' })

/** A caller, as the record of a durable job keeps it: the records of what the job does tell it. */
export function recordedCaller({ actor, person: _, ...from }: Caller): Json {
  return asJson({ ...actor, ...from })
}

/** The caller of the record of a job. */
export function callerOf(recorded: unknown): Caller {
  // Only `recordedCaller` writes these.
  const { kind, user_id = '', name, ...from } = recorded as Readonly<Record<string, string>>
  return { actor: kind === 'user' ? { kind, user_id } : { kind: kind === 'operator' ? kind : 'identity-provider', name }, ...from }
}
