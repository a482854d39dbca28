import { number, text } from '@freehold/table'
import type { InputOf } from './input/input-attributes.ts'

/** Input of flows that list. */
export const paging = {
  limit: number({ integer: true, min: 1, max: 1000 }).optional().describe('Items on a page; 100 unless given.'),
  cursor: text().optional().describe('The cursor of the page before, as it was given: any other text is refused.'),
}

/** The options of a consistent page that a flow reads. */
export const pageAsked = ({ limit, cursor }: InputOf<typeof paging>) => ({
  consistent: true,
  limit: limit ?? undefined,
  cursor: cursor ?? undefined,
})
