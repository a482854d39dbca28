/** Decides: `can` of a client, or of a design that the program has opened. */
export type Decide<Q> = (question: Q) => Promise<{ readonly allowed: boolean; readonly reason?: unknown }>

/** The question that a request asks. Undefined if it asks none, as without a signed-in user: then it is denied. */
export type QuestionOf<R, Q> = (request: R) => Q | undefined | Promise<Q | undefined>

/**
 * Asks whether a request may go on. A failure of the decider, or of the function that makes the question, denies.
 * @returns the status to answer with, or undefined if the request may go on
 */
async function refusalOf<R, Q>(decide: Decide<Q>, question: QuestionOf<R, Q>, request: R): Promise<401 | 403 | 503 | undefined> {
  try {
    const asked = await question(request)
    if (asked === undefined) return 401
    const { allowed, reason } = await decide(asked)
    if (allowed === true) return undefined
    return typeof reason === 'object' && reason !== null && 'kind' in reason && reason.kind === 'fault' ? 503 : 403
  } catch (error) {
    // What can stand in no question names nothing that anybody may do.
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'InvalidInput' ? 403 : 503
  }
}

const titles = { 401: 'Sign in first.', 403: 'Not allowed.', 503: 'There is no decision now. Try again.' } as const
const body = (status: keyof typeof titles) => JSON.stringify({ status, title: titles[status] })
const type = 'application/problem+json'

interface HonoContext {
  readonly req: { readonly raw: Request }
}

/** Middleware of Hono: a request goes on only if it is allowed. It is refused with 401, 403 or, without a decision, 503. */
export function protect<C extends HonoContext, Q>(decide: Decide<Q>, question: QuestionOf<C, Q>) {
  return async (context: C, next: () => Promise<void>): Promise<Response | undefined> => {
    const status = await refusalOf(decide, question, context)
    if (status !== undefined) return new Response(body(status), { status, headers: { 'Content-Type': type } })
    await next()
    return undefined
  }
}

interface ExpressResponse {
  status(status: number): ExpressResponse
  type(type: string): ExpressResponse
  send(body: string): unknown
}

/** The same for Express. */
export function protectExpress<R, Q>(decide: Decide<Q>, question: QuestionOf<R, Q>) {
  return (request: R, response: ExpressResponse, next: (error?: unknown) => void): void => {
    void refusalOf(decide, question, request).then((status) => {
      if (status === undefined) next()
      else response.status(status).type(type).send(body(status))
    }, next)
  }
}
