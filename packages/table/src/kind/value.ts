import { z } from 'zod'
import type { Kind } from './kind.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

const isPlainObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

export function enumKind<const V extends string>(values: readonly V[]): Kind<V> {
  const known: ReadonlySet<unknown> = new Set(values)
  return Object.freeze({
    name: 'enum',
    stored: 'string',
    schema: z.enum(values, { error: `is not one of ${values.join(', ')}` }),
    holds: (value: unknown) => known.has(value),
    domain: { pattern: new RegExp(`^(?:${values.map((value) => value.replace(/\W/g, '\\$&')).join('|')})$`), values },
  })
}

export const flagKind: Kind<boolean> = Object.freeze({
  name: 'flag',
  stored: 'boolean',
  schema: z.boolean(),
  holds: (value: unknown) => typeof value === 'boolean',
})

export interface NumberOptions {
  readonly min?: number
  readonly max?: number
  readonly integer?: boolean
}

export function numberKind({ min, max, integer }: NumberOptions): Kind<number> {
  let schema = integer === true ? z.int() : z.number()
  if (min !== undefined) schema = schema.min(min)
  if (max !== undefined) schema = schema.max(max)
  return Object.freeze({ name: 'number', stored: 'number', schema, holds: (value: unknown) => typeof value === 'number' })
}

/** A list of one kind. Stored values are only checked to be a list: its members were validated when they were written. */
export function listKind<V>(of: z.ZodType<V>): Kind<V[]> {
  return Object.freeze({ name: 'list', stored: 'list', schema: z.array(of), holds: Array.isArray })
}

/** Any JSON object. */
export const mapKind: Kind<Readonly<Record<string, Json>>> = Object.freeze({
  name: 'map',
  stored: 'map',
  schema: z.record(z.string(), z.json()),
  holds: isPlainObject,
})

/** An object of named parts; unknown names are refused. */
export function recordKind<S extends Readonly<Record<string, z.ZodType>>>(
  shape: S,
): Kind<z.infer<z.ZodObject<{ -readonly [N in keyof S]: S[N] }>>> {
  return Object.freeze({ name: 'map', stored: 'map', schema: z.strictObject(shape), holds: isPlainObject })
}
