import { number, text } from '@freehold/table'
import type { InputOf } from './input/input-attributes.ts'

/** Input of flows that list. */
export const paging = { limit: number({ integer: true, min: 1, max: 1000 }).optional(), cursor: text().optional() }

/** The options of a consistent page that a flow reads. */
export const pageAsked = ({ limit, cursor }: InputOf<typeof paging>) => ({
  consistent: true,
  limit: limit ?? undefined,
  cursor: cursor ?? undefined,
})
