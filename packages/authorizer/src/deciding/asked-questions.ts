import { decodedOnce, segmentsOf } from '@freehold/frame/gateway'
import { requestDenial } from '../denial.ts'
import type { AuthorizerMap, Mapped, Route } from '../map/authorizer-map.ts'
import { matchPath, moreSpecific } from '../map/path-template.ts'
import type { TokenUser } from '../request/bearer-token.ts'
import { type PathSegment, pathSegment, pathSegments } from '../request/path-segments.ts'
import { tenantOf } from '../request/tenant-of.ts'
import type { AskedRoute, AuthorizerRequest, GatewayRoute } from './authorizer-request.ts'
import { type BoundQuestion, boundQuestion, valueAt } from './bound-question.ts'

/** A part of a request that the map knows, with the values of its variables. */
interface AskedPart {
  /** The route or field of the map. */
  readonly at: string
  readonly mapped: Mapped
  asked(name: string): unknown
}

const unmapped = (message: string) => requestDenial('Unmapped', message)

const contradicts = () => requestDenial('EventMalformed', 'The event names a route that is not that of its path.')

/**
 * The segments that the map knows: without the stage, and without the base path. A gateway matches its routes against a path that may lack both, and names
 * them by its ARN; the base path may be within its routes, too.
 */
function withinBase(segments: readonly PathSegment[], base: string, { stage, prefix }: GatewayRoute): readonly PathSegment[] {
  if (prefix === undefined) throw contradicts()
  const own = segments.slice(prefix.length)
  const [before, withoutStage] = [prefix, prefix.at(-1) === stage ? prefix.slice(0, -1) : prefix].map((each) => each.join('/'))
  const ofBase = segmentsOf(base)
  if (base !== '' && [before, withoutStage].includes(ofBase.join('/'))) return own
  if (withoutStage !== '') throw contradicts()
  if (ofBase.some((each, index) => own[index]?.raw !== each)) throw unmapped('The path does not begin with the base path of the map.')
  return own.slice(ofBase.length)
}

const noGateway: GatewayRoute = { stage: undefined, prefix: [] }

function routeAsked({ routes, basePath }: AuthorizerMap, asked: AskedRoute): AskedPart {
  const { method, path, isDecoded, parameters = [], gateway = noGateway } = asked
  for (const parameter of parameters) pathSegment(isDecoded ? decodedOnce(parameter) : parameter, isDecoded)
  // The whole path is checked, so that dots cannot leave the base path.
  const segments = pathSegments(path, isDecoded)
  const within = withinBase(segments, basePath, gateway)
  const matching = routes.flatMap((route) => {
    const variables = route.method === method ? matchPath(route.path, within) : undefined
    return variables === undefined ? [] : [{ route, variables }]
  })
  const best = matching.reduce<{ route: Route; variables: ReadonlyMap<string, string> } | undefined>(
    (found, each) => (found !== undefined && moreSpecific(found.route.path, each.route.path) === 'first' ? found : each),
    undefined,
  )
  if (best === undefined) throw unmapped(`No route of the map has this method and a path of ${segments.length} such segments.`)
  const { route, variables } = best
  return { at: route.name, mapped: route, asked: (name) => variables.get(name) }
}

/** The reader of GraphQL, which a function without fields never loads. */
export const graphqlReader = () => import('../graphql/asked-fields.ts')

async function partsOf(map: AuthorizerMap, { asked }: AuthorizerRequest): Promise<readonly AskedPart[]> {
  if (asked === undefined) throw requestDenial('EventMalformed', 'The event does not say what is asked for.')
  if ('path' in asked) return [routeAsked(map, asked)]
  const { askedFields } = await graphqlReader()
  const fields = askedFields(asked)
  return fields.map(({ name, args }) => {
    const mapped = map.fields.get(name)
    if (mapped === undefined) throw unmapped('The map lacks a field of the query.')
    return { at: name, mapped, asked: (variable) => valueAt(args, variable) }
  })
}

/** A question, and the route or field that asks it. */
export interface AskedQuestion {
  readonly at: string
  readonly question: BoundQuestion
}

/** The questions of a request: one of a route, one of each top-level field of an operation. All are of one tenant. */
export async function askedQuestions(map: AuthorizerMap, request: AuthorizerRequest, token: TokenUser): Promise<readonly AskedQuestion[]> {
  const { host } = request
  const header = (name: string) => request.header(name)
  const parts = await partsOf(map, request)
  const questions = parts.map(({ at, mapped, asked }) => {
    const tenant = tenantOf(map.tenant, { asked, header, host, claims: token.claims })
    return { at, question: boundQuestion(mapped, { request, token, tenant, asked }) }
  })
  if (new Set(questions.map(({ question }) => question.tenant)).size > 1)
    throw requestDenial('TenantDisagrees', 'The fields of the query name several tenants.')
  return questions
}
