import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { validValue } from './valid-value.ts'

type Part = { readonly [keyword: string]: unknown }

interface Told extends Part {
  readonly description: string
  readonly parameters?: readonly Part[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Part } } }
}

interface Document extends Part {
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Told>>>>
}

export interface ValidRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** All that the document says in words of the operation, its parameters, and the value at this path of the body. */
  words(path: readonly unknown[]): string
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Requests that are valid by the schemas of a document, of each operation so many: always the same of the same document. */
export function validRequests(given: object, count: number): ValidRequest[] {
  // The test of the document holds it to OpenAPI.
  const document = given as Document
  const resolved = (part: unknown): Part => {
    if (!isPart(part)) return {}
    const { $ref, ...beside } = part
    if (typeof $ref !== 'string') return part
    const at: unknown = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((from, name) => Object(from)[name], document)
    return { ...resolved(at), ...beside }
  }
  const wordsAt = (schema: Part, path: readonly unknown[]): string => {
    const told = resolved(schema)
    // A refusal that names no value is about some of them.
    const all =
      path.length === 0
        ? Object.values(Object(told.properties))
            .filter(isPart)
            .map((each) => resolved(each).description)
        : []
    const parts = Array.isArray(told.anyOf) ? told.anyOf.map((each) => wordsAt(each, path)) : []
    const [name, ...others] = path
    const part = typeof name === 'number' ? told.items : Object(told.properties)[String(name)]
    return [told.description, ...all, ...parts, ...(isPart(part) ? [wordsAt(part, others)] : [])].join(' ')
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, told]): ValidRequest[] => {
      const parameters = (told.parameters ?? []).map(resolved)
      const valuesOf = (place: string) => {
        const all = parameters.filter((each) => each.in === place)
        const values = all.map(({ name, schema }) => [name, validValue(document, resolved(schema))])
        const required = all.filter((each) => each.required === true).map(({ name }) => String(name))
        return fc.record<Record<string, unknown>>(Object.fromEntries(values), { requiredKeys: required })
      }
      const schema = told.requestBody?.content['application/json'].schema
      const body = schema === undefined ? fc.constant(undefined) : validValue(document, schema)
      const words = (at: readonly unknown[]) =>
        [document.info.description, told.description, ...parameters.map(({ description }) => description), wordsAt(schema ?? {}, at)].join(
          ' ',
        )
      const drawn = fc.sample(fc.tuple(valuesOf('query'), valuesOf('header'), body), { numRuns: count, seed: 7 })
      return drawn.map(([query, headers, sent]) => ({ method, path, query, headers, body: sent, words }))
    }),
  )
}

const rows: readonly (readonly [refusal: string, words: string])[] = JSON.parse(
  readFileSync(new URL('told-in-words.json', import.meta.url), 'utf8'),
)

/** Refusals that no schema can tell, each with the words that tell them. `contract/` reads the same rows. */
export const told = rows.map(([refusal, words]) => [new RegExp(refusal), new RegExp(words)] as const)
