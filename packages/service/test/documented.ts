import { commonErrors } from '@freehold/frame/flow'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** The part of an OpenAPI document that answers are held to. */
export interface ApiDocument {
  readonly components: {
    readonly responses: Readonly<Record<string, ToldResponse>>
    readonly headers: Readonly<Record<string, ToldHeader>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, ToldOperation>>>>
}

interface ToldHeader {
  readonly schema?: object
  readonly $ref?: string
}

interface ToldResponse {
  readonly description: string
  readonly content?: Readonly<Record<string, object>>
  readonly headers?: Readonly<Record<string, ToldHeader>>
}

export interface ToldOperation {
  readonly operationId: string
  readonly description: string
  readonly responses: Readonly<Record<string, ToldResponse & { readonly $ref?: string }>>
  readonly requestBody?: { readonly required: boolean; readonly content: object }
  readonly 'x-internal'?: true
}

export interface Answered {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Headers
  /** Undefined for an empty body. */
  readonly body: unknown
}

/** A part of a JSON pointer (RFC 6901). */
const pointed = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Headers that mean something to a client of the API: an answer has none of them that is not told. */
const ofApi = ['ETag', 'Location', 'Link', 'Idempotency-Replayed', 'Retry-After', 'WWW-Authenticate', 'Allow'] as const

/** What is wrong with the headers of an answer, beside those that the document tells for its status. */
function wrongHeader({ status, headers, body }: Answered, told: ToldResponse['headers'] = {}, isValid: Holds): string | undefined {
  const { code, version, openapi }: { readonly code?: unknown; readonly version?: unknown; readonly openapi?: unknown } = Object(body)
  const wanted: Readonly<Record<string, boolean>> = {
    Location: told.Location !== undefined,
    ETag: told.ETag !== undefined && (typeof version === 'number' || typeof openapi === 'string'),
    'Retry-After': code === 'Busy',
    'WWW-Authenticate': status === 401,
  }
  for (const name of ofApi) {
    const value = headers.get(name)
    if (value === null && wanted[name] === true) return `${name} is missing`
    if (value !== null && told[name] === undefined) return `${name} is not told`
    if (value !== null && !isValid(name, value)) return `${name} is ${value}`
  }
  const isDocument = typeof openapi === 'string'
  if (headers.has('ETag') && headers.get('ETag') !== `"${version}"` && !isDocument) return 'ETag is not the version'
  if (headers.get('X-Request-Id') === null) return 'X-Request-Id is missing'
  // Metadata alone may be kept by a cache, pages, and the document if that is asked for again each time.
  return body === undefined || /no-store|public|private, no-cache/.test(headers.get('Cache-Control') ?? '')
    ? undefined
    : 'a cache may keep it'
}

type Holds = (header: string, value: string) => boolean

const documentId = 'https://freehold.example/openapi'

/** Compiles schemas of a document by their JSON pointers. */
function validatorsOf(document: ApiDocument): (pointer: string) => ValidateFunction {
  // A format stands for the pattern of the stored form. Other formats are told for readers.
  const formats: Readonly<Record<string, RegExp | true>> = {
    uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    'date-time': /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$/,
    date: /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
    ...{ int64: true, int32: true, uri: true, 'uri-reference': true, 'idn-email': true },
  }
  const ajv = new Ajv2020({ strict: false, formats: { ...formats }, allErrors: false })
  ajv.addSchema({ ...document, $id: documentId })
  const compiled = new Map<string, ValidateFunction>()
  return (pointer) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `${documentId}#${pointer}` })
    compiled.set(pointer, known)
    return known
  }
}

/**
 * Holds bodies of requests to a document.
 * @returns whether the operation tells that it takes such a body; undefined for none
 */
export function takenBy(document: ApiDocument): (method: string, path: string, body: unknown) => boolean {
  const validatorAt = validatorsOf(document)
  return (method, path, body) => {
    const { requestBody } = document.paths[path]?.[method] ?? {}
    if (requestBody === undefined || body === undefined) return requestBody?.required !== true
    return validatorAt(`/paths/${pointed(path)}/${method}/requestBody/content/${pointed('application/json')}/schema`)(body)
  }
}

/** Whether the operation, or what is told of all, names the code of a problem with its status. */
function isInWords(status: number, code: string, { description }: ToldOperation, { components }: ApiDocument): boolean {
  const all = components.responses.Problem?.description ?? ''
  // Codes of all operations stand beside their status, and others where they are said to have one.
  const byStatus = new RegExp(`(?:^| )${status}: [^.]*\`${code}\``)
  const other = new RegExp(`\`${code}\`[^;.]*\\b${status}\\b`)
  const isOfAll = ofAll.has(code) && byStatus.test(all)
  const isOwn = description.includes(`\`${code}\``) && (byStatus.test(all) || other.test(description))
  return isOfAll || isOwn || other.test(all)
}

/** The codes that any operation may have, whose statuses are told once. */
const ofAll: ReadonlySet<string> = new Set([...commonErrors, 'TooLarge', 'InvalidCursor'])

/**
 * Holds answers to a document.
 * @returns what is wrong with an answer, or undefined if it is as the document says
 */
export function documentedBy(document: ApiDocument): (answer: Answered) => string | undefined {
  const validatorAt = validatorsOf(document)
  return (answer) => {
    const { method, path, status, headers, body } = answer
    const of = `${method} ${path} ${status}`
    const verb = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase()
    const operation = document.paths[path]?.[verb]
    if (operation === undefined) return `${of}: there is no such operation`
    // Problems that any operation may have are told once, with their statuses in words.
    const response = operation.responses[String(status)] ?? operation.responses.default
    const { $ref = '' } = response ?? {}
    const shared = document.components.responses[$ref.slice($ref.lastIndexOf('/') + 1)]
    const told = $ref === '' ? response : shared
    if (told === undefined) return `${of}: this status is not told. ${JSON.stringify(body)}`
    const { code }: { readonly code?: unknown } = Object(body)
    if (status >= 400 && !isInWords(status, String(code), operation, document)) return `${of}: ${code} is not told. ${JSON.stringify(body)}`
    if (status < 400 && operation.responses[String(status)] === undefined) return `${of}: this status is not told.`
    const at =
      $ref === ''
        ? `/paths/${pointed(path)}/${verb}/responses/${status}`
        : $ref.slice(1).split('/').map(decodeURIComponent).map(pointed).join('/')
    const wrong = wrongHeader(answer, told.headers, (name, value) => {
      const header = told.headers?.[name]?.$ref
      const schema = header === undefined ? `${at}/headers/${pointed(name)}` : header.slice(1)
      return validatorAt(`${schema}/schema`)(value) === true
    })
    if (wrong !== undefined) return `${of}: ${wrong}`
    const type = headers.get('content-type')
    if (body === undefined || method === 'HEAD') return undefined
    if (type === null || told.content?.[type] === undefined) return `${of}: ${type} is not told`
    const validate = validatorAt(`${at}/content/${pointed(type)}/schema`)
    return validate(body) ? undefined : `${of}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(body).slice(0, 600)}`
  }
}
