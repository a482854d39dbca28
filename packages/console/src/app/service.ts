import {
  type AskOptions,
  browserSessionOf,
  type CallOptions,
  clientOf,
  type FlowCallOptions,
  type ListOptions,
  type PatternOptions,
  type PermittedCall,
  ProblemError,
  serviceOf,
} from '@freehold/client'
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import type { ToldDesign, ToldProof, Values } from './told.ts'

/** The service stands one level above the console, behind whichever prefix. */
const url = new URL('..', document.location.href.replace(/[?#].*$/, '')).href
const options = { url, key: null } as const

export const service = serviceOf(options)
export const browserSession = browserSessionOf({ url })

type Listing = 'what' | 'who' | 'where'
/** A client of a design that is known at run time alone. */
interface DesignClient {
  why(question: Values, how?: AskOptions): Promise<unknown>
  list(name: Listing, question: Values, how?: ListOptions & { readonly cursor?: string }): Promise<unknown>
  all(name: Listing, question: Values, how?: ListOptions): AsyncGenerator<Values, void, void>
  access(question: Values, how?: CallOptions & { readonly evidence?: boolean }): Promise<Values>
  pattern(name: string, parameters: Values, how?: PatternOptions): Promise<Values | undefined>
  allOfPattern(name: string, parameters: Values, how?: CallOptions): AsyncGenerator<Values, void, void>
  flow(name: string, input: Values, how?: FlowCallOptions): Promise<Values | undefined>
  permitted(
    calls: readonly { readonly flow: string; readonly input: Values }[],
    how: { readonly as: string },
  ): Promise<readonly PermittedCall[]>
  get(entity: string, id: Values, how?: CallOptions & { readonly consistent?: boolean }): Promise<Values | undefined>
}
// Its types come of a module, and there is none here.
export const designClient = (design: string) => clientOf({ ...options, design }) as unknown as DesignClient

/** Somebody who signed in, and no key. */
export interface Person {
  readonly design: string
  readonly tenant?: string
  readonly user: string
  readonly name?: string
  /** It administers its tenant: it may see it, and no other one. */
  readonly administers: boolean
  /** The names of those who give access in its tenant, where the design lists them. */
  readonly ask?: readonly string[]
}

export interface Session {
  /** The key that speaks, if it is no person. */
  readonly keyId?: string
  readonly person?: Person
  readonly purpose: string
  /** The kinds of routes that it may use: a control for another one is not shown. */
  readonly may: readonly string[]
  readonly designs?: readonly string[]
  readonly tenant?: string
  /** The flows that it may run, where it names them. */
  readonly flows?: readonly string[]
  readonly endsAt: string
}

/** The key or person whose session ended while its page was open, and whether it signed out. */
let former: { readonly who: string; readonly hasLeft: boolean } | undefined
const whoOf = ({ keyId, person }: Session) => keyId ?? JSON.stringify([person?.design, person?.user])
/** Why nobody is signed in, in words. Undefined where nobody was. */
export const farewell = (): string | undefined =>
  former && (former.hasLeft ? 'You are signed out.' : 'Your session has ended. Sign in again to go on.')

/** A session ends by the clock, and by an operator. Its page then lets sign in, and its address stays. */
function leaveIfEnded(error: unknown): void {
  if (!isSignedOut(error)) return
  const session = queries.getQueryData(sessionQuery.queryKey)
  if (session) former = { who: whoOf(session), hasLeft: false }
  queries.setQueryData(sessionQuery.queryKey, null)
}

/** Ends this session. The page keeps nothing of it, also where the service does not answer. */
export async function signOut(session: Session): Promise<void> {
  await browserSession.close().catch(() => undefined)
  former = { who: whoOf(session), hasLeft: true }
  queries.setQueryData(sessionQuery.queryKey, null)
  forget()
}

/** Whoever signs in next sees nothing that this session has read. */
function forget(): void {
  queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'session' })
}

/** Lets a new session in. The key whose session ended goes on with its page. */
export function enter(session: unknown): void {
  // The service describes these members.
  const entered = session as Session
  if (former?.who !== whoOf(entered)) forget()
  former = undefined
  queries.setQueryData(sessionQuery.queryKey, entered)
}

/** A refusal is an answer: only what may pass is asked again, and the client does that. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: leaveIfEnded }),
  mutationCache: new MutationCache({ onError: leaveIfEnded }),
  defaultOptions: { queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: false } },
})

/** An answer of access is never kept: who asks again wants to know what is so now. */
export const asked = { staleTime: 0, gcTime: 0 } as const

/** Of one tenant is a key of it, and a person within it. */
const told = (session: Session): Session => (session.person?.tenant === undefined ? session : { ...session, tenant: session.person.tenant })
const isSignedOut = (error: unknown) => error instanceof ProblemError && error.status === 401

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      // The service describes these members.
      return told((await browserSession.read()) as unknown as Session)
    } catch (error) {
      if (isSignedOut(error)) return null
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

interface Way {
  readonly name: string
  readonly label: string
  /** The address of its page, from the console's. */
  readonly to: string
}
/** How people sign in. */
export const waysQuery = queryOptions({
  queryKey: ['ways'],
  // The service describes these members.
  queryFn: async ({ signal }) => (await browserSession.ways({ signal })) as unknown as readonly Way[],
  staleTime: Number.POSITIVE_INFINITY,
})

/** The page of another site leads back to the first screen: the address is kept for this tab, until it has. */
const addressKey = 'freehold.address'
export const keepAddress = () => sessionStorage.setItem(addressKey, location.hash)
export function backToAddress(): void {
  const kept = sessionStorage.getItem(addressKey)
  sessionStorage.removeItem(addressKey)
  if (kept !== null && location.hash.length < 3) history.replaceState(null, '', kept || location.pathname)
}

export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ signal }) => service.catalogue({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** One item, or null if there is none. */
export const itemQuery = (design: string, entity: string, id: Values) =>
  queryOptions({
    queryKey: ['item', design, entity, id],
    queryFn: async ({ signal }) => (await designClient(design).get(entity, id, { signal, consistent: true })) ?? null,
  })

export const designQuery = (name: string) =>
  queryOptions({
    queryKey: ['design', name],
    // The service describes these members.
    queryFn: async ({ signal }) => (await service.design(name, { signal })) as unknown as ToldDesign,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The proofs and the heat of a design. The service takes about a second for the first answer. */
export const proofQuery = (name: string) =>
  queryOptions({
    queryKey: ['proof', name],
    // The service describes these members.
    queryFn: async ({ signal }) => (await service.design(name, { signal, proofs: true })).proof as ToldProof,
    staleTime: Number.POSITIVE_INFINITY,
  })
