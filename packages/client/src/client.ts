import { decisionOf, decisionsOf, doneOf, evidenceOf, isPage, malformed, objectOf, pageOf, writtenOf } from './answers.ts'
import { type Call, callerOf, type ServiceOptions, type Values } from './caller.ts'
import { ProblemError } from './problem-error.ts'
import type { Incoming } from './send.ts'
import type {
  AnswerOf,
  ChangeOf,
  EntityNames,
  FlowInput,
  FlowListed,
  FlowNames,
  FlowResult,
  IdOf,
  ItemOf,
  ListedOf,
  NewOf,
  PatternAnswer,
  PatternCall,
  PatternItem,
  PatternNames,
  QuestionOf,
  TypedModule,
} from './types.ts'

export interface ClientOptions extends ServiceOptions {
  /** The name of the design, as it is served. */
  readonly design: string
}

/** How one call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal
}
export interface AskOptions extends CallOptions {
  /** `bounded` unless given. */
  readonly consistency?: 'strong' | 'bounded'
}
export interface AccessOptions extends AskOptions {
  /** How long the snapshot holds at most, in milliseconds. */
  readonly lasts_ms?: number
  readonly evidence?: boolean
}
export interface ListOptions extends AskOptions {
  /** Items a page, from 1 to 1,000. */
  readonly limit?: number
  readonly expand?: boolean
}
export interface FlowCallOptions extends CallOptions {
  /** The user who acts, by id or e-mail address. Without it the API key acts, as an operator. */
  readonly as?: string
  readonly session_id?: string
  /** The address of the person who acts, for the audit: sent as `X-Forwarded-For`, which a service takes of an application's key, or if it trusts one proxy. */
  readonly address?: string
  /** The user agent of that person, for the audit. A browser sends its own. */
  readonly agent?: string
  /** The token of that person, of an issuer of the service: an application then acts as the person, without `as`. */
  readonly token?: string
  /** Of the caller's own. By default each call has a new one, so that a lost answer can be asked for again. */
  readonly idempotencyKey?: string
  /** The flow only reads, so that a lost answer leaves nothing uncertain. */
  readonly isRead?: boolean
}
export interface PatternOptions extends CallOptions {
  /** Items a page, from 1 to 1,000. */
  readonly limit?: number
  readonly cursor?: string
  readonly consistent?: boolean
}
/** Whether the caller holds the permission of a call. The flow may refuse the call for another reason. */
export interface PermittedCall {
  readonly allowed: boolean
  readonly reason?: { readonly kind: string; readonly code: string; readonly message: string }
  /** The input that tells where the permission is needed, and is not known yet. */
  readonly lacks?: string
}
/** The jobs that a write has left. They are under way. */
export interface Left {
  readonly pending?: readonly Values[]
}
export interface EntityOptions extends CallOptions {
  /** The version that the item must have. */
  readonly version?: number
}

type ListName = 'what' | 'who' | 'where'

/** A design that the service serves. `M` is the type of its module, which types questions, flows, access patterns and items. */
export interface Client<M extends TypedModule = TypedModule> {
  /**
   * May this user do this? If no decision came, the answer is a denial of kind `fault`: nothing is ever allowed without an answer.
   * Throws `ProblemError` for a question that is malformed, and for a key that is not valid.
   */
  can(question: QuestionOf<M, 'can'>, how?: AskOptions): Promise<AnswerOf<M, 'can'>>
  /** Many questions in one request, answered in their order. */
  canMany(questions: readonly QuestionOf<M, 'can'>[], how?: AskOptions): Promise<readonly AnswerOf<M, 'can'>[]>
  why(question: QuestionOf<M, 'why'>, how?: AskOptions): Promise<AnswerOf<M, 'why'>>
  /** A page of a list. Throws if it could not be read: an empty page would say "none". */
  list<N extends ListName>(name: N, question: QuestionOf<M, N>, how?: ListOptions & { readonly cursor?: string }): Promise<AnswerOf<M, N>>
  /** All items of a list, page by page as they are wanted. */
  all<N extends ListName>(name: N, question: QuestionOf<M, N>, how?: ListOptions): AsyncGenerator<ListedOf<M, N>, void, void>
  /** A snapshot of what a user may do. Throws if it could not be taken. */
  access(question: QuestionOf<M, 'access'>, how?: AccessOptions): Promise<Values>
  /** With a key of the caller's own, the result of a repeat is `replayed`; without one, if it names what was made in place of the result. */
  flow<N extends FlowNames<M>>(name: N, input: FlowInput<M, N>, how?: FlowCallOptions): Promise<FlowResult<M, N>>
  /** Which of these calls of flows the caller may make, in their order. An input may be known in part: then an answer tells what it `lacks`. */
  permitted(
    calls: readonly { readonly flow: FlowNames<M>; readonly input?: Values }[],
    how?: Pick<FlowCallOptions, 'as' | 'signal'>,
  ): Promise<readonly PermittedCall[]>
  /** All items of a flow that gives pages. */
  allOfFlow<N extends FlowNames<M>>(name: N, input: FlowInput<M, N>, how?: FlowCallOptions): AsyncGenerator<FlowListed<M, N>, void, void>
  /** A page of an access pattern that is a query, or the item of one that reads an item; undefined if there is none. */
  pattern<N extends PatternNames<M>>(name: N, ...call: PatternCall<M, N, PatternOptions>): Promise<PatternAnswer<M, N> | undefined>
  /** Every item of an access pattern that is a query. */
  allOfPattern<N extends PatternNames<M>>(name: N, ...call: PatternCall<M, N, CallOptions>): AsyncGenerator<PatternItem<M, N>, void, void>
  /** The item, or undefined if there is none. */
  get<N extends EntityNames<M>>(
    entity: N,
    id: IdOf<M, N>,
    how?: CallOptions & { readonly consistent?: boolean },
  ): Promise<ItemOf<M, N> | undefined>
  /** With a key of the caller's own, the item of a repeat is `replayed`. */
  create<N extends EntityNames<M>>(
    entity: N,
    input: NewOf<M, N>,
    how?: CallOptions & { readonly idempotencyKey?: string },
  ): Promise<ItemOf<M, N> & { readonly replayed?: true }>
  update<N extends EntityNames<M>>(entity: N, id: IdOf<M, N>, change: ChangeOf<M, N>, how?: EntityOptions): Promise<ItemOf<M, N> & Left>
  /** Changes attributes, also those of the key. */
  move<N extends EntityNames<M>>(entity: N, id: IdOf<M, N>, change: ChangeOf<M, N>, how?: EntityOptions): Promise<ItemOf<M, N> & Left>
  remove<N extends EntityNames<M>>(entity: N, id: IdOf<M, N>, how?: EntityOptions): Promise<Left>
}

const queryOf = (values: Values) =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]])),
  )

/** The denial that stands for a decision that did not come. */
function withoutDecision({ status, code, message, problem }: ProblemError): Values | undefined {
  if (status === 503 && problem.allowed === false) return { allowed: false, reason: problem.reason }
  if (status >= 400 && status < 500 && status !== 429) return undefined
  // It was not sent.
  if (status === 0 && code === 'InvalidInput') return undefined
  return { allowed: false, reason: { kind: 'fault', code, message } }
}

/** What a request may do, and whether it may be sent again after it was lost. */
const kinds = {
  read: { isRepeatable: true, isWrite: false },
  'repeatable write': { isRepeatable: true, isWrite: true },
  write: { isRepeatable: false, isWrite: true },
}

/** A client of one served design. */
export function clientOf<M extends TypedModule>(options: ClientOptions): Client<M> {
  const caller = callerOf(options)
  const base = `/${encodeURIComponent(options.design)}`

  const call = (method: string, path: string, more: Pick<Call, 'body' | 'headers' | 'signal'>, kind: keyof typeof kinds) =>
    caller.call({ method, path: `${base}/${path}`, ...more, ...kinds[kind] })
  const ask = async (name: string, body: Values, { signal, ...how }: ListOptions & AccessOptions = {}) =>
    call('POST', name, { body: { ...body, ...how }, signal }, 'read')

  async function decide(name: 'can' | 'why', question: Values, how?: AskOptions): Promise<unknown> {
    try {
      const { body } = await ask(name, question, how)
      return name === 'can' ? decisionOf(body) : evidenceOf(body)
    } catch (error) {
      const denied = error instanceof ProblemError ? withoutDecision(error) : undefined
      if (denied === undefined) throw error
      return name === 'can' ? denied : { ...denied, chains: [], missing: [] }
    }
  }

  async function* pages(next: (cursor: string | undefined) => Promise<unknown>): AsyncGenerator<unknown, void, void> {
    let cursor: string | undefined
    do {
      const page = await next(cursor)
      // The page that was asked for would be asked for again without end.
      if (!isPage(page) || (cursor !== undefined && page.cursor === cursor)) throw malformed(200)
      yield* page.items
      cursor = page.cursor
    } while (cursor !== undefined)
  }

  const once = (idempotencyKey: string | undefined) => ({ 'Idempotency-Key': idempotencyKey ?? caller.around.uuid() })
  /** The caller of a key of its own learns that it was used before. A repeat of this client is told where it has not the result of the first answer. */
  const told = ({ headers }: Incoming, body: Values | undefined, idempotencyKey: string | undefined): unknown => {
    const isTold = idempotencyKey !== undefined || Array.isArray(Object(body).made) || Array.isArray(Object(body).told_once)
    return isTold && headers.get('idempotency-replayed') === 'true' ? { ...Object(body), replayed: true } : body
  }

  async function flow(name: string, input: Values, how: FlowCallOptions = {}): Promise<unknown> {
    const { as, session_id, address, agent, token, idempotencyKey, isRead = false, signal } = how
    const body = { ...input, ...(as === undefined ? {} : { as }), ...(session_id === undefined ? {} : { session_id }) }
    const more = {
      body,
      headers: { ...once(idempotencyKey), 'X-Forwarded-For': address, 'User-Agent': agent, 'Subject-Token': token },
      signal,
    }
    const incoming = await call('POST', `flows/${encodeURIComponent(name)}`, more, isRead ? 'read' : 'repeatable write')
    return told(incoming, isRead ? objectOf(incoming) : doneOf(incoming), idempotencyKey)
  }

  async function pattern(name: string, parameters: Values = {}, { signal, ...how }: PatternOptions = {}): Promise<unknown> {
    const given = Object.fromEntries(Object.entries({ ...parameters, ...how }).filter(([, value]) => value !== undefined))
    return found(async () => objectOf(await call('POST', `patterns/${encodeURIComponent(name)}`, { body: given, signal }, 'read')))
  }

  /** What is read, or undefined if there is none. */
  async function found(read: () => Promise<unknown>): Promise<unknown> {
    try {
      return await read()
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'NotFound') return undefined
      throw error
    }
  }

  const at = (entity: string, id?: Values) =>
    `entities/${entity.split('/').map(encodeURIComponent).join('/')}${id === undefined ? '' : `?${queryOf(id)}`}`
  const conditionOf = ({ version, signal }: EntityOptions) => ({
    headers: version === undefined ? {} : { 'If-Match': `"${version}"` },
    signal,
  })

  const client = {
    can: (question: Values, how?: AskOptions) => decide('can', question, how),
    canMany: async (questions: readonly Values[], how?: AskOptions) => {
      try {
        return decisionsOf(Object((await ask('can', { questions }, how)).body).answers, questions.length)
      } catch (error) {
        const { status, problem = {} }: Partial<ProblemError> = error instanceof ProblemError ? error : {}
        if (status === 503 && Array.isArray(problem.answers)) return decisionsOf(problem.answers, questions.length)
        const denied = error instanceof ProblemError ? withoutDecision(error) : undefined
        if (denied === undefined) throw error
        return questions.map(() => denied)
      }
    },
    why: (question: Values, how?: AskOptions) => decide('why', question, how),
    list: async (name: ListName, question: Values, how?: ListOptions) => pageOf(await ask(name, question, how)),
    all: (name: ListName, question: Values, how: ListOptions = {}) =>
      pages(async (cursor) => pageOf(await ask(name, { ...question, ...(cursor === undefined ? {} : { cursor }) }, how))),
    flow,
    permitted: async (calls: readonly Values[], { signal, ...as }: Pick<FlowCallOptions, 'as' | 'signal'> = {}) =>
      decisionsOf(Object((await call('POST', 'permitted', { body: { calls, ...as }, signal }, 'read')).body).answers, calls.length),
    allOfFlow: (name: string, input: Values, how?: FlowCallOptions) =>
      pages((cursor) => flow(name, { ...input, ...(cursor === undefined ? {} : { cursor }) }, { ...how, isRead: true })),
    access: async (question: Values, how?: AccessOptions) => objectOf(await ask('access', question, how)),
    pattern,
    allOfPattern: (name: string, parameters: Values = {}, { signal }: CallOptions = {}) =>
      pages((cursor) => pattern(name, parameters, { ...(cursor && { cursor }), ...(signal && { signal }) })),
    get: (entity: string, id: Values, { consistent, signal }: CallOptions & { readonly consistent?: boolean } = {}) =>
      found(async () => objectOf(await call('GET', at(entity, { ...id, consistent }), { signal }, 'read'))),
    create: async (entity: string, input: Values, how: CallOptions & { readonly idempotencyKey?: string } = {}) => {
      const { idempotencyKey, signal } = how
      const incoming = await call('POST', at(entity), { body: input, headers: once(idempotencyKey), signal }, 'repeatable write')
      return told(incoming, writtenOf(incoming), idempotencyKey)
    },
    update: async (entity: string, id: Values, change: Values, how: EntityOptions = {}) =>
      writtenOf(await call('PATCH', at(entity, id), { body: change, ...conditionOf(how) }, 'write')),
    move: async (entity: string, id: Values, change: Values, how: EntityOptions = {}) =>
      writtenOf(await call('POST', at(`${entity}/move`, id), { body: change, ...conditionOf(how) }, 'write')),
    remove: async (entity: string, id: Values, how: EntityOptions = {}) =>
      doneOf(await call('DELETE', at(entity, id), conditionOf(how), 'write')) ?? {},
  }
  // Each function sends what M's declarations type, and gives what the service answers to that.
  return client as unknown as Client<M>
}
