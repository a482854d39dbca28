import type { Attributes, Entity, New } from '@freehold/table'
import { readAttributes } from '../read-attributes.ts'

/** What a flow takes: as the attributes of a new item are given. Null for an optional one says that it shall go. */
export type InputOf<I> = New<Entity<string, I>>

/** The input of a flow, normalised. Throws `InvalidInput` naming every attribute that is missing, unknown or does not fit. */
export function readInput<I extends Attributes>(flow: string, attributes: I, input: unknown): InputOf<I> {
  const foreign = (names: string) => `is not an input of ${flow}, which has ${names || 'none'}`
  // Each attribute of I is read by its own schema.
  return readAttributes(attributes, input, { name: flow, details: { flow }, called: 'input', foreign, takesNull: true }) as InputOf<I>
}
