import { randomUUID } from 'node:crypto'
import type { PolicyEngine } from '@freehold/frame/cedar'
import { type Can, causeOfFault, type Why } from '@freehold/frame/decision'
import { type TokenSecret, tokenVerifier } from '@freehold/frame/issuers'
import { invalidInput } from '@freehold/table/runtime'
import { Denial, requestDenial } from '../denial.ts'
import type { AuthorizerMap, Mapped } from '../map/authorizer-map.ts'
import { bearerToken, type Identify, tokenUser } from '../request/bearer-token.ts'
import { type AskedQuestion, askedQuestions } from './asked-questions.ts'
import type { AuthorizerRequest } from './authorizer-request.ts'
import type { BoundQuestion } from './bound-question.ts'
import type { AskedLine, DecisionLine, DecisionLog } from './decision-log.ts'

export interface AuthorizerOptions {
  readonly map: AuthorizerMap
  /** Decides: `decideAuthorization` of the authorization design does. */
  readonly decider: { why(question: BoundQuestion): Promise<Why> }
  /** The policies that the decider asks: they say which actions there are. Without them the map's actions are not checked at the start. */
  readonly policies?: Pick<PolicyEngine, 'actionsOn'> | undefined
  /** Takes one line for each request. */
  readonly log: DecisionLog
  /** Finds the users of issuers that have a `provider`. `openAuthorizer` asks the table. */
  readonly identify?: Identify | undefined
  /** The secret that issuer and authorizer share, for `keys: secret`. It never stands in the map. */
  readonly secret?: TokenSecret | undefined
  /** In place of the global `fetch`, for keys of issuers. */
  readonly fetch?: typeof fetch | undefined
  readonly now?: () => Date
}

/** The answer to a request. Why it is denied stands in the log alone. */
export type Decision = Denied | Allowed
export interface Denied {
  readonly allowed: false
  readonly id: string
  /** `anonymous` has no valid token: 401. Otherwise 403. */
  readonly caller: 'anonymous' | 'known'
  readonly user?: string
}
export interface Allowed {
  readonly allowed: true
  /** The id of the decision, by which the log has it. */
  readonly id: string
  readonly user: string
  readonly tenant: string
  /** The names of the roles of its grant in the tenant. */
  readonly roles: readonly string[]
  readonly globalRoles: readonly string[]
}

export interface Authorizer {
  /** Decides a request. It never rejects: an error denies. */
  authorize(request: AuthorizerRequest): Promise<Decision>
  /** How long a gateway may keep an answer, in seconds. */
  readonly ttl_s: number
}

/** API Gateway takes 10,240 bytes of headers. */
const tokenChars_max = 16_384
/** API Gateway takes 8,192 bytes of an answer. */
const rolesBytes_max = 4_096

/** Refuses actions that the schema does not let a user ask. */
function checkActions({ routes, fields }: AuthorizerMap, policies: Pick<PolicyEngine, 'actionsOn'>): void {
  const all: readonly (Mapped & { readonly name: string })[] = [...routes, ...fields.values()]
  const issues = all.flatMap(({ name, action, resource: { type } }) =>
    policies.actionsOn(type).includes(action)
      ? []
      : [{ path: ['routes', name], message: `has the action ${action}, which the schema has not for ${type}` }],
  )
  if (issues.length > 0) throw invalidInput('The map of the authorizer', issues)
}

function noIdentities({ issuers }: AuthorizerMap): Identify {
  if (issuers.some(({ user }) => 'provider' in user))
    throw invalidInput('The map of the authorizer', [{ path: ['token', 'user'], message: 'has a provider, and nothing finds its users' }])
  return async () => undefined
}

const kinds = { policy: 'policy', unknown: 'unknown', fault: 'fault' } as const

function denialOf({ reason }: Can): Denial {
  if (reason === undefined) return new Denial('fault', 'AuthorizerFault', 'The decider denied without a reason.')
  return new Denial(kinds[reason.kind], reason.code, reason.message, { cause: causeOfFault(reason) })
}

const idsOf = ({ chains: [chain = []] }: Why, step: string, scope?: string): readonly string[] =>
  chain.flatMap(({ step: of, id }) => (of === step && id.scope === scope ? (id.name ?? []) : []))

/** All policies that permit it. */
const policiesOf = ({ chains }: Why): readonly string[] =>
  chains.flatMap((chain) => idsOf({ allowed: true, chains: [chain], missing: [] }, 'policy'))

const codeOf = (cause: unknown): { readonly cause?: string } => {
  if (!(cause instanceof Error)) return {}
  return { cause: 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name }
}

/**
 * An authorizer: it verifies the token, asks the questions that the map has for the request, and denies unless each is allowed.
 * @throws InvalidInput if the secret is missing or too short, or the policies lack an action of the map
 */
export function createAuthorizer({
  map,
  decider,
  policies,
  log,
  now = () => new Date(),
  identify,
  ...keys
}: AuthorizerOptions): Authorizer {
  if (policies !== undefined) checkActions(map, policies)
  const verify = tokenVerifier(map.issuers, {
    ...keys,
    now,
    takesSecret: true,
    leeway_s: 0,
    chars_max: tokenChars_max,
    lasts_s: map.cache.ttl_s,
  })
  const identified = identify ?? noIdentities(map)

  /** What is known of a request so far, for its line in the log. */
  interface Progress {
    user?: string
    tenant?: string
    asked: readonly AskedLine[]
  }

  async function ask({ at, question }: AskedQuestion): Promise<{ readonly why: Why; readonly line: AskedLine }> {
    const { action, resource } = question
    const why = await decider.why(question)
    // A decider of another program might answer with anything: only `true` allows.
    const allowed = why.allowed === true
    const line = { at, action, resource: { type: resource.type, id: resource.id }, allowed }
    return { why, line: allowed ? { ...line, policies: policiesOf(why) } : line }
  }

  async function decide(request: AuthorizerRequest, progress: Progress): Promise<Omit<Allowed, 'id'>> {
    const token = await tokenUser(bearerToken(request.header('authorization')), verify, identified)
    progress.user = token.user
    const questions = await askedQuestions(map, request, token)
    const [first] = questions
    if (first === undefined) throw requestDenial('Unmapped', 'The request asks for nothing.')
    const { user, tenant } = first.question
    progress.tenant = tenant
    const answers = await Promise.all(questions.map(ask))
    progress.asked = answers.map(({ line }) => line)
    for (const { why, line } of answers) if (!line.allowed) throw denialOf(why)
    const [answer] = answers
    if (answer === undefined) throw new Denial('fault', 'AuthorizerFault', 'Nothing was answered.')
    const roles = idsOf(answer.why, 'role', 'tenant')
    const globalRoles = idsOf(answer.why, 'role', 'global')
    if (Buffer.byteLength(JSON.stringify([roles, globalRoles])) > rolesBytes_max)
      throw new Denial('fault', 'AnswerTooLarge', 'The names of the roles have more bytes than a gateway takes.')
    return { allowed: true, user, tenant, roles, globalRoles }
  }

  async function authorize(request: AuthorizerRequest): Promise<Decision> {
    const begin_ms = performance.now()
    const id = randomUUID()
    const progress: Progress = { asked: [] }
    const tell = ({ allowed, reason }: Pick<DecisionLine, 'allowed' | 'reason'>) => {
      const { user, tenant, asked } = progress
      log({
        ...{ time: now().toISOString(), decision: id },
        ...(request.requestId === undefined ? {} : { request: request.requestId }),
        allowed,
        ...(user === undefined ? {} : { user }),
        ...(tenant === undefined ? {} : { tenant }),
        asked,
        ...(reason === undefined ? {} : { reason }),
        ms: Math.round((performance.now() - begin_ms) * 10) / 10,
      })
    }
    try {
      const allowed = await decide(request, progress)
      // Nothing is allowed that the log does not have.
      tell({ allowed: true })
      return { id, ...allowed }
    } catch (error) {
      const denial = error instanceof Denial ? error : new Denial('fault', 'AuthorizerFault', 'The authorizer failed.', { cause: error })
      const { kind, code, message, cause } = denial
      try {
        tell({ allowed: false, reason: { kind, code, message, ...codeOf(cause) } })
      } catch {
        // A denial stands, whether or not the log takes it.
      }
      const { user } = progress
      return { allowed: false, id, caller: kind === 'token' ? 'anonymous' : 'known', ...(user === undefined ? {} : { user }) }
    }
  }

  return Object.freeze({ authorize, ttl_s: map.cache.ttl_s })
}
