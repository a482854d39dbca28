import { randomUUID } from 'node:crypto'
import type { Decider } from '@freehold/designs'
import { isFreeholdError } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { type Context, Hono } from 'hono'
import { faultOf, type Log } from './http/access-log.ts'
import { answerRoute, type RequestLimits } from './http/answer-route.ts'
import { authenticate, type VerifyingKeys } from './http/authenticate.ts'
import { bounded } from './http/bounded.ts'
import { anybody, isUnlimited, mayUse, notForCaller } from './http/caller.ts'
import { clientAddress } from './http/client-address.ts'
import { problem, problemOf } from './http/problem.ts'
import { reachesOf } from './http/reach.ts'
import { type Env, respond } from './http/respond.ts'
import type { Answer, Route } from './http/route.ts'
import type { ApiKeys } from './keys/api-keys.ts'
import type { Outbox } from './mail/outbox.ts'
import type { Example } from './openapi/operation.ts'
import { docsPages } from './pages/docs-page.ts'
import { homePages, type TriedQuestion } from './pages/home-page.ts'
import { respondPage } from './pages/page.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { authzenPaths, authzenRoutes, metadataRoute, publicAddress } from './routes/authzen.ts'
import { catalogueRoute } from './routes/catalogue.ts'
import { deciderOf, decisionRoutes, unansweredPaths } from './routes/decisions.ts'
import { entityRoutes } from './routes/entities.ts'
import { flowRoutes } from './routes/flows.ts'
import { describeHealth, healthCheck } from './routes/health.ts'
import { openApiRoute } from './routes/openapi.ts'
import { outboxRoute } from './routes/outbox.ts'
import { patternRoutes } from './routes/patterns.ts'
import type { Served } from './served.ts'
import type { Issuer } from './tokens/issuer.ts'
import { type TokenOptions, tokenVerifier } from './tokens/token-verifier.ts'

/** The version of the API, in its document. */
const version = '0.1.0'

export interface Limits extends RequestLimits {
  /** The largest number of parallel requests with a key. Further ones are told to try again. */
  readonly inFlight_max: number
  /** The largest number of questions in one request. */
  readonly questions_max: number
}

const limitsUnlessGiven: Limits = { body_bytes_max: 1_048_576, query_bytes_max: 8_192, inFlight_max: 256, questions_max: 100 }

export interface ServiceOptions {
  /** The served designs, by their names in paths. */
  readonly tables: ReadonlyMap<string, Served>
  /** The API keys. A program's own implementation needs no table. */
  readonly keys: VerifyingKeys
  /** Issuers of tokens, by which users call for themselves. By default none. */
  readonly issuers?: readonly Issuer[]
  /** The clock and the leeway by which tokens are verified. */
  readonly tokens?: TokenOptions
  /** Called with each answered request. */
  readonly log: Log
  readonly limits?: Partial<Limits>
  /** The number of proxies in front that add to `X-Forwarded-For`. By default 0, and the header is ignored. */
  readonly trustedProxies?: number
  /** Mails that stay instead of being sent, for a trial. By default none are shown. */
  readonly outbox?: Pick<Outbox, 'list'> | undefined
  /** The https address by which callers reach the service, for the metadata of AuthZEN. Without one there is no metadata. */
  readonly publicUrl?: string | undefined
  /** The tenant that a request of AuthZEN means which names none, by its id or name. By default none is meant, and the request is denied. */
  readonly authzenTenant?: string | undefined
  /**
   * Pages for a browser, which need no key, as `/openapi.json` then needs none: they tell what is served, and no data. By default there are none.
   * `viewer` is the text of Scalar's standalone script, for `/docs`; `questions` are those of samples, which `/` asks with the key of its reader.
   */
  readonly pages?: { viewer(): Promise<string>; readonly questions?: readonly TriedQuestion[] } | undefined
}

/** The service. Its core is `fetch(Request)`, so that it runs on any platform that has it. */
export type Service = Hono<Env>

type Deciding = readonly (readonly [name: string, served: Served, decider: Decider | undefined])[]

function routesOf(all: Deciding, { questions_max }: Limits, tenant: string | undefined): Route[] {
  const routes = all.flatMap(([name, served, decider]) => {
    const reaches = reachesOf(served, decider)
    return [
      ...(decider === undefined ? [] : decisionRoutes(name, decider, reaches, questions_max)),
      ...entityRoutes(name, served, reaches),
      ...patternRoutes(name, served, reaches),
      ...flowRoutes(name, served, reaches),
      ...authzenRoutes(name, served, decider, reaches, { evaluations_max: questions_max, tenant }),
    ]
  })
  return [catalogueRoute(all), ...routes]
}

/** The methods of each path. A path with GET also has HEAD. */
function methodsByPath(routes: readonly Pick<Route, 'method' | 'path'>[]): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>()
  for (const { method, path } of routes) paths.set(path, [...(paths.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
  return paths
}

/** True for the keys of `openKeys`: a program's own are managed by that program. */
function managesKeys(keys: VerifyingKeys): keys is ApiKeys {
  return keys.newKey !== undefined && keys.rotate !== undefined && keys.list !== undefined && keys.revoke !== undefined
}

const nothingHere = 'There is nothing at this path: GET /v1 is the catalogue.'

function noSuchRoute(path: string, methods: readonly string[] | undefined, sentence = nothingHere): Answer {
  if (methods === undefined) return problem('UnknownName', sentence, { status: 404 })
  const allow = methods.join(', ')
  return problem('InvalidInput', `${path} takes ${allow}.`, { status: 405, headers: { Allow: allow } })
}

const loggedMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** A request identifier of AuthZEN is sent back, whatever it is: a UUID has 36 characters. */
const requestIdMax = 256

/** The metadata of each decision point. Throws `InvalidInput` for an address that is none. */
function metadataRoutes(all: Deciding, publicUrl: string | undefined): Route[] {
  const address = publicUrl === undefined ? undefined : publicAddress(publicUrl)
  if (publicUrl !== undefined && address === undefined) {
    const message = 'is not an https address without user, query and fragment'
    throw invalidInput('The service', [{ path: ['publicUrl'], message }])
  }
  return all.flatMap(([name, { module }, decider]) =>
    module.authzen === undefined || decider === undefined ? [] : [metadataRoute(name, address)],
  )
}

const refused = problemOf(notForCaller())

/** Turns every error into a problem. For an unexpected error the client only learns that it happened. */
function answerError(c: Context<Env>, error: Error): Response {
  if (isFreeholdError(error)) return respond(c, problemOf(error))
  c.set('fault', faultOf(error))
  return respond(c, problem('Unavailable', 'The service failed. Its log has the details under the id of this request.', { status: 500 }))
}

/**
 * The HTTP service around the designs: decisions, entities, access patterns and flows, all derived from each design.
 * @throws FreeholdError `InvalidDesign` if a field of a design has a name that HTTP needs for itself, `InvalidInput` for a `publicUrl` that is none
 */
export function createService(options: ServiceOptions): Service {
  const { tables, keys, log, limits: given = {}, trustedProxies = 0, outbox, publicUrl, authzenTenant, pages: shown } = options
  const { issuers = [], tokens = {} } = options
  const limits: Limits = { ...limitsUnlessGiven, ...given }
  const all: Deciding = [...tables].map(([name, served]) => [name, served, deciderOf(served)])
  const designs = new Map([...tables].map(([name, { table }]) => [name, table.design]))
  const own = [
    ...routesOf(all, limits, authzenTenant),
    ...(managesKeys(keys) ? apiKeyRoutes(keys, designs) : []),
    ...(outbox === undefined ? [] : [outboxRoute(outbox)]),
  ]
  const unanswered = new Map(all.flatMap(([name, served, decider]) => unansweredPaths(name, served, decider)))
  const health = { method: 'GET', path: '/health', takesBody: false, describe: describeHealth } as const
  const described = metadataRoutes(all, publicUrl)
  const pages =
    shown === undefined ? [] : [...homePages([...tables.keys()], shown.questions ?? []), ...docsPages([...tables.keys()], shown.viewer)]
  const examples = new Map<string, Example[]>()
  for (const { design, asked, title: summary, body } of shown?.questions ?? []) {
    const path = `/v1/${design}/${asked}`
    examples.set(path, [...(examples.get(path) ?? []), { summary, body }])
  }
  const toldService = { designs: [...tables.keys()], version, isOpen: shown !== undefined, examples }
  const openApi = openApiRoute([health, ...pages, ...described, ...own], toldService)
  const [keyless, routes] = shown === undefined ? [described, [openApi, ...own]] : [[...described, openApi], own]
  const methods = methodsByPath([health, ...pages, ...keyless, ...routes])
  const isHealthy = healthCheck(
    [...tables.values()].map(({ table }) => table),
    keys.table,
  )
  const app: Service = new Hono<Env>()

  // A caller that passes only a request gives no connection.
  const addressOf = (c: Context<Env>) => clientAddress(c.req.raw.headers, c.env ?? {}, trustedProxies)
  app.onError((error, c) => answerError(c, error))
  app.notFound((c) => {
    // To others it is as if there were something that they may not use.
    if (c.var.caller !== undefined && !isUnlimited(c.var.caller)) return respond(c, refused)
    return respond(c, noSuchRoute(c.req.path, methods.get(c.req.path), unanswered.get(c.req.path)))
  })
  app.use('*', async (c, next) => {
    const start_ms = performance.now()
    c.set('request', randomUUID())
    const named = c.req.path.startsWith(authzenPaths) ? c.req.header('x-request-id') : undefined
    if (named === undefined || named.length <= requestIdMax) {
      c.set('named', named)
      await next()
    } else
      c.res = respond(c, problemOf(invalidInput('The request', [{ path: ['X-Request-ID'], message: `is longer than ${requestIdMax}` }])))
    const { code, cause, fault, request, key, issuer, as } = c.var
    const address = addressOf(c)
    log({
      time: new Date().toISOString(),
      request,
      ...(key === undefined ? {} : { key }),
      ...(issuer === undefined ? {} : { issuer }),
      ...(address === undefined ? {} : { address }),
      ...(as === undefined ? {} : { as }),
      method: loggedMethods.has(c.req.method) ? c.req.method : 'other',
      route: methods.has(c.req.path) ? c.req.path : 'unknown',
      status: c.res.status,
      ms: Math.round((performance.now() - start_ms) * 10) / 10,
      ...(code === undefined ? {} : { code }),
      ...(cause === undefined ? {} : { cause }),
      ...(fault === undefined ? {} : { fault }),
    })
  })
  // The routes above this line need no key, and are answered even if many others are running.
  app.get(health.path, async (c) => respond(c, await isHealthy()))
  for (const each of pages) app.get(each.path, (c) => respondPage(c, each))
  const register = (route: Route) =>
    app.on(route.method, route.path, async (c) => {
      const { raw } = c.req
      const { caller = anybody } = c.var
      if (!mayUse(caller, route)) return respond(c, refused)
      const origin = { key: c.var.key, ip_address: addressOf(c), user_agent: raw.headers.get('user-agent') ?? undefined }
      const answer = await answerRoute(route, raw, limits, { origin, caller, acting: (user_id) => c.set('as', user_id) }).catch(
        (error: unknown) => {
          if (isFreeholdError(error)) return problemOf(error)
          throw error
        },
      )
      return respond(c, route.bound?.(answer) ?? answer)
    })
  for (const route of keyless) register(route)
  // In this order, requests without a key take no place from those with one. The lookups of keys have their own bound.
  app.use('*', authenticate(keys, issuers.length === 0 ? undefined : tokenVerifier(issuers, tokens)))
  app.use('*', bounded(limits.inFlight_max))
  for (const route of routes) register(route)
  return app
}
