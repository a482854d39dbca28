import type { ErrorCode } from '@freehold/table'
import type { JsonSchema } from '@freehold/table/publish'
import { problemType, statusOfError } from '../http/problem.ts'
import type { Route } from '../http/route.ts'
import type { AnswerHeader, Components, Example, Operation, RequestHeader, ToldAnswer } from './operation.ts'
import { problem, string } from './schemas.ts'

/** What the document needs to know of a route. */
export type DescribedRoute = Pick<Route, 'method' | 'path' | 'describe' | 'takesBody' | 'design'>

/** `*`, or a list of entity tags. */
const tags = '^(\\*|(W/)?"[!#-~]*"(\\s*,\\s*(W/)?"[!#-~]*")*)$'

const requestHeaders: Readonly<Record<RequestHeader, JsonSchema>> = {
  'If-Match': {
    ...{ name: 'If-Match', in: 'header', schema: { ...string, pattern: tags } },
    description: 'The ETags of which the item must have one, or `*` for any. Another one answers 412. Weak ones match none.',
  },
  'If-None-Match': {
    ...{ name: 'If-None-Match', in: 'header', schema: { ...string, pattern: tags } },
    description: 'The ETags that the caller has, or `*` for any. One of them answers 304.',
  },
  'Idempotency-Key': {
    ...{ name: 'Idempotency-Key', in: 'header', schema: { ...string, pattern: '^[!-~]{1,255}$' } },
    description: 'With it the same request may be sent again for a day, and has one effect.',
  },
  'X-Request-ID': {
    ...{ name: 'X-Request-ID', in: 'header', schema: { ...string, maxLength: 256 } },
    description: 'An identifier of the request, which the answer has, too.',
  },
}

const answerHeaders: Readonly<Record<AnswerHeader, JsonSchema>> = {
  ETag: {
    schema: { ...string, pattern: '^"[0-9A-Za-z_-]{1,40}"$' },
    description: 'The entity tag. That of an item is its version, in quotation marks.',
  },
  Location: { schema: { ...string, format: 'uri-reference' }, description: 'Where the item is, relative to the request.' },
  Link: { schema: string, description: 'The next page, with rel="next", relative to the request.' },
  'Idempotency-Replayed': { schema: { type: 'string', const: 'true' }, description: 'Present in the answer to a repeat.' },
}

const retryAfter: JsonSchema = { schema: { type: 'string', pattern: '^[0-9]+$' }, description: 'Seconds to wait, if the code is Busy.' }

type Refs = (name: string, make: () => JsonSchema) => JsonSchema

const challenge: JsonSchema = { required: true, schema: string, description: 'The way to say who asks: `Bearer`.' }

/** The headers of problems with this status. */
function headersOfProblems(status: number): JsonSchema {
  if (status === 401) return { headers: { 'WWW-Authenticate': challenge } }
  return status === 503 || status === 429 ? { headers: { 'Retry-After': retryAfter } } : {}
}

interface Section {
  readonly all: Map<string, JsonSchema>
  readonly named: Refs
}

/** A part of the document's `components`, whose members are told once and referred to. */
function section(kind: string): Section {
  const all = new Map<string, JsonSchema>()
  return {
    all,
    named: (name, make) => {
      if (!all.has(name)) {
        // Set before it is made, since a schema may refer to itself.
        all.set(name, {})
        all.set(name, make())
      }
      return { $ref: `#/components/${kind}/${name}` }
    },
  }
}

/** The codes of an operation's problems by status: its own, and those that its form makes possible. */
function codesByStatus({ errors, common: own, isOpen, body }: Operation): ReadonlyMap<number, readonly ErrorCode[]> {
  const ofMost: Operation['errors'] = [
    ['Denied', 401],
    'InvalidInput',
    'TooLarge',
    'Unavailable',
    ...(body === undefined ? [] : ([['InvalidInput', 415]] as const)),
  ]
  // A request to any path may come too slowly, or have headers that are too large.
  const ofAll: Operation['errors'] = [['InvalidInput', 408], ['TooLarge', 431], 'Busy']
  const common: Operation['errors'] = isOpen === true ? ofAll : [...ofAll, 'Denied', ...(own ?? ofMost)]
  const byStatus = new Map<number, Set<ErrorCode>>()
  for (const each of [...common, ...errors]) {
    const [code, status] = typeof each === 'string' ? [each, statusOfError(each)] : each
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [status, [...codes].sort()]))
}

const content = (schema: JsonSchema, examples?: JsonSchema, type = 'application/json') => ({
  [type]: { schema, ...(examples === undefined ? {} : { examples }) },
})

function headersOf(names: readonly AnswerHeader[] = []): JsonSchema {
  return names.length === 0 ? {} : { headers: Object.fromEntries(names.map((name) => [name, answerHeaders[name]])) }
}

function answerOf({ summary, schema, type, headers }: ToldAnswer): JsonSchema {
  return { description: summary, ...headersOf(headers), ...(schema === undefined ? {} : { content: content(schema, undefined, type) }) }
}

/** The answer for the problems of one status. Operations whose problems are alike share it. */
function problemsOf(status: number, codes: readonly ErrorCode[], components: Components, responses: Refs): JsonSchema {
  return responses(`${status}.${codes.join('.')}`, () => ({
    description: `A problem: ${codes.join(', ')}.`,
    ...headersOfProblems(status),
    content: {
      [problemType]: {
        schema: {
          allOf: [
            problem(components),
            { properties: { code: { type: 'string', enum: codes }, status: { type: 'integer', const: status } } },
          ],
        },
      },
    },
  }))
}

/** The examples of what is sent. */
function examplesOf(examples: readonly Example[]): JsonSchema | undefined {
  if (examples.length === 0) return undefined
  return Object.fromEntries(examples.map(({ summary, body }, index) => [`example${index + 1}`, { summary, value: body }]))
}

/** Whether the schema refuses an empty object, which an absent body counts as. */
function needsBody({ required, anyOf, $ref }: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>): boolean {
  if (typeof $ref === 'string') return needsBody(schemas.get($ref.slice($ref.lastIndexOf('/') + 1)) ?? {}, schemas)
  return Array.isArray(anyOf) ? anyOf.every((each) => needsBody(each, schemas)) : Array.isArray(required)
}

function operationOf(told: Operation, { all, ...components }: Section, responses: Refs, examples: readonly Example[]): JsonSchema {
  const { id, tag, summary, description, query = {}, headers = [], body, answers, isOpen, isHidden } = told
  const parameters = [
    ...Object.entries(query).map(([name, parameter]) => ({ name, in: 'query', ...parameter })),
    ...headers.map((name) => requestHeaders[name]),
  ]
  const problems = [...codesByStatus(told)].map(([status, codes]) => [status, problemsOf(status, codes, components, responses)])
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(isOpen === true ? { security: [] } : {}),
    ...(isHidden === true ? { 'x-internal': true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: needsBody(body, all), content: content(body, examplesOf(examples)) } }),
    responses: Object.fromEntries([...answers.map((answer) => [answer.status, answerOf(answer)]), ...problems]),
  }
}

const description = `Every route of this service, made from the declarations of its designs. Bodies are JSON in UTF-8.
Answers of a status from 400 on are problem details (RFC 9457), whose \`code\` is stable.`

/** What a document tells beside its routes. */
export interface ToldDocument {
  readonly version: string
  /** The address by which callers reach the service, if that is known. */
  readonly publicUrl: string | undefined
  /** Examples of bodies, by path. */
  readonly examples: ReadonlyMap<string, readonly Example[]>
}

/** The document of the API (OpenAPI 3.1), from what the routes tell of themselves. */
export function openApiDocument(routes: readonly DescribedRoute[], { version, publicUrl, examples }: ToldDocument): JsonSchema {
  const schemas = section('schemas')
  const responses = section('responses')
  const paths: Record<string, Record<string, JsonSchema>> = {}
  const tags = new Set<string>()
  for (const { method, path, describe } of routes) {
    const told = describe(schemas)
    tags.add(told.tag)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(told, schemas, responses.named, examples.get(path) ?? []) }
  }
  const groups = new Map<string, string[]>()
  for (const tag of tags) {
    const [group = tag] = tag.split(':')
    groups.set(group, [...(groups.get(group) ?? []), tag])
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Freehold', version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: publicUrl?.replace(/\/+$/, '') ?? '/', description: 'This service.' }],
    security: [{ key: [] }],
    tags: [...tags].map((name) => ({ name })),
    'x-tagGroups': [...groups].map(([name, of]) => ({ name, tags: of })),
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
      schemas: Object.fromEntries(schemas.all),
      responses: Object.fromEntries(responses.all),
    },
  }
}
