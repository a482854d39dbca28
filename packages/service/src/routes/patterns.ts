import { type Attributes, type CompiledPattern, FreeholdError } from '@freehold/table'
import { attributeWords, boundSchema, type JsonSchema, keySchema, kindSchema, nameWords, orNull } from '@freehold/table/publish'
import type { CallerViews } from '../http/caller-view.ts'
import { type Control, checkFields, controlsOfBody, controlsOfQuery, takeControls } from '../http/control.ts'
import { entityTag } from '../http/if-match.ts'
import type { Answer, Asked, Route } from '../http/route.ts'
import { type StoredAs, valueOfText } from '../http/text-value.ts'
import { tellItem, tellPage } from '../http/told-item.ts'
import type { ApiNames } from '../openapi/api-names.ts'
import { type Components, type Operation, unchanged } from '../openapi/operation.ts'
import { anyOf, item, object, pageOf, pageOfItems } from '../openapi/schemas.ts'
import type { Served } from '../served.ts'

/** How the controls of a pattern are written in a query string. */
const storedAs: Readonly<Partial<Record<Control, StoredAs>>> = { limit: 'number', consistent: 'boolean' }

/** The controls of a pattern. DynamoDB has no consistent reads of an index. */
function controlsOf({ operation, index }: CompiledPattern): readonly Control[] {
  if (operation === 'get') return ['consistent']
  return index === undefined ? ['limit', 'cursor', 'order', 'consistent'] : ['limit', 'cursor', 'order']
}

/** The first letters of a name are no value of its kind, and nothing is trimmed off them. */
const firstLetters: JsonSchema = { type: 'string', pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$' }

function parameterSchema({ partition, sort }: CompiledPattern, { name, kind, isBound }: CompiledPattern['parameters'][number]): JsonSchema {
  if (isBound) return sort?.operator === 'begins_with_part' ? firstLetters : boundSchema(kind)
  const inSort = keySchema(kindSchema(kind, false), kind, name, sort?.templates ?? [], sort?.isWhole)
  return keySchema(inSort, kind, name, [partition])
}

/** The ends of a range, in words. */
function boundWords({ sort }: CompiledPattern, name: string): string | undefined {
  if (sort?.operator !== 'between') return undefined
  const [from, to] = sort.templates.map(({ placeholders }) => placeholders.at(-1))
  if (name === from) return 'Where the range begins, included.'
  return name === to ? `Where the range ends, included: not before \`${from}\`.` : undefined
}

const inList = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(words)

/** What a pattern gives, by what, and in which order if that is not the ascending one. */
function summaryOf({ operation, entities, parameters, descending, addition }: CompiledPattern): string {
  const names = parameters.map(({ name, isRequired }) => `\`${name}\`${isRequired ? '' : ' if given'}`)
  const by = names.length === 0 ? '' : ` by ${inList(names)}`
  const given = operation === 'get' ? 'One' : 'A page of'
  const order = descending ? ', in the descending order of the keys' : ''
  // The reason of an addition that a pattern only returns stands on the page of the design.
  const isOwn = addition !== undefined && entities.every(({ form }) => form.addition !== addition)
  const why = isOwn ? ` Why: ${addition}.` : ''
  return `${given} ${inList(entities.map(({ name }) => name))}${by}${order}.${why}`
}

function parametersOf(names: ApiNames, compiled: CompiledPattern) {
  const attributes: Attributes = Object.assign({}, ...compiled.entities.map((entity) => entity.attributes))
  return compiled.parameters.map((each) => {
    const attribute = attributes[each.name]
    const told = parameterSchema(compiled, each)
    const words =
      boundWords(compiled, each.name) ??
      // Of what a copy is says nothing to who asks by it.
      (attribute === undefined || attribute.presence === 'copied'
        ? nameWords(each.name)
        : attributeWords(each.name, attribute, compiled.entities[0]?.form.references))
    return {
      name: each.name,
      isRequired: each.isRequired,
      schema: { ...told, description: names.words(compiled.entities[0]?.name, each.name, words) },
    }
  })
}

/** The operations of a pattern: its parameters in the query string, or in a body. */
function describePattern(names: ApiNames, compiled: CompiledPattern, controls: readonly Control[]) {
  const { name: pattern, operation, entities } = compiled
  const parameters = parametersOf(names, compiled)
  const isGet = operation === 'get'
  const [only, ...others] = entities
  const told = (components: Components): Omit<Operation, 'id'> => {
    const union = () => anyOf(...entities.map((entity) => item(components, names, entity)))
    const listed = `${pattern}Listed`
    const schema =
      only !== undefined && others.length === 0
        ? isGet
          ? item(components, names, only)
          : pageOfItems(components, names, only)
        : isGet
          ? names.schema(components, 'listed by a pattern', listed, union)
          : pageOf(components, names, [`${pattern}Page`, listed], union)
    return {
      tag: names.tag('patterns'),
      summary: summaryOf(compiled),
      answers: [
        isGet
          ? { status: 200, summary: 'The item.', schema, headers: ['ETag', 'Idempotency-Replayed'] }
          : { status: 200, summary: 'A page.', schema, headers: ['Link'] },
      ],
      errors: ['InvalidInput', 'InvalidKey', ...(isGet ? (['NotFound', 'MalformedItem'] as const) : (['InvalidCursor'] as const))],
    }
  }
  const query = Object.fromEntries([
    ...parameters.map(({ name, schema, isRequired }) => [name, { schema, required: isRequired }]),
    ...Object.entries(controlsOfQuery(controls)).map(([each, schema]) => [each, { schema }]),
  ])
  const given = Object.fromEntries(parameters.filter(({ isRequired }) => isRequired).map(({ name, schema }) => [name, schema]))
  const optional = Object.fromEntries(parameters.filter(({ isRequired }) => !isRequired).map(({ name, schema }) => [name, orNull(schema)]))
  const body = (components: Components) => object(given, { ...optional, ...controlsOfBody(components, controls) })
  return {
    get: (components: Components): Operation => {
      const { answers, errors, ...more } = told(components)
      const conditional = isGet ? ([[unchanged], [['VersionConflict', 412]]] as const) : ([[], []] as const)
      return {
        ...{ id: names.operation(`queryByUrl.${pattern}`), ...more, query },
        ...(isGet ? { headers: ['If-None-Match'] } : {}),
        answers: [...answers, ...conditional[0]],
        errors: [...errors, ...conditional[1]],
      }
    },
    post:
      (verb: string) =>
      (components: Components): Operation => ({
        ...{ id: names.operation(`${verb}.${pattern}`), ...told(components) },
        body: names.schema(components, 'query', `${pattern}Query`, () => body(components)),
      }),
  }
}

/** Adds the link of the next page (RFC 8288). It is relative: the path that a client asks may begin with a stage or a prefix, which the service does not know. */
function withNext(name: string, query: ReadonlyMap<string, string>, answer: Answer): Answer {
  const cursor = typeof answer.body === 'object' && answer.body !== null && 'cursor' in answer.body ? answer.body.cursor : undefined
  if (typeof cursor !== 'string') return answer
  const next = new URLSearchParams([...new Map(query).set('cursor', cursor)])
  return { ...answer, headers: { ...answer.headers, Link: `<${name}?${next}>; rel="next"` } }
}

function routesOfPattern(names: ApiNames, pattern: CompiledPattern, viewOf: CallerViews): Route[] {
  const { design: name } = names
  const path = `/v1/${name}/patterns/${pattern.name}`
  const parameters = pattern.parameters.map((parameter) => parameter.name)
  const controls = controlsOf(pattern)
  checkFields(`The access pattern ${pattern.name}`, parameters, controls)
  const describe = describePattern(names, pattern, controls)
  const tell = tellItem(pattern.entities)

  const answer = async ({ caller }: Asked, given: Readonly<Record<string, unknown>>): Promise<Answer> => {
    const { fields, how } = takeControls(given, controls)
    const { table } = await viewOf(caller)
    const found = await table.patternNamed(pattern.name)(fields, how)
    if (found === undefined) throw new FreeholdError('NotFound', `${pattern.name} finds no item.`, { pattern: pattern.name })
    const body = pattern.operation === 'get' ? (tell?.(found) ?? found) : tellPage(tell, found)
    return { status: 200, body, headers: pattern.operation === 'get' ? entityTag(found) : {} }
  }

  const fromQuery = ({ query }: Asked): Record<string, unknown> => {
    const stored = new Map<string, StoredAs>(pattern.parameters.map((parameter) => [parameter.name, parameter.kind.stored]))
    for (const control of controls) stored.set(control, storedAs[control] ?? 'string')
    return Object.fromEntries([...query].map(([each, text]) => [each, valueOfText(text, stored.get(each) ?? 'string')]))
  }

  const common = { kind: 'read', design: name } as const
  const byBody = { ...common, method: 'POST', query: [], takesBody: true, answer: (asked: Asked) => answer(asked, asked.body) } as const
  return [
    { ...byBody, path: `/v1/${name}/query/${pattern.name}`, describe: describe.post('query') },
    {
      ...{ ...common, method: 'GET', path, query: [...parameters, ...controls], takesBody: false, isTwin: true, describe: describe.get },
      answer: async (asked) => withNext(pattern.name, asked.query, await answer(asked, fromQuery(asked))),
    },
    { ...byBody, path, isTwin: true, describe: describe.post('queryByBody') },
  ]
}

/**
 * The routes of a design's access patterns. Parameters and controls are in the query string, or with POST in a JSON object, which keeps
 * personal data out of the logs of other systems. The document of a design tells a pattern once, so that way has a path of its own.
 */
export function patternRoutes(names: ApiNames, { table }: Served, viewOf: CallerViews): Route[] {
  return [...table.design.form.patterns.values()].flatMap((pattern) => routesOfPattern(names, pattern, viewOf))
}
