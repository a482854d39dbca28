import type { GatewayEvent } from './gateway-event.ts'

/** The segments of a path; the root has none. */
export const segmentsOf = (path: string): readonly string[] => (path === '' || path === '/' ? [] : path.slice(1).split('/'))

/** A text without its percent encoding. One that is malformed stands for itself. */
export function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** True if both are the same segment: either may be encoded, once. */
const agree = (one: string, other: string | undefined) =>
  other !== undefined && (one === other || decodedOnce(one) === other || one === decodedOnce(other))

/** The part of a path before these segments, with which it ends. Undefined if it does not. */
function before(path: readonly string[], end: readonly string[]): readonly string[] | undefined {
  const at = path.length - end.length
  return at >= 0 && end.every((each, index) => agree(each, path[at + index])) ? path.slice(0, at) : undefined
}

const variable = /^\{([^{}+]+)(\+?)\}$/

/** The path that the gateway's route has with its parameters. Null for a route without a path, undefined if the two do not fit. */
function pathOfRoute({ method, route = '$default', parameters }: GatewayEvent): readonly string[] | null | undefined {
  const left = new Map(Object.entries(parameters))
  const [, of = 'ANY', path] = /^(?:([A-Z]+) )?(\/.*)$/.exec(route) ?? []
  if (path === undefined) return route === '$default' && left.size === 0 ? null : undefined
  if (of !== 'ANY' && of !== method) return undefined
  const segments = segmentsOf(path).flatMap((part): readonly (string | undefined)[] => {
    const [, name, greedy] = variable.exec(part) ?? []
    if (name === undefined) return [part]
    const value = left.get(name)
    left.delete(name)
    if (typeof value !== 'string') return [undefined]
    return greedy === '+' ? segmentsOf(`/${value}`) : [value]
  })
  const texts = segments.filter((each) => each !== undefined)
  return left.size === 0 && texts.length === segments.length ? texts : undefined
}

/** `arn:aws:execute-api:<region>:<account>:<API>/<stage>/<method>/<path>` */
const arnForm = /^arn:[^:]+:execute-api:[^:]*:[^:]*:[^/]+\/([^/]+)\/([^/]+)(\/.*)?$/

/** The path in the ARN, if it has the stage and the method of the event. */
function pathOfArn({ stage, method }: GatewayEvent, arn: string): readonly string[] | undefined {
  const [whole, ofStage, ofMethod, path = ''] = arnForm.exec(arn) ?? []
  return whole === undefined || (stage !== undefined && ofStage !== stage) || ofMethod !== method ? undefined : segmentsOf(path)
}

/**
 * The segments that stand before the path by which the API routes: the stage, or the base path of a mapping. A host name does not tell them, since a custom
 * domain has any name. The ARN does, and it has to agree with route and parameters. Undefined if they contradict each other or the path.
 * @param arn `routeArn` or `methodArn` of an event for an authorizer
 */
export function prefixByArn(event: GatewayEvent, arn: string): readonly string[] | undefined {
  const path = segmentsOf(event.path)
  const [byArn, byRoute] = [pathOfArn(event, arn), pathOfRoute(event)]
  const prefix = byArn === undefined ? undefined : before(path, byArn)
  if (prefix === undefined || byRoute === undefined) return undefined
  return byRoute === null || before(path, byRoute)?.length === prefix.length ? prefix : undefined
}

/**
 * The path by which the API routes, of an event without an ARN. The gateway's route shows it. Else a path that begins with the stage may have it or not,
 * since behind a custom domain both occur.
 * @param isServed whether the API has such a path: this decides where the route does not
 */
export function pathWithinApi(event: GatewayEvent, isServed: (path: string) => boolean): string {
  const { path, stage } = event
  const byRoute = pathOfRoute(event)
  const prefix = byRoute ? before(segmentsOf(path), byRoute) : undefined
  const rest = (count: number) => `/${segmentsOf(path).slice(count).join('/')}`
  if (prefix !== undefined) return rest(prefix.length)
  return segmentsOf(path)[0] === stage && (isServed(rest(1)) || !isServed(path)) ? rest(1) : path
}
