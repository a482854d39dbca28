import type { Weigh, Weighed } from '../http/route.ts'

/** The items of a page that names no number. */
const pageUnlessGiven = 100

/** No route gives more items on a page. */
const pageMax = 1000

/** The number of items that was asked for, if it is one; the route refuses any other, but only after this. AuthZEN has it in `page`. */
function limitOf({ query, body }: Weighed): number {
  const given: unknown = body.limit ?? Object(body.page).limit ?? query.get('limit')
  // Number() throws for some objects that JSON can tell.
  const limit = typeof given === 'number' || typeof given === 'string' ? Number(given) : pageUnlessGiven
  return limit > 0 ? Math.min(limit, pageMax) : pageUnlessGiven
}

/** A request that is always as heavy. */
const fixed =
  (weight: number): Weigh =>
  () =>
    weight
/** A list: its beginning, and its items, of which so many take as long as a `can`. */
const page =
  (beginning: number, items: number): Weigh =>
  (asked) =>
    beginning + limitOf(asked) / items
/** Several questions in one request. */
const each =
  (name: string, per: number): Weigh =>
  ({ body }) => {
    const all = body[name]
    return Array.isArray(all) ? Math.max(1, all.length * per) : 1
  }

/** By what is asked for. Measured as CPU of the service beside that of a `can`: `npm --prefix bench run load -- weights`. */
export const weights = {
  can: each('questions', 0.5),
  why: fixed(2),
  what: page(2, 20),
  who: page(2, 10),
  where: page(2, 20),
  access: fixed(4),
  evaluations: each('evaluations', 0.5),
  search: page(2, 10),
  pattern: page(1, 50),
  flow: fixed(4),
} as const satisfies Readonly<Record<string, Weigh>>
