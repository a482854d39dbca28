import { AsyncLocalStorage } from 'node:async_hooks'

/** What a piece of work cost. Exact, where times are not. */
export interface Cost {
  /** Steps that wait for the one before; requests sent side by side count once. */
  readonly roundTrips: number
  readonly requests: number
  readonly readUnits: number
  readonly writeUnits: number
}

interface Tally {
  requests: number
  readUnits: number
  writeUnits: number
}

/** Where the work is: how many round trips lie behind it, and what everything together has cost. */
interface Scope {
  depth: number
  readonly tally: Tally
  readonly parent?: Scope | undefined
}

const scopes = new AsyncLocalStorage<Scope>()

/** Runs `work` and counts every request that it sends, also those of meters within. */
export async function meter<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly cost: Cost }> {
  const outer = scopes.getStore()
  const scope: Scope = { depth: 0, tally: { requests: 0, readUnits: 0, writeUnits: 0 }, parent: outer }
  const result = await scopes.run(scope, work)
  if (outer !== undefined) outer.depth += scope.depth
  return { result, cost: { roundTrips: scope.depth, ...scope.tally } }
}

/** One request: counts it, and the round trip that it is. `units` reads its request units off the answer. */
export async function metered<T>(isWrite: boolean, request: () => Promise<T>, units: (answer: T) => number): Promise<T> {
  const scope = scopes.getStore()
  if (scope === undefined) return request()
  const depth = scope.depth + 1
  for (let each: Scope | undefined = scope; each !== undefined; each = each.parent) each.tally.requests++
  try {
    const answer = await request()
    const count = units(answer)
    for (let each: Scope | undefined = scope; each !== undefined; each = each.parent) {
      if (isWrite) each.tally.writeUnits += count
      else each.tally.readUnits += count
    }
    return answer
  } finally {
    // Another request may have been sent from the same place meanwhile: side by side they are one step.
    scope.depth = Math.max(scope.depth, depth)
  }
}

const atOnceMax = 64

async function pooled<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>, results: R[]): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      // The index is below the length.
      results[index] = await work(items[index] as T, index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, worker))
}

/**
 * Does independent work side by side, at most 64 pieces at once, and gives the results in order. For the meter, each piece starts where
 * all start, so that together they take as many round trips as the longest.
 */
export async function sideBySide<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length)
  const scope = scopes.getStore()
  if (scope === undefined) {
    await pooled(items, work, results)
    return results
  }
  let deepest = scope.depth
  const start = scope.depth
  await pooled(
    items,
    async (item, index) => {
      const branch: Scope = { depth: start, tally: { requests: 0, readUnits: 0, writeUnits: 0 }, parent: scope }
      try {
        return await scopes.run(branch, () => work(item, index))
      } finally {
        deepest = Math.max(deepest, branch.depth)
      }
    },
    results,
  )
  scope.depth = Math.max(scope.depth, deepest)
  return results
}

/** Two or three pieces of work of different kinds side by side; `sideBySide` for lists. */
export async function together<const W extends readonly (() => Promise<unknown>)[]>(
  ...work: W
): Promise<{ -readonly [I in keyof W]: Awaited<ReturnType<W[I]>> }> {
  const results = await sideBySide(work, (each) => each())
  // One result for each piece of work, in order.
  return results as { -readonly [I in keyof W]: Awaited<ReturnType<W[I]>> }
}
