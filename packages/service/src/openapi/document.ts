import { commonErrors } from '@freehold/frame/flow'
import type { ErrorCode } from '@freehold/table'
import { type JsonSchema, nameWords } from '@freehold/table/publish'
import { problemType, statusOfError, titles } from '../http/problem.ts'
import type { Route } from '../http/route.ts'
import { componentsOf, type Schemas, type Section, section } from './components.ts'
import { answerHeaders, headersOfProblems, requestHeaders } from './headers.ts'
import { withInlined } from './inlined.ts'
import type { AnswerHeader, Example, Operation, ToldAnswer } from './operation.ts'
import { pascal } from './pascal.ts'
import { plainForm } from './plain-form.ts'
import { problem } from './schemas.ts'
import { shareObjects, shareQueries } from './shared-objects.ts'
import { shareProperties } from './shared-properties.ts'

/** What the document needs to know of a route. */
export type DescribedRoute = Pick<Route, 'method' | 'path' | 'describe' | 'takesBody' | 'design' | 'isTwin'>

/** Codes that any operation may answer with: they are told once. */
const common: ReadonlySet<ErrorCode> = new Set<ErrorCode>([...commonErrors, 'TooLarge', 'InvalidCursor'])

/** The codes of an operation's own problems, in words. Each with its status, where that is not the code's own. */
function problemWords({ errors }: Operation): string {
  const told = errors.map((each) => (typeof each === 'string' ? ([each, undefined] as const) : each))
  const words = told.flatMap(([code, status]) =>
    common.has(code) || (code === 'VersionConflict' && status === 412)
      ? []
      : [`\`${code}\`${status === undefined || status === statusOfError(code) ? '' : ` with ${status}`}`],
  )
  return words.length === 0 ? '' : ` Problems: ${[...new Set(words)].sort().join(', ')}.`
}

/** The codes of each status, where no operation gives them another one. */
function statusWords(): string {
  const byStatus = new Map<number, string[]>()
  for (const code of Object.keys(titles) as ErrorCode[]) {
    const status = statusOfError(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\``])
  }
  return [...byStatus]
    .sort(([one], [other]) => one - other)
    .map(([status, codes]) => `${status}: ${codes.join(', ')}.`)
    .join(' ')
}

const content = (schema: JsonSchema, examples?: JsonSchema, type = 'application/json') => ({
  [type]: { schema, ...(examples === undefined ? {} : { examples }) },
})

function headersOf(names: readonly AnswerHeader[] = [], headers: Section): JsonSchema {
  const told = names.map((name) => [name, headers.named(name.slice(name.indexOf('-') + 1), () => answerHeaders[name])])
  return names.length === 0 ? {} : { headers: Object.fromEntries(told) }
}

/** An answer. Operations that answer alike share it, by the name of its schema. */
function answerOf({ status, summary, schema, type, headers: named }: ToldAnswer, { responses, headers }: Sections): JsonSchema {
  const told = {
    description: summary,
    ...headersOf(named, headers),
    ...(schema === undefined ? {} : { content: content(plainForm(schema), undefined, type) }),
  }
  const name = typeof schema?.$ref === 'string' ? schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) : `Answer${status}`
  return responses.named(name, () => told, JSON.stringify(told))
}

/** The problems of all operations: of a request that is wrong, and any other. The description of an operation names its own codes. */
function problemsOf({ isOpen }: Operation, { schemas, responses }: Sections): JsonSchema {
  const told = (description: string) => ({
    description,
    headers: headersOfProblems,
    content: { [problemType]: { schema: problem(schemas) } },
  })
  const wrong = responses.named('Invalid', () => told('The request is wrong: `issues` names each value.'))
  const slow = responses.named('Slow', () => told('The request came too slowly: `InvalidInput`.'))
  const other = responses.named('Problem', () =>
    told(
      `Any other problem, by the status of its code. ${statusWords()} \`Denied\` has 401 if the key is missing or not valid; \`VersionConflict\` has 412 with \`If-Match\` and \`If-None-Match\`; \`InvalidInput\` has 408 for a request that \
came too slowly, and 415 for a body that is not JSON; \`TooLarge\` has 431 for headers; \`Unavailable\` has 500 \
after an unexpected failure.`,
    ),
  )
  return { ...(isOpen === true ? { 408: slow } : { 400: wrong }), default: other }
}

/** False for an example in a form that is taken and not told, such as the text of a permission. */
function fits({ body }: Example, schema: JsonSchema, { all }: Section): boolean {
  const told = typeof schema.$ref === 'string' ? (all.get(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)) ?? {}) : schema
  const properties: Readonly<Record<string, JsonSchema>> = Object(told.properties)
  return Object.entries(body).every(([name, value]) => {
    const { $ref, type } = properties[name] ?? {}
    const isObject =
      type === 'object' || (typeof $ref === 'string' && Array.isArray(all.get($ref.slice($ref.lastIndexOf('/') + 1))?.required))
    return !isObject || typeof value === 'object'
  })
}

/** The examples of what is sent. */
function examplesOf(given: readonly Example[], schema: JsonSchema, schemas: Section): JsonSchema | undefined {
  const examples = given.filter((each) => fits(each, schema, schemas))
  if (examples.length === 0) return undefined
  return Object.fromEntries(examples.map(({ summary, body }, index) => [`example${index + 1}`, { summary, value: body }]))
}

const schemaPath = '#/components/schemas/'

interface Sections {
  readonly schemas: Schemas
  readonly parameters: Section
  readonly responses: Section
  readonly headers: Section
}

/** Whether the schema refuses an empty object, which an absent body counts as. */
function needsBody({ required, anyOf, $ref }: JsonSchema, schemas: Section): boolean {
  if (typeof $ref === 'string') return needsBody(schemas.all.get($ref.slice($ref.lastIndexOf('/') + 1)) ?? {}, schemas)
  return Array.isArray(anyOf) ? anyOf.every((each) => needsBody(each, schemas)) : Array.isArray(required)
}

function parametersOf({ query = {}, headers = [] }: Operation, { parameters }: Sections): readonly JsonSchema[] {
  return [
    ...Object.entries(query).map(([name, { schema, description, ...more }]) => {
      const { description: own, ...plain } = plainForm(schema)
      const told = { name, in: 'query', ...more, schema: plain, description: description ?? own ?? nameWords(name) }
      return parameters.named(`${pascal(name)}Parameter`, () => told, JSON.stringify(told))
    }),
    ...headers.map((name) => parameters.named(name.replaceAll('-', ''), () => requestHeaders[name])),
  ]
}

function operationOf(told: Operation, id: string, sections: Sections, examples: readonly Example[]): JsonSchema {
  const { id: called, tag, summary, description, body, answers, isOpen, isHidden } = told
  const { schemas } = sections
  const parameters = parametersOf(told, sections)
  return {
    operationId: id,
    tags: [tag],
    // A title; the sentences are the description.
    summary: nameWords(called.slice(called.lastIndexOf('.') + 1)),
    description: `${description ?? summary}${problemWords(told)}`,
    ...(isOpen === true ? { security: [] } : {}),
    ...(isHidden === true ? { 'x-internal': true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: needsBody(body, schemas), content: content(plainForm(body), examplesOf(examples, body, schemas)) } }),
    responses: {
      ...Object.fromEntries(answers.map((answer) => [answer.status, answerOf(answer, sections)])),
      ...problemsOf(told, sections),
    },
  }
}

const description = `Every route of this service, made from the declarations of its designs. Bodies are JSON in UTF-8.
Answers of a status from 400 on are problem details (RFC 9457), whose \`code\` is stable.

Patterns tell what a caller may send. Texts are stored in Unicode's NFC, without white space around them; no text has 31 combining marks in a row.
Keys hold no U+10FFFF. A look-alike is a text with a character that nobody sees, or that NFKC changes. Numbers are zero, or have a magnitude from 1E-130 up to
9.99E+125; one that a double rounds is text. JSON objects nest at most 32 deep, and
name nothing \`__proto__\`. A time is in UTC, with milliseconds; other offsets are converted.`

/** What a document tells beside its routes. */
export interface ToldDocument {
  readonly version: string
  /** The address by which callers reach the service, if that is known. */
  readonly publicUrl: string | undefined
  /** Examples of bodies, by path. */
  readonly examples: ReadonlyMap<string, readonly Example[]>
  /** What the names of each design's schemas begin with. */
  readonly prefixes: readonly string[]
}

/** What the parts of a design are, by the last word of their tag. */
const tagWords: Readonly<Record<string, string>> = {
  questions: 'What a user may do, who may do something, where, and why.',
  entities: 'The items of each entity, one at a time.',
  patterns: 'The access patterns: the lists and look-ups of the design.',
  flows: 'What is done with the items as a whole, with permission and audit.',
  AuthZEN: 'The AuthZEN Authorization API 1.0.',
  service: 'What the service has beside its designs.',
}

function tagsOf(names: ReadonlySet<string>): JsonSchema {
  const groups = new Map<string, string[]>()
  for (const tag of names) {
    const [group = tag] = tag.split(':')
    groups.set(group, [...(groups.get(group) ?? []), tag])
  }
  return {
    tags: [...names].map((name) => ({ name, description: tagWords[name.split(': ').at(-1) ?? ''] ?? name })),
    'x-tagGroups': [...groups].map(([name, of]) => ({ name, tags: of })),
  }
}

/** The document of the API (OpenAPI 3.1), from what the routes tell of themselves. */
export function openApiDocument(routes: readonly DescribedRoute[], { version, publicUrl, examples, prefixes }: ToldDocument): JsonSchema {
  const sections: Sections = {
    ...{ schemas: componentsOf(), parameters: section('parameters') },
    ...{ responses: section('responses'), headers: section('headers') },
  }
  const paths: Record<string, Record<string, JsonSchema>> = {}
  const tags = new Set<string>()
  const ids = new Set<string>()
  const queries = new Set<string>()
  for (const { method, path, describe } of routes) {
    const told = describe(sections.schemas)
    // Two parts of a design may have one name, as a flow and a question do that a program has called alike.
    const id = ids.has(told.id) ? `${told.id}${ids.size}` : told.id
    ids.add(id)
    tags.add(told.tag)
    if (told.tag.endsWith(': patterns') && typeof told.body?.$ref === 'string') queries.add(told.body.$ref.slice(schemaPath.length))
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(told, id, sections, examples.get(path) ?? []) }
  }
  shareObjects(sections.schemas.all, sections.schemas.within, prefixes)
  const withQueries = shareQueries(sections.schemas.all, queries, prefixes)
  shareProperties(sections.schemas.all, prefixes)
  const told = (['responses', 'parameters'] as const).reduce<unknown>(
    (from, kind) => withInlined(from, kind, sections[kind].all),
    withQueries(paths),
  )
  const all = ({ all: of }: Section) => Object.fromEntries(of)
  return {
    openapi: '3.1.1',
    info: {
      ...{ title: 'Freehold', version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      contact: { name: 'Freehold' },
    },
    servers: [{ url: publicUrl?.replace(/\/+$/, '') ?? '/', description: 'This service.' }],
    security: [{ key: [] }],
    ...tagsOf(tags),
    paths: told,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
      schemas: all(sections.schemas),
      parameters: all(sections.parameters),
      responses: all(sections.responses),
      headers: all(sections.headers),
    },
  }
}
