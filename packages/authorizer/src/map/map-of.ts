import type { Issue, Json } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { AuthorizerMap, Field, Mapped, Route, TemplateValue, TenantSources } from './authorizer-map.ts'
import { missingIdentity } from './identity-sources.ts'
import { issuersOf } from './issuers-of.ts'
import { type MapForm, mapForm } from './map-form.ts'
import { moreSpecific, readPathTemplate, type Segment } from './path-template.ts'
import { readTextTemplate, type TextTemplate, variablesOf } from './text-template.ts'

export const invalidMap = (issues: readonly Issue[]) => invalidInput('The map of the authorizer', issues)

/** Collects what is wrong, so that a person sees all of it at once. */
class Reading {
  readonly issues: Issue[] = []

  add(path: Issue['path'], message: string): void {
    this.issues.push({ path, message })
  }

  template(path: Issue['path'], text: string): TextTemplate {
    const read = readTextTemplate(text)
    if (!('problem' in read)) return read
    this.add(path, read.problem)
    return { parts: [text] }
  }

  value(path: Issue['path'], value: Json): TemplateValue {
    if (typeof value === 'string') return this.template(path, value)
    if (value === null) {
      this.add(path, 'is null, which Cedar has not')
      return false
    }
    if (typeof value !== 'object') return value
    if (isList(value)) return value.map((each, index) => this.value([...path, index], each))
    return { object: this.values(path, value) }
  }

  values(path: Issue['path'], values: Readonly<Record<string, Json>>): ReadonlyMap<string, TemplateValue> {
    return new Map(Object.entries(values).map(([name, value]) => [name, this.value([...path, name], value)]))
  }
}

// The type of Array.isArray alone does not tell a readonly array from a record.
const isList = (value: Exclude<Json, string | number | boolean | null>): value is readonly Json[] => Array.isArray(value)

const templatesIn = (value: TemplateValue): readonly TextTemplate[] => {
  if (typeof value !== 'object') return []
  if ('parts' in value) return [value]
  return 'object' in value ? [...value.object.values()].flatMap(templatesIn) : value.flatMap(templatesIn)
}

/** All templates of a mapping. */
export const templatesOf = ({ resource, context }: Mapped): readonly TextTemplate[] => [
  resource.id,
  ...[...resource.attributes.values(), ...context.values()].flatMap(templatesIn),
]

/** What is asked of the policies. Every variable of the path must be one of the path, so that a slip is seen at the start. */
function mappedOf(reading: Reading, path: Issue['path'], form: MapForm['routes'][number], segments?: readonly Segment[]): Mapped {
  const { action, resource, context } = form
  const mapped: Mapped = {
    action,
    resource: {
      type: resource.type,
      id: reading.template([...path, 'resource', 'id'], resource.id),
      attributes: reading.values([...path, 'resource', 'attributes'], resource.attributes),
    },
    context: reading.values([...path, 'context'], context),
  }
  if (Object.hasOwn(context, 'tenant')) reading.add([...path, 'context', 'tenant'], 'is added by freehold')
  const names = new Set(segments?.flatMap((segment) => ('variable' in segment ? [segment.variable] : [])))
  for (const { from, name } of templatesOf(mapped).flatMap(variablesOf))
    if (from === 'asked' && segments !== undefined && !names.has(name)) reading.add(path, `has {${name}}, which its path has not`)
  return mapped
}

/** `{tenant}` and `{user}` always mean what was decided and verified, so that a path cannot give them another meaning. */
function checkNames(reading: Reading, path: Issue['path'], segments: readonly Segment[], { path: source }: TenantSources): void {
  for (const segment of segments)
    if ('variable' in segment && (segment.variable === 'user' || (segment.variable === 'tenant' && source !== 'tenant')))
      reading.add(path, `has {${segment.variable}} in its path, which means the ${segment.variable} of the request: name it otherwise`)
}

function routeOf(reading: Reading, index: number, form: MapForm['routes'][number] & { route: string }, tenant: TenantSources): Route {
  const path = ['routes', index]
  const [method = '', template = ''] = form.route.split(' ')
  const read = readPathTemplate(template)
  const segments = 'problem' in read ? [] : read
  if ('problem' in read) reading.add(path, read.problem)
  checkNames(reading, path, segments, tenant)
  return { method, path: segments, name: form.route, ...mappedOf(reading, path, form, segments) }
}

/** Two routes that one path matches, of which neither is the more specific, are refused: a gateway might choose the other one. */
function checkApart(reading: Reading, routes: readonly Route[]): void {
  for (const [index, one] of routes.entries())
    for (const other of routes.slice(index + 1))
      if (one.method === other.method && moreSpecific(one.path, other.path) === 'unclear')
        reading.add(['routes'], `has ${one.name} and ${other.name}, which one path matches`)
}

function hostOf(reading: Reading, host: string | undefined): Pick<TenantSources, 'host'> {
  if (host === undefined) return {}
  const [before, after, more] = host.toLowerCase().split('{tenant}')
  if (before !== undefined && after !== undefined && more === undefined && !/[{}/:]/.test(before + after)) return { host: [before, after] }
  reading.add(['tenant', 'host'], 'does not have {tenant} once')
  return {}
}

/**
 * Checks all of the map of an authorizer, as YAML or JSON has it.
 * @throws InvalidInput if a part of it is missing, malformed, or would let an answer outlive its question
 */
export function authorizerMapOf(given: unknown): AuthorizerMap {
  const form = mapForm.safeParse(given)
  if (!form.success)
    throw invalidMap(
      form.error.issues.map(({ path, message }) => ({ path: path.map((part) => (typeof part === 'symbol' ? '' : part)), message })),
    )
  const { token, tenant: sources, base_path = '', cache = { ttl_s: 0, identity: [] }, routes: forms } = form.data
  const reading = new Reading()
  const { path, header, claim, host } = sources
  const tenant: TenantSources = {
    ...(path === undefined ? {} : { path }),
    ...(header === undefined ? {} : { header: header.toLowerCase() }),
    ...(claim === undefined ? {} : { claim }),
    ...hostOf(reading, host),
  }
  const routes: Route[] = []
  const fields = new Map<string, Field>()
  for (const [index, each] of forms.entries()) {
    if ('route' in each) routes.push(routeOf(reading, index, each, tenant))
    else if (fields.has(each.field)) reading.add(['routes', index], `has ${each.field}, which another one has, too`)
    else fields.set(each.field, { name: each.field, ...mappedOf(reading, ['routes', index], each) })
  }
  checkApart(reading, routes)
  const read = issuersOf(token)
  const map: AuthorizerMap = {
    issuers: 'issuers' in read ? read.issuers : [],
    tenant,
    basePath: base_path,
    cache,
    routes,
    fields,
  }
  if ('issues' in read) reading.issues.push(...read.issues)
  for (const message of missingIdentity(map, templatesOf)) reading.add(['cache', 'identity'], message)
  if (reading.issues.length > 0) throw invalidMap(reading.issues)
  return map
}
