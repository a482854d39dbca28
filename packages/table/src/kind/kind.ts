import { z } from 'zod'

/** What a kind's text looks like, for the proofs: can two templates make one key, can one lie in another's range? */
export interface Domain {
  /** Matches the whole of every value. */
  readonly pattern: RegExp
  /** Longest value in UTF-8 bytes, where the kind has one. */
  readonly bytesMax?: number
  /** All values, where they are few. */
  readonly values?: readonly string[]
}

/** What an attribute holds: how input becomes the stored value, and what a stored value looks like. Frozen, without I/O. */
export interface Kind<V = unknown> {
  readonly name: string
  readonly stored: 'string' | 'number' | 'boolean' | 'list' | 'map'
  /** Normalises, then validates. Messages are sentences about the value, without its name. */
  readonly schema: z.ZodType<V>
  /** A cheap check of a stored value, for reads of trusted items. */
  holds(value: unknown): boolean
  /** Present where the kind can stand in a key. */
  readonly domain?: Domain
  /** Normalises an end of a range, which may be less than a whole value: a day bounds instants. */
  bound?(value: unknown): string
}

/** The sentence that says why a value does not fit its kind. */
export class Mismatch extends Error {}

/** The sentence for a value that is not of its kind's type at all. */
export function notA(what: string): { error(issue: { readonly input?: unknown }): string } {
  return { error: ({ input }) => (input === undefined ? 'is missing' : `is not ${what}`) }
}

/** An object of these properties and no others; `part` is what the sentence calls one. */
export function strictShape<S extends z.ZodRawShape>(shape: S, part: string): z.ZodObject<S, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no ${part} ${issue.keys.map((name) => `'${name}'`).join(' and ')}`
        : notA(`an object of ${part}s`).error(issue),
  })
}

/** A Zod schema that runs `normalise` on text; what it throws as a `Mismatch` becomes the issue. */
export function textSchema(normalise: (value: string) => string): z.ZodType<string> {
  return z.string(notA('text')).transform((value, context) => {
    try {
      return normalise(value)
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error
      context.issues.push({ code: 'custom', message: error.message, input: value })
      return z.NEVER
    }
  })
}

/** A kind that is text and may stand in a key. */
export function textKind(
  name: string,
  normalise: (value: string) => string,
  domain: Domain,
  more: Pick<Kind<string>, 'bound'> = {},
): Kind<string> {
  const { pattern } = domain
  return Object.freeze({
    name,
    stored: 'string',
    schema: textSchema(normalise),
    holds: (value: unknown) => typeof value === 'string' && pattern.test(value),
    domain: Object.freeze(domain),
    ...more,
  })
}
