import type { Asked, Part } from './asked.ts'

/** A rule that DynamoDB at AWS refuses a request by, whatever the table holds. */
export interface Rule {
  readonly says: string
  /** Where AWS writes it: a page of the API reference by its name, or of the Developer Guide by its title. */
  readonly source: string
  /** What breaks it in this request, in words. */
  broken(asked: Asked): string | undefined
}

export function first<T>(all: Iterable<T>, problemOf: (each: T) => string | undefined): string | undefined {
  for (const each of all) {
    const problem = problemOf(each)
    if (problem !== undefined) return problem
  }
  return undefined
}

export const ofEachPart =
  (problemOf: (part: Part) => string | undefined): Rule['broken'] =>
  ({ parts }) =>
    first(parts, problemOf)
