import { type CompiledPattern, FreeholdError } from '@freehold/table'
import { boundSchema, type JsonSchema, kindSchema, orNull } from '@freehold/table/publish'
import type { CallerViews } from '../http/caller-view.ts'
import { type Control, checkFields, controlsOfBody, controlsOfQuery, takeControls } from '../http/control.ts'
import { entityTag } from '../http/if-match.ts'
import type { Answer, Asked, Route } from '../http/route.ts'
import { type StoredAs, valueOfText } from '../http/text-value.ts'
import { type Components, type Operation, unchanged } from '../openapi/operation.ts'
import { anyOf, item, object, pageOf } from '../openapi/schemas.ts'
import type { Served } from '../served.ts'

/** How the controls of a pattern are written in a query string. */
const storedAs: Readonly<Partial<Record<Control, StoredAs>>> = { limit: 'number', consistent: 'boolean' }

/** The controls of a pattern. DynamoDB has no consistent reads of an index. */
function controlsOf({ operation, index }: CompiledPattern): readonly Control[] {
  if (operation === 'get') return ['consistent']
  return index === undefined ? ['limit', 'cursor', 'order', 'consistent'] : ['limit', 'cursor', 'order']
}

function parameterSchema({ sort }: CompiledPattern, { kind, isBound }: CompiledPattern['parameters'][number]): JsonSchema {
  if (!isBound) return kindSchema(kind, false)
  // The first letters of a name are no value of its kind.
  return sort?.operator === 'begins_with_part' ? { type: 'string' } : boundSchema(kind)
}

function describePattern(name: string, compiled: CompiledPattern, controls: readonly Control[]) {
  const { name: pattern, operation, parameters, entities } = compiled
  const schemas = parameters.map((each) => [each.name, parameterSchema(compiled, each)] as const)
  const required = parameters.filter(({ isRequired }) => isRequired).map((each) => each.name)
  const isGiven = (each: string) => required.includes(each)
  const names = entities.map((entity) => entity.name)
  const told = (components: Components, linked: boolean): Omit<Operation, 'id'> => {
    const items = entities.map((entity) => item(components, name, entity))
    const one = items.length === 1 && items[0] !== undefined ? items[0] : anyOf(...items)
    const isGet = operation === 'get'
    return {
      tag: `${name}: access patterns`,
      summary: `${pattern}: ${isGet ? 'one' : 'a page of'} ${names.join(', ')}.`,
      answers: [
        isGet
          ? { status: 200, summary: 'The item.', schema: one, headers: ['ETag'] }
          : { status: 200, summary: 'A page.', schema: pageOf(components, one), headers: linked ? ['Link'] : [] },
      ],
      errors: ['InvalidInput', 'InvalidKey', ...(isGet ? (['NotFound', 'MalformedItem'] as const) : (['InvalidCursor'] as const))],
    }
  }
  const query = Object.fromEntries([
    ...schemas.map(([each, schema]) => [each, { schema, required: isGiven(each) }]),
    ...Object.entries(controlsOfQuery(controls)).map(([each, schema]) => [each, { schema }]),
  ])
  const optional = schemas.filter(([each]) => !isGiven(each)).map(([each, schema]) => [each, orNull(schema)] as const)
  const body = object(Object.fromEntries(schemas.filter(([each]) => isGiven(each))), {
    ...Object.fromEntries(optional),
    ...controlsOfBody(controls),
  })
  return {
    get: (components: Components): Operation => {
      const { answers, errors, ...others } = told(components, true)
      const conditional = operation === 'get' ? ([[unchanged], [['VersionConflict', 412]]] as const) : ([[], []] as const)
      return {
        ...{ id: `${name}.patterns.${pattern}`, ...others, query },
        ...(operation === 'get' ? { headers: ['If-Match', 'If-None-Match'] } : {}),
        answers: [...answers, ...conditional[0]],
        errors: [...errors, ...conditional[1]],
      }
    },
    post: (components: Components): Operation => ({ id: `${name}.patterns.${pattern}.post`, ...told(components, false), body }),
  }
}

/** Adds the link of the next page (RFC 8288). It is relative: the path that a client asks may begin with a stage or a prefix, which the service does not know. */
function withNext(name: string, query: ReadonlyMap<string, string>, answer: Answer): Answer {
  const cursor = typeof answer.body === 'object' && answer.body !== null && 'cursor' in answer.body ? answer.body.cursor : undefined
  if (typeof cursor !== 'string') return answer
  const next = new URLSearchParams([...new Map(query).set('cursor', cursor)])
  return { ...answer, headers: { ...answer.headers, Link: `<${name}?${next}>; rel="next"` } }
}

function routesOfPattern(name: string, pattern: CompiledPattern, viewOf: CallerViews): Route[] {
  const path = `/v1/${name}/patterns/${pattern.name}`
  const names = pattern.parameters.map((parameter) => parameter.name)
  const controls = controlsOf(pattern)
  checkFields(`The access pattern ${pattern.name}`, names, controls)
  const describe = describePattern(name, pattern, controls)

  const answer = async ({ caller }: Asked, given: Readonly<Record<string, unknown>>): Promise<Answer> => {
    const { fields, how } = takeControls(given, controls)
    const { table } = await viewOf(caller)
    const found = await table.patternNamed(pattern.name)(fields, how)
    if (found === undefined) throw new FreeholdError('NotFound', `${pattern.name} finds no item.`, { pattern: pattern.name })
    return { status: 200, body: found, headers: pattern.operation === 'get' ? entityTag(found) : {} }
  }

  const fromQuery = ({ query }: Asked): Record<string, unknown> => {
    const stored = new Map<string, StoredAs>(pattern.parameters.map((parameter) => [parameter.name, parameter.kind.stored]))
    for (const control of controls) stored.set(control, storedAs[control] ?? 'string')
    return Object.fromEntries([...query].map(([each, text]) => [each, valueOfText(text, stored.get(each) ?? 'string')]))
  }

  return [
    {
      ...{ method: 'GET', path, kind: 'read', design: name, query: [...names, ...controls], takesBody: false, describe: describe.get },
      answer: async (asked) => withNext(pattern.name, asked.query, await answer(asked, fromQuery(asked))),
    },
    {
      ...{ method: 'POST', path, kind: 'read', design: name, query: [], takesBody: true, describe: describe.post },
      answer: (asked) => answer(asked, asked.body),
    },
  ]
}

/**
 * The routes of a design's access patterns. Parameters and controls are in the query string, or with POST in a JSON object, which keeps
 * personal data out of the logs of other systems.
 */
export function patternRoutes(name: string, { table }: Served, viewOf: CallerViews): Route[] {
  return [...table.design.form.patterns.values()].flatMap((pattern) => routesOfPattern(name, pattern, viewOf))
}
