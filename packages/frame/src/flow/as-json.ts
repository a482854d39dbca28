import type { Json } from '@freehold/table'

/** A value as JSON keeps it: without attributes that are undefined. Undefined is null. */
export function asJson(value: object): { readonly [name: string]: Json }
export function asJson(value: unknown): Json
export function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null))
}
