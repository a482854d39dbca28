import { type Answered, type DecisionPoint, decisionPointOf } from '@freehold/frame/authzen'
import type { Decider } from '@freehold/frame/decision'
import { notForCaller } from '../http/caller.ts'
import type { CallerView, CallerViews } from '../http/caller-view.ts'
import { parseOpenBody } from '../http/json-body.ts'
import { problem } from '../http/problem.ts'
import type { Answer, Route } from '../http/route.ts'
import type { ApiNames } from '../openapi/api-names.ts'
import { authzenOperations, describeMetadata } from '../openapi/authzen-operations.ts'
import type { Describe } from '../openapi/operation.ts'
import type { Served } from '../served.ts'
import { causeOfReason } from './decisions.ts'

// The HTTPS binding of the OpenID AuthZEN Authorization API 1.0, section 10.

/** All paths of decision points, and those of their metadata, which need no key. */
export const authzenPaths = '/authzen/'
const wellKnown = '/.well-known/authzen-configuration'

const pointOf = (name: string) => `${authzenPaths}${name}`
const searches = ['subject', 'resource', 'action'] as const
const endpoints = {
  access_evaluation_endpoint: '/access/v1/evaluation',
  access_evaluations_endpoint: '/access/v1/evaluations',
  search_subject_endpoint: '/access/v1/search/subject',
  search_resource_endpoint: '/access/v1/search/resource',
  search_action_endpoint: '/access/v1/search/action',
} as const

/** The specification has 400 for every malformed request, and 500 for an answer that failed. A service that is busy or stops says so itself. */
const statusOf: Readonly<Record<number, number>> = { 415: 400, 413: 400, 422: 400, 503: 500 }

/** An answer with the statuses of the specification. */
function bound(answer: Answer): Answer {
  const { code, body, status: given } = answer
  const status = code === undefined || code === 'Busy' ? given : (statusOf[given] ?? given)
  return status === given ? answer : { ...answer, status, body: { ...Object(body), status } }
}

/** A denial is an answer. One that is due to a fault is none, unless it is one of many. */
function answerOf({ body, fault }: Answered<object>): Answer {
  if (fault === undefined) return { status: 200, body }
  if ('evaluations' in body) return { status: 200, body, cause: causeOfReason(fault) }
  return problem('Unavailable', `There is no decision: ${fault.message}`, { cause: causeOfReason(fault) })
}

interface Deciding {
  readonly evaluations_max: number
  /** The tenant that is meant where a request names none, and its caller has none. */
  readonly tenant: string | undefined
}

/** The decision point that a caller viewOf, made once for each reach: within its tenant, if it is of one. */
function pointsOf({ module }: Served, { evaluations_max, tenant }: Deciding): (reach: CallerView) => DecisionPoint {
  const made = new WeakMap<CallerView, DecisionPoint>()
  return (reach) => {
    const known = made.get(reach)
    if (known !== undefined) return known
    const { table, decider } = reach
    const mapping = decider && module.authzen?.({ table, decider, tenant })
    if (decider === undefined || mapping === undefined) throw notForCaller()
    const point = decisionPointOf({ mapping, decider, table, evaluations_max })
    made.set(reach, point)
    return point
  }
}

/** The routes of a design's decision point. None if the design says nothing of AuthZEN, or decides nothing. */
export function authzenRoutes(
  names: ApiNames,
  served: Served,
  decider: Decider | undefined,
  viewOf: CallerViews,
  deciding: Deciding,
): Route[] {
  if (decider === undefined || served.module.authzen === undefined) return []
  const { design: name } = names
  const pointOfReach = pointsOf(served, deciding)
  const told = authzenOperations(names, deciding.evaluations_max)
  type Asking = (point: DecisionPoint, body: Readonly<Record<string, unknown>>) => Promise<Answered<object>>
  const route = (path: string, describe: Describe, ask: Asking): Route => ({
    parse: parseOpenBody,
    ...{ method: 'POST', path: `${pointOf(name)}${path}`, kind: 'evaluation', design: name, query: [], takesBody: true, describe, bound },
    answer: async ({ body, caller }) => {
      const reach = await viewOf(caller)
      // A user asks about itself alone, and AuthZEN's callers about anybody.
      if (reach.user !== undefined) throw notForCaller()
      return answerOf(await ask(pointOfReach(reach), body))
    },
  })
  return [
    route(endpoints.access_evaluation_endpoint, told.evaluation, (point, body) => point.evaluation(body)),
    route(endpoints.access_evaluations_endpoint, told.evaluations, (point, body) => point.evaluations(body)),
    ...searches.map((kind) =>
      route(endpoints[`search_${kind}_endpoint`], told[`search_${kind}`], (point, body) => point.search(kind, body)),
    ),
  ]
}

/** The address of a service, as AuthZEN wants it of a decision point's identifier. Undefined for any other text. */
export function publicAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain = url.username === '' && url.password === '' && !text.includes('?') && !text.includes('#')
  return url.protocol === 'https:' && isPlain ? url : undefined
}

const noAddress = 'The metadata names the https address of this service: start it with --public-url, or FREEHOLD_PUBLIC_URL.'

/** The metadata of a decision point, at the well-known path that its identifier gives. It is the same for every caller, and needs no key. */
export function metadataRoute(names: ApiNames, address: URL | undefined): Route {
  const { design: name } = names
  const prefix = address?.pathname.replace(/\/+$/, '') ?? ''
  const point = `${prefix}${pointOf(name)}`
  const metadata = address && {
    policy_decision_point: `${address.origin}${point}`,
    ...Object.fromEntries(Object.entries(endpoints).map(([parameter, path]) => [parameter, `${address.origin}${point}${path}`])),
  }
  return {
    ...{ method: 'GET', path: `${wellKnown}${point}`, kind: 'catalogue', design: name, query: [], takesBody: false },
    describe: describeMetadata(names, ['policy_decision_point', ...Object.keys(endpoints)]),
    answer: async () =>
      metadata === undefined
        ? problem('UnknownName', noAddress, { status: 404 })
        : { status: 200, body: metadata, headers: { 'Cache-Control': 'public, max-age=300' } },
  }
}
