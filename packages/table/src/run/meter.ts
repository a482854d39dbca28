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
  const start = outer?.depth ?? 0
  const scope: Scope = { depth: 0, tally: { requests: 0, readUnits: 0, writeUnits: 0 }, parent: outer }
  try {
    const result = await scopes.run(scope, work)
    return { result, cost: { roundTrips: scope.depth, ...scope.tally } }
  } finally {
    // Another meter may have run side by side with this one.
    if (outer !== undefined) outer.depth = Math.max(outer.depth, start + scope.depth)
  }
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

/** Nothing new is begun after a failure, and nothing is under way any more when it is thrown. */
async function pooled<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      try {
        // The index is below the length.
        await work(items[index] as T, index)
      } catch (error) {
        next = items.length
        throw error
      }
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(atOnceMax, items.length) }, worker))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/**
 * Does independent work side by side, at most 64 pieces at once, and gives the results in order. For the meter, each piece starts where
 * all start, so that together they take as many round trips as the longest: that 64 are sent at once is a matter of connections, not of what
 * waits for what. A piece that fails fails them all.
 */
export async function sideBySide<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length)
  const scope = scopes.getStore()
  const start = scope?.depth ?? 0
  let deepest = start
  try {
    await pooled(items, async (item, index) => {
      const branch: Scope = { depth: start, tally: { requests: 0, readUnits: 0, writeUnits: 0 }, parent: scope }
      try {
        results[index] = scope === undefined ? await work(item, index) : await scopes.run(branch, () => work(item, index))
      } finally {
        deepest = Math.max(deepest, branch.depth)
      }
    })
    return results
  } finally {
    if (scope !== undefined) scope.depth = Math.max(scope.depth, deepest)
  }
}

/** Two or three pieces of work of different kinds side by side; `sideBySide` for lists. */
export async function together<const W extends readonly (() => Promise<unknown>)[]>(
  ...work: W
): Promise<{ -readonly [I in keyof W]: Awaited<ReturnType<W[I]>> }> {
  const results = await sideBySide(work, (each) => each())
  // One result for each piece of work, in order.
  return results as { -readonly [I in keyof W]: Awaited<ReturnType<W[I]>> }
}
