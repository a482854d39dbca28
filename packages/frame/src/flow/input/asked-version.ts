import { count } from '@freehold/table'

/** The version that a caller has seen, in the input of a flow that changes one item. */
export const askedVersion = count().optional().describe('The version that the item must have. It is not given beside `If-Match`.')
