/** Decides: `can` of a client, or of a design that the program has opened. */
export type Decide<Q> = (question: Q) => Promise<{ readonly allowed: boolean; readonly reason?: unknown }>

type Awaitable<T> = T | Promise<T>

/** The sender of a request, as a handler gets it. */
export interface SignedIn<U = KnownUser> {
  user: U
  /** The tenant that the user is of; undefined for one of none, and in a design whose users are of several. */
  tenant: string | undefined
}
/** A user of a design: its id, and its tenant. */
export interface KnownUser {
  readonly id: string
  readonly tenant?: string | undefined
}

/** Why a request does not go on. 401: nobody is signed in; 403: the user may not do this, or is not known here; 503: that is not known now. */
export interface Denial {
  readonly status: 401 | 403 | 503
  readonly code: 'Denied' | 'Unavailable'
  readonly title: string
  /** The reason of the decision, for a log: it is not in the body. */
  readonly reason?: unknown
}

interface Signing<R, U, F> {
  /** The user who sent a request, by its bearer token, say. Undefined if nobody is signed in. */
  user(token: string | undefined, request: R): Awaitable<U | undefined>
  /** Answers a request that does not go on. Unless given, and if it gives no answer or fails: with a problem (RFC 9457). */
  readonly denied?: F | undefined
}
interface Asking<R, U, Q, A extends readonly unknown[]> {
  /** Decides whether the user may go on. Without it, every signed-in user may. */
  readonly can: Decide<Q>
  question(user: U, request: R, ...more: A): Awaitable<Q>
}
interface AskingNothing {
  readonly can?: undefined
  readonly question?: undefined
}

/** How requests are protected. `F`: the function that answers a denial. `A`: the parameters of a handler after the request. */
export type Protection<R, U extends KnownUser, Q, F, A extends readonly unknown[] = []> = Signing<R, U, F> &
  (Asking<R, U, Q, A> | AskingNothing)

const titles = { 401: 'Sign in first.', 403: 'Not allowed.', 503: 'There is no decision now. Try again.' } as const

function denialOf(status: Denial['status'], reason?: unknown): Denial {
  return { status, code: status === 503 ? 'Unavailable' : 'Denied', title: titles[status], ...(reason === undefined ? {} : { reason }) }
}

const isFault = (reason: unknown) => typeof reason === 'object' && reason !== null && 'kind' in reason && reason.kind === 'fault'
/** Codes of who is no user here, and of a question that names nothing that anybody may do. */
const denying: readonly unknown[] = ['Denied', 'InvalidInput', 'InvalidKey']

/** A token that was verified and refused is that of nobody, but for one whose keys are not known now. */
const isRefusedToken = (error: unknown, code: unknown) =>
  error instanceof Error && error.name === 'TokenRefusal' && code !== 'KeysUnavailable'

/** RFC 6750, section 2.1. The case of the scheme does not matter (RFC 9110, section 11.1). */
const bearer = /^Bearer +(\S+)$/i

/** Tells who may go on. A failure of any function that is asked denies. */
function guardOf<R, U extends KnownUser, Q, F, A extends readonly unknown[]>(protection: Protection<R, U, Q, F, A>) {
  const { can, question } = protection
  if ((can === undefined) !== (question === undefined)) throw new TypeError('protect: give both `can` and `question`, or neither of them.')
  return async (
    authorization: string | null | undefined,
    request: R,
    ...more: A
  ): Promise<{ readonly signedIn: SignedIn<U> } | { readonly denial: Denial }> => {
    try {
      const [, token] = bearer.exec(authorization ?? '') ?? []
      const user = await protection.user(token, request)
      if (user === undefined || user === null) return { denial: denialOf(401) }
      if (can !== undefined) {
        const { allowed, reason } = await can(await question(user, request, ...more))
        if (allowed !== true) return { denial: denialOf(isFault(reason) ? 503 : 403, reason) }
      }
      return { signedIn: { user, tenant: user.tenant } }
    } catch (error) {
      const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
      if (isRefusedToken(error, code)) return { denial: denialOf(401, error) }
      return { denial: denialOf(denying.includes(code) ? 403 : 503, error) }
    }
  }
}

type Responding<R> = (denial: Denial, request: R) => Awaitable<Response>

const body = ({ status, title, code }: Denial) => JSON.stringify({ status, title, code })
const type = 'application/problem+json'
/** RFC 6750, section 3.1: an error is told only of a token that was sent. */
const challengeOf = ({ status, reason }: Denial): Readonly<Record<string, string>> =>
  status === 401 ? { 'WWW-Authenticate': reason === undefined ? 'Bearer' : 'Bearer error="invalid_token"' } : {}

function problem(denial: Denial): Response {
  const { status } = denial
  return new Response(body(denial), { status, headers: { 'Content-Type': type, ...challengeOf(denial) } })
}

async function answerTo<R>(denial: Denial, request: R, denied: Responding<R> | undefined): Promise<Response> {
  try {
    return (await denied?.(denial, request)) ?? problem(denial)
  } catch {
    // A failure of the hook is no other answer to the one who asked.
    return problem(denial)
  }
}

interface HonoContext {
  readonly req: { readonly raw: Request }
  set(name: never, value: never): void
}

/** Middleware of Hono. The handlers after it have `c.get('user')` and `c.get('tenant')`: `new Hono<{ Variables: SignedIn }>()` types them. */
export function protect<C extends HonoContext, Q, U extends KnownUser = KnownUser>(protection: Protection<C, U, Q, Responding<C>>) {
  const guard = guardOf(protection)
  return async (context: C, next: () => Promise<void>): Promise<Response | undefined> => {
    const found = await guard(context.req.raw.headers.get('authorization'), context)
    if ('denial' in found) return answerTo(found.denial, context, protection.denied)
    // The program says what its context holds.
    const set = context.set.bind(context) as (name: string, value: unknown) => void
    set('user', found.signedIn.user)
    set('tenant', found.signedIn.tenant)
    await next()
    return undefined
  }
}

/** The same parameters, not inferred from a question: one that only takes them apart would make them `any`. `NoInfer` is no list to TypeScript. */
type Fixed<A extends readonly unknown[]> = A extends readonly [...infer P] ? P : never

/**
 * A handler of routes, as those of Next.js: `export const GET = protectRoute({ … }, async (request, { params }) => …)`. The request is a `Request`,
 * unless `user` or `question` names another type for it. A question names the type of the handler's parameters, too, if it takes them.
 */
export function protectRoute<R extends Request, A extends readonly unknown[], Q, U extends KnownUser = KnownUser>(
  protection: Protection<R, U, Q, Responding<R>, Fixed<A>>,
  handler: (request: NoInfer<R & SignedIn<U>>, ...more: A) => Awaitable<Response>,
) {
  // `Fixed<A>` is A, once A is known.
  const guard = guardOf(protection as Protection<R, U, Q, Responding<R>, A>)
  return async (request: R, ...more: A): Promise<Response> => {
    const found = await guard(request.headers.get('authorization'), request, ...more)
    if ('denial' in found) return answerTo(found.denial, request, protection.denied)
    return handler(Object.assign(request, found.signedIn), ...more)
  }
}

interface ExpressRequest {
  readonly headers: { readonly authorization?: string | undefined }
}
interface ExpressResponse {
  status(status: number): ExpressResponse
  type(type: string): ExpressResponse
  set(fields: Readonly<Record<string, string>>): unknown
  send(body: string): unknown
}
type Next = (error?: unknown) => void

/** A handler of Express, with what it needs. A handler that fails hands its error on. */
export function protectExpress<R extends ExpressRequest, S extends ExpressResponse, Q, U extends KnownUser = KnownUser>(
  protection: Protection<R, U, Q, (denial: Denial, request: R, response: S) => unknown>,
  handler: (request: R & SignedIn<U>, response: S, next: Next) => unknown = (_request, _response, next) => next(),
) {
  const guard = guardOf(protection)
  return (request: R, response: S, next: Next): void => {
    const answered = guard(request.headers.authorization, request).then(async (found) => {
      if ('signedIn' in found) return handler(Object.assign(request, found.signedIn), response, next)
      const { denial } = found
      try {
        if (protection.denied !== undefined) return await protection.denied(denial, request, response)
      } catch {
        // As with the others. To `next` it might be no error: `undefined` or 'route' would go on.
      }
      response.set(challengeOf(denial))
      return response.status(denial.status).type(type).send(body(denial))
    })
    answered.catch((error: unknown) => next(error ?? new Error('The handler failed without an error.')))
  }
}
