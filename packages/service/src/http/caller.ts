import type { VerifiedToken } from '@freehold/frame/issuers'
import { FreeholdError } from '@freehold/table'
import type { Purpose, VerifiedKey, VerifiedSession } from '../keys/purpose.ts'
import type { KindOfRoute, RouteKind } from './route-kind.ts'

/** A person who signed in to the console, as it is at this request. */
export interface SignedInPerson {
  readonly design: string
  readonly user: string
  readonly tenant: string | undefined
  readonly name: string | undefined
  /** The issuer that verified the person, if it was not this product's own pages. */
  readonly issuer: string | undefined
  /** True of one who reads all that its tenant has. */
  readonly administers: boolean
  readonly sessionId: string
  /** The id of the session of its design, which records tell. */
  readonly loginId: string | undefined
  /** When the session ends though it is used. */
  readonly endsAt: string
}

/** Who asks, and what it may do at most. */
export interface RequestCaller extends Omit<VerifiedKey, 'keyId' | 'purpose'> {
  /**
   * `user`: a user whom a token names. `administrator` and `person`: one who signed in to the console, and who administers its tenant or does not. `open`:
   * anybody, on a route that needs no key.
   */
  readonly purpose: Purpose | 'user' | 'administrator' | 'person' | 'open'
  /** The token of a user, or of the person for whom an application runs a flow. */
  readonly token?: VerifiedToken | undefined
  /** The session of the console by which a key speaks. */
  readonly session?: VerifiedSession | undefined
  /** The person who signed in. */
  readonly person?: SignedInPerson | undefined
}

/** The caller of a route that needs no key. */
export const anybody: RequestCaller = Object.freeze({ purpose: 'open' })

/** The kinds of routes that a caller of each purpose may use. All others are refused. */
const kinds: Readonly<Record<RequestCaller['purpose'], ReadonlySet<RouteKind>>> = {
  operator: new Set(['session', 'catalogue', 'decision', 'evaluation', 'read', 'write', 'flow', 'saved', 'save', 'operation']),
  tenant: new Set(['session', 'catalogue', 'decision', 'evaluation', 'read', 'write', 'flow']),
  decisions: new Set(['session', 'catalogue', 'decision', 'evaluation', 'saved']),
  read: new Set(['session', 'catalogue', 'decision', 'evaluation', 'read', 'saved']),
  flows: new Set(['session', 'catalogue', 'flow']),
  application: new Set(['session', 'catalogue', 'decision', 'evaluation', 'read', 'flow']),
  user: new Set(['catalogue', 'decision', 'flow']),
  administrator: new Set(['session', 'catalogue', 'decision', 'read', 'flow']),
  person: new Set(['session', 'catalogue', 'decision', 'flow']),
  open: new Set(['catalogue', 'session']),
}

/** The kinds of routes of the service itself that are for callers of some designs, too: what they answer is limited to these. */
const ofAnyDesign: ReadonlySet<RouteKind> = new Set(['catalogue', 'session', 'saved', 'save'])

/** The callers that are a user by what it has shown once: a program calls as a user that it has seen. */
export const ofUsers: ReadonlySet<RequestCaller['purpose']> = new Set(['user', 'administrator', 'person'])

/** True if a caller may use a route. One that is limited to designs uses no other route of the service itself. */
export function mayUse(
  { purpose, designs, flows = [], token }: RequestCaller,
  { kind, design, flow, changesSignIn }: KindOfRoute,
): boolean {
  if (!kinds[purpose].has(kind) || (changesSignIn === true && ofUsers.has(purpose))) return false
  // A token is shown for a flow. Elsewhere it would be left unread.
  if (purpose === 'application' && token !== undefined && kind !== 'flow') return false
  if (purpose === 'application' && flow !== undefined && !flows.includes(flow)) return false
  // An issuer speaks for people of its designs alone, also where an application shows its token.
  if (design !== undefined && token?.designs?.includes(design) === false) return false
  return designs === undefined || (design === undefined ? ofAnyDesign.has(kind) : designs.includes(design))
}

/** The kinds of routes that a caller may use where it may use any. */
export function kindsOf(caller: RequestCaller): readonly RouteKind[] {
  const [design] = caller.designs ?? []
  const isOfService = (kind: RouteKind) => ofAnyDesign.has(kind) || kind === 'operation'
  return [...kinds[caller.purpose]].filter((kind) =>
    mayUse(caller, { kind, ...(design === undefined || isOfService(kind) ? {} : { design }) }),
  )
}

/** True for an operator of everything that is served. Only such a caller learns what there is beside what it may use. */
export function isUnlimited({ purpose, designs }: RequestCaller): boolean {
  return purpose === 'operator' && designs === undefined
}

/** The refusal of a request that its caller may not make. It is the same whether or not there is what was asked for. */
export function notForCaller(message = 'This caller may not do this, or there is nothing here.'): FreeholdError {
  return new FreeholdError('Denied', message, { reason: 'NotForCaller' })
}
