import { randomUUID } from 'node:crypto'
import { headersOfAll } from './handle.ts'
import type { Answer } from './route.ts'

/** A problem that was made before, but for the id of its request. */
export interface PreparedProblem {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  bodyOf(id: string): string
}

/** Makes a problem ready, so that many requests can be answered by it at little cost. */
export function preparedProblem({ status, body, headers }: Answer): PreparedProblem {
  const mark = 'the id'
  const [before = '', after = ''] = JSON.stringify({ ...Object(body), instance: `urn:uuid:${mark}` }).split(mark)
  const length = before.length + randomUUID().length + after.length
  return {
    status,
    headers: [...Object.entries({ ...headersOfAll, ...headers, 'Content-Length': length })].flat().map(String),
    bodyOf: (id) => before + id + after,
  }
}
