/**
 * What a key is for. `operator`: everything. `tenant`: the administration of one tenant, within its scope. `decisions`: questions. `read`: items and
 * questions. `flows`: flows as users. `application`: what `read` may, and the flows that it names, as users.
 */
export const purposes = ['operator', 'tenant', 'decisions', 'read', 'flows', 'application'] as const
export type Purpose = (typeof purposes)[number]

/** What a key may do at most. A key without a purpose is an operator's. */
export interface KeyLimits {
  readonly purpose?: Purpose | undefined
  /** The names of the designs that it may use. By default all that are served. */
  readonly designs?: readonly string[] | undefined
  /** The tenant of a key with the purpose `tenant`, or of an application. Both name one design. */
  readonly tenant?: string | undefined
  /** The names of the flows that an application may run, and of no others. By default none. */
  readonly flows?: readonly string[] | undefined
  /** The instant from which it is refused. By default it is accepted until it is revoked. */
  readonly expiresAt?: string | undefined
}

/** A key whose text was verified. */
export interface VerifiedKey extends KeyLimits {
  readonly keyId: string
  readonly purpose: Purpose
  /** The name of an application, which the audit tells beside the user. */
  readonly name?: string | undefined
}

/** A session of the console: its key speaks by it. */
export interface VerifiedSession {
  readonly sessionId: string
  /** When it ends though it is used. */
  readonly endsAt: string
}
