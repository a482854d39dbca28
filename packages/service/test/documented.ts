import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** The part of an OpenAPI document that answers are held to. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ToldOperation>>>>
}

export interface ToldOperation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, object>> }>>
  readonly requestBody?: object
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

/**
 * Holds answers to a document.
 * @returns what is wrong with an answer, or undefined if it is as the document says
 */
export function documentedBy(document: ApiDocument): (answer: Answered) => string | undefined {
  // Formats are told for readers; patterns hold.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
  ajv.addSchema({ ...document, $id: 'https://freehold.example/openapi' })
  const compiled = new Map<string, ValidateFunction>()
  const validatorAt = (pointer: string) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `https://freehold.example/openapi#${pointer}` })
    compiled.set(pointer, known)
    return known
  }
  return ({ method, path, status, headers, body }) => {
    const of = `${method} ${path} ${status}`
    const verb = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase()
    const operation = document.paths[path]?.[verb]
    if (operation === undefined) return `${of}: there is no such operation`
    const response = operation.responses[String(status)]
    if (response === undefined) return `${of}: this status is not told. ${JSON.stringify(body)}`
    const at =
      response.$ref === undefined
        ? `/paths/${pointed(path)}/${verb}/responses/${status}`
        : response.$ref.slice(1).split('/').map(decodeURIComponent).map(pointed).join('/')
    const type = headers.get('content-type')
    if (body === undefined || method === 'HEAD') return undefined
    const told = response.$ref === undefined ? response.content : { 'application/problem+json': {} }
    if (type === null || told?.[type] === undefined) return `${of}: ${type} is not told`
    const validate = validatorAt(`${at}/content/${pointed(type)}/schema`)
    return validate(body) ? undefined : `${of}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 600)}`
  }
}
