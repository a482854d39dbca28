import type { Done, Outcome, Values } from './face.ts'

/** The result of a flow; of a list, the items of this page and of those after it. */
export async function allPages(first: Outcome, next: (cursor: unknown) => Promise<Outcome>): Promise<Done> {
  const items: Values[] = []
  for (let outcome = first; ; outcome = await next(outcome.item?.cursor)) {
    const page = outcome.item?.items
    if (!Array.isArray(page)) return outcome
    items.push(...page)
    if (outcome.item?.cursor === undefined) return { items }
  }
}
