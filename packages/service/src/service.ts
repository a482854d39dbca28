import { credentialsOf } from '@freehold/frame'
import type { Decider } from '@freehold/frame/decision'
import type { Issuer, TokenOptions } from '@freehold/frame/issuers'
import { invalidInput } from '@freehold/table/runtime'
import { consoleSignInRoutes } from './console-sign-in/routes.ts'
import type { RelyingParty } from './console-sign-in/sign-in-port.ts'
import type { Log } from './http/access-log.ts'
import type { RequestLimits } from './http/answer-route.ts'
import { authenticate, type VerifyingKeys } from './http/authenticate.ts'
import { callerViewsOf } from './http/caller-view.ts'
import { type FetchFace, fetchFace } from './http/fetch-face.ts'
import { type Endpoint, type Endpoints, handling } from './http/handle.ts'
import type { Route } from './http/route.ts'
import type { Handle } from './http/service-request.ts'
import { signedInPeople } from './http/signed-in-people.ts'
import { userTokens } from './http/user-tokens.ts'
import type { ApiKeys } from './keys/api-keys.ts'
import type { Outbox } from './mail/outbox.ts'
import { apiNames } from './openapi/api-names.ts'
import type { Example } from './openapi/operation.ts'
import type { DecisionLog } from './operations/decision-log.ts'
import type { ServiceMetrics } from './operations/metrics.ts'
import type { Observing } from './operations/observed.ts'
import { observing } from './operations/observing.ts'
import { tracedHandle } from './operations/traced.ts'
import { consolePages } from './pages/console-pages.ts'
import { docsPages } from './pages/docs-page.ts'
import { answerPage } from './pages/page.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { authzenRoutes, metadataRoute, publicAddress } from './routes/authzen.ts'
import { catalogueRoute } from './routes/catalogue.ts'
import { consoleSessionRoutes } from './routes/console-session.ts'
import { decisionRoutes, observedDeciderOf, unansweredPaths } from './routes/decisions.ts'
import { designRoute, type TriedQuestion } from './routes/design.ts'
import { entityRoutes, type RefusedRoute, refusedWrites } from './routes/entities.ts'
import { flowRoutes } from './routes/flows.ts'
import { healthRoutes } from './routes/health.ts'
import { openApiRoutes } from './routes/openapi.ts'
import { operationRoute } from './routes/operation.ts'
import { outboxRoute } from './routes/outbox.ts'
import { patternRoutes } from './routes/patterns.ts'
import { permittedRoutes } from './routes/permitted.ts'
import { savedQuestionRoutes } from './routes/saved-questions.ts'
import type { Served } from './served.ts'
import { type EnterConsole, type SignInPages, signInRoutes } from './sign-in/routes.ts'

/** The version of the API, in its document. */
const version = '0.1.0'

export interface Limits extends RequestLimits {
  /** The largest number of parallel requests with a key. Further ones are told to try again. */
  readonly inFlight_max: number
  /** The largest number of questions, and of calls that are asked about, in one request. */
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
  /** Counts requests and questions. By default nothing is counted. */
  readonly metrics?: ServiceMetrics | undefined
  /** Told each question that was decided. By default there is no log of decisions. */
  readonly decisionLog?: DecisionLog | undefined
  readonly limits?: Partial<Limits>
  /** The number of proxies in front that add to `X-Forwarded-For`. By default 0, and the header is ignored. */
  readonly trustedProxies?: number
  /** Mails that stay instead of being sent, for a trial. By default none are shown. */
  readonly outbox?: Pick<Outbox, 'list'> | undefined
  /** The https address by which callers reach the service, for the metadata of AuthZEN. Without one there is no metadata. */
  readonly publicUrl?: string | undefined
  /** The tenant of an AuthZEN request that names none, by its id or name. By default such a request is denied. */
  readonly authzenTenant?: string | undefined
  /**
   * Pages for a browser, which need no key, as `/openapi.json` then needs none: they tell what is served, and no data. By default there are none.
   * `viewer` is the text of Scalar's standalone script, for `/docs`; `questions` are those of samples, for the document and the console.
   */
  readonly pages?: { viewer(): Promise<string>; readonly questions?: readonly TriedQuestion[] } | undefined
  /** Pages at `/sign-in` by which the people of a design sign in. By default there are none. */
  readonly signIn?: SignInPages | undefined
  /** By it people sign in to the console at issuers: `relyingParty` of `@freehold/service/console-sign-in`. */
  readonly consoleSignIn?: RelyingParty | undefined
  /** False for no console. By default it is at `/console/` if the keys are those of `openKeys`. */
  readonly console?: boolean | undefined
}

/**
 * The service. Its core is `handle`, so that it behaves alike on every platform: `fetch` and `serveOnNode` only make requests for it, and send its answers.
 */
export interface Service extends FetchFace {
  readonly handle: Handle
  readonly routes: readonly Pick<Route, 'method' | 'path'>[]
}

type Deciding = readonly (readonly [name: string, served: Served, decider: Decider | undefined])[]

/** The routes of all designs, and what answers the writes that a design refuses. */
function routesOf(
  all: Deciding,
  { questions_max }: Limits,
  tenant: string | undefined,
  observe: Observing,
  tried: readonly TriedQuestion[],
) {
  const refused: RefusedRoute[] = []
  const routes = all.flatMap(([name, served, decider]) => {
    const viewOf = callerViewsOf(served, decider, observe)
    const names = apiNames(name, served.module)
    refused.push(refusedWrites(names, served, viewOf))
    return [
      designRoute(names, served, decider, tried),
      ...(decider === undefined ? [] : decisionRoutes(names, decider, viewOf, questions_max)),
      ...entityRoutes(names, served, viewOf),
      ...patternRoutes(names, served, viewOf),
      ...permittedRoutes(names, served, viewOf, questions_max),
      ...flowRoutes(names, served, viewOf),
      ...authzenRoutes(names, served, decider, viewOf, { evaluations_max: questions_max, tenant }),
    ]
  })
  return {
    routes: [catalogueRoute(all), ...routes],
    refused: (method: string, path: string) => {
      for (const refusedOf of refused) {
        const route = refusedOf(method, path)
        if (route !== undefined) return route
      }
      return undefined
    },
  }
}

type Registered = Endpoint & Pick<Route, 'method' | 'path'>

function endpointsOf(all: readonly Registered[]): Endpoints {
  const paths = new Map<string, Map<string, Endpoint>>()
  for (const each of all) {
    const methods = paths.get(each.path) ?? new Map<string, Endpoint>()
    paths.set(each.path, methods)
    for (const method of each.method === 'GET' ? ['GET', 'HEAD'] : [each.method]) methods.set(method, each)
  }
  return paths
}

/** True for the keys of `openKeys`: a program's own are managed by that program. */
function managesKeys(keys: VerifyingKeys): keys is ApiKeys {
  return keys.newKey !== undefined && keys.rotate !== undefined && keys.list !== undefined && keys.revoke !== undefined
}

/** The metadata of each decision point. Throws `InvalidInput` for an address that is none. */
function metadataRoutes(all: Deciding, publicUrl: string | undefined): Route[] {
  const address = publicUrl === undefined ? undefined : publicAddress(publicUrl)
  if (publicUrl !== undefined && address === undefined) {
    const message = 'is not an https address without user, query and fragment'
    throw invalidInput('The service', [{ path: ['publicUrl'], message }])
  }
  return all.flatMap(([name, { module }, decider]) =>
    module.authzen === undefined || decider === undefined ? [] : [metadataRoute(apiNames(name, module), address)],
  )
}

/**
 * The HTTP service around the designs: decisions, entities, access patterns and flows, all derived from each design.
 * @throws FreeholdError `InvalidDesign` if a field of a design has a name that HTTP needs for itself, `InvalidInput` for a `publicUrl` that is none
 */
export function createService(options: ServiceOptions): Service {
  const { tables, keys, log, limits: given = {}, trustedProxies = 0, outbox, publicUrl, authzenTenant, pages: shown } = options
  const { console: hasConsole = true } = options
  const { issuers = [], tokens = {} } = options
  const observe = observing(options)
  const limits: Limits = { ...limitsUnlessGiven, ...given }
  const all: Deciding = [...tables].map(([name, served]) => [name, served, observedDeciderOf(served, observe)])
  const modules = new Map([...tables].map(([name, { module }]) => [name, module]))
  const ofDesigns = routesOf(all, limits, authzenTenant, observe, shown?.questions ?? [])
  const people = hasConsole && managesKeys(keys) ? signedInPeople(keys, tables, { issuers, trustedProxies }) : undefined
  const forConsole = people !== undefined && managesKeys(keys) ? consoleSessionRoutes(keys, people, trustedProxies) : undefined
  const own = [
    ...ofDesigns.routes,
    ...(managesKeys(keys) ? [...apiKeyRoutes(keys, modules), ...savedQuestionRoutes(keys.saved, new Set(modules.keys()))] : []),
    ...(forConsole?.others ?? []),
    ...(outbox === undefined ? [] : [outboxRoute(outbox)]),
    operationRoute(tables, version),
  ]
  const unanswered = new Map(all.flatMap(([name, served, decider]) => unansweredPaths(name, served, decider)))
  const health = healthRoutes(
    [...tables.values()].map(({ table }) => table),
    keys.table,
  )
  const described = metadataRoutes(all, publicUrl)
  const pages = shown === undefined ? [] : docsPages([...tables.keys()], shown.viewer)
  const [ofPeople] = [...tables].flatMap(([name, { module }]) => (credentialsOf(module) === undefined ? [] : [name]))
  const enterConsole: EnterConsole | undefined =
    people === undefined || ofPeople === undefined ? undefined : (asked, current) => people.enter(asked, ofPeople, current)
  const forPeople = options.signIn === undefined ? [] : signInRoutes(options.signIn, trustedProxies, enterConsole)
  const { consoleSignIn: party, signIn: { product = 'Freehold' } = {} } = options
  const toConsole =
    people === undefined
      ? []
      : consoleSignInRoutes({
          ...{ party, tables, product, hasPages: enterConsole !== undefined && options.signIn !== undefined, publicUrl, trustedProxies },
          enter: (asked, { token, design, former }) => people.enter(asked, design, token, former),
        })
  const built = forConsole === undefined ? { pages: [], assets: [] } : consolePages()
  const open = [...described, ...(forConsole === undefined ? [] : [forConsole.open]), ...built.pages, ...toConsole, ...forPeople]
  const examples = new Map<string, Example[]>()
  for (const { design, asked, title: summary, body } of shown?.questions ?? []) {
    const path = `/v1/${design}/${asked}`
    examples.set(path, [...(examples.get(path) ?? []), { summary, body }])
  }
  const prefixes = [...tables].map(([name, { module }]) => apiNames(name, module).prefix)
  const toldService = { designs: [...tables.keys()], version, publicUrl, isOpen: shown !== undefined, examples, prefixes }
  const openApi = openApiRoutes([...health, ...pages, ...open, ...own], toldService)
  const [keyless, routes] = shown === undefined ? [open, [...openApi, ...own]] : [[...open, ...openApi], own]
  const endpoints: readonly Registered[] = [
    ...health.map(({ method, path, answer }) => ({ method, path, needsKey: false, page: answer }) as const),
    ...pages.map((each) => ({ ...each, needsKey: false, page: () => answerPage(each) }) as const),
    ...[...[...keyless, ...built.assets].map((route) => [false, route] as const), ...routes.map((route) => [true, route] as const)].map(
      ([needsKey, route]): Registered => ({ method: route.method, path: route.path, needsKey, route }),
    ),
  ]
  const handled = handling({
    endpoints: endpointsOf(endpoints),
    refused: ofDesigns.refused,
    unanswered,
    authenticate: authenticate(keys, issuers.length === 0 ? undefined : userTokens(issuers, tokens), trustedProxies, people),
    limits,
    trustedProxies,
    log: observe.log(log),
    within: observe.within,
  })
  const paths = new Set(endpoints.map(({ path }) => path))
  const handle = tracedHandle(observe.handle(handled), (path) => paths.has(path))
  const isAsset = (path: string) => built.assets.some((each) => each.path === path)
  const told = endpoints.map(({ method, path }) => ({ method, path: isAsset(path) ? '/console/assets/*' : path }))
  return { ...fetchFace(handle), handle, routes: told }
}
