import { ulid } from '@freehold/table'

/** The id as the design writes it, or undefined if it is none. Space around it is not trimmed: the integration would see another text. */
export function idText(value: unknown): string | undefined {
  const read = typeof value === 'string' && value.trim() === value ? ulid().schema.safeParse(value) : undefined
  return read?.success === true ? read.data : undefined
}
