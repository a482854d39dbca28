import { AsyncLocalStorage } from 'node:async_hooks'
import type { Awaitable } from '../awaitable.ts'

/** The exact cost of some work, in counts rather than times. */
export interface Cost {
  /** Sequential steps. Parallel requests count once. */
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

/** The state of a meter: the round trips so far, and the total cost. */
interface Scope {
  depth: number
  readonly tally: Tally
  readonly parent?: Scope | undefined
  /** The meter by which the depth counts. */
  readonly root: object
  readonly onWritten?: OnWritten | undefined
}

/** Called with the write units of each answer. */
export type OnWritten = (units: number) => void

const scopes = new AsyncLocalStorage<Scope>()
/** The number of meters at work. */
let atWork = 0

/** Runs `work` and counts every request that it sends, including those of inner meters. */
export async function meter<T>(work: () => Promise<T>, onWritten?: OnWritten): Promise<{ readonly result: T; readonly cost: Cost }> {
  const outer = scopes.getStore()
  const start = outer?.depth ?? 0
  const scope: Scope = { depth: 0, tally: { requests: 0, readUnits: 0, writeUnits: 0 }, parent: outer, root: {}, onWritten }
  atWork++
  try {
    const result = await scopes.run(scope, work)
    return { result, cost: { roundTrips: scope.depth, ...scope.tally } }
  } finally {
    atWork--
    // On Node 20 an enabled storage makes every promise of the process slower.
    if (atWork === 0) scopes.disable()
    // Another meter may have run in parallel with this one.
    if (outer !== undefined) outer.depth = Math.max(outer.depth, start + scope.depth)
  }
}

function isTold(scope: Scope | undefined, onWritten: OnWritten): boolean {
  return scope !== undefined && (scope.onWritten === onWritten || isTold(scope.parent, onWritten))
}

/** Reports the write units of `work` to `onWritten`. Work within such work is reported only once. */
export async function telling<T>(onWritten: OnWritten | undefined, work: () => Promise<T>): Promise<T> {
  if (onWritten === undefined || isTold(scopes.getStore(), onWritten)) return work()
  return (await meter(work, onWritten)).result
}

/** Counts one request and its round trip. `units` reads the request units from the answer. */
export function metered<T>(isWrite: boolean, request: () => Promise<T>, units: (answer: T) => number): Promise<T> {
  const scope = scopes.getStore()
  return scope === undefined ? request() : counted(scope, isWrite, request, units)
}

async function counted<T>(scope: Scope, isWrite: boolean, request: () => Promise<T>, units: (answer: T) => number): Promise<T> {
  const depth = scope.depth + 1
  for (let each: Scope | undefined = scope; each !== undefined; each = each.parent) each.tally.requests++
  try {
    const answer = await request()
    const count = units(answer)
    for (let each: Scope | undefined = scope; each !== undefined; each = each.parent) {
      if (isWrite) {
        each.tally.writeUnits += count
        each.onWritten?.(count)
      } else each.tally.readUnits += count
    }
    return answer
  } finally {
    // Another request may have been sent in parallel. Together they are one step.
    scope.depth = Math.max(scope.depth, depth)
  }
}

/** Free places for parallel work, in addition to the caller's own. Nested work shares them, so that the total is bounded. */
export interface Places {
  free: number
}

export function placesFor(atOnce_max: number): Places {
  return { free: atOnce_max - 1 }
}

const atOnceMax = 64

/**
 * Runs `count` pieces, as many in parallel as there are places. After a failure no new piece begins. The failure is thrown after all
 * running pieces have ended; of several failures, the first in the list.
 */
async function pooled(count: number, work: (index: number) => Promise<void>, places: Places): Promise<void> {
  let next = 0
  let failed: { readonly index: number; readonly error: unknown } | undefined
  const begun: Promise<void>[] = []
  const begin = () => {
    while (next < count && places.free > 0) {
      places.free--
      begun.push(
        worker().finally(() => {
          places.free++
        }),
      )
    }
  }
  const worker = async () => {
    while (next < count) {
      const index = next++
      const piece = work(index).catch((error: unknown) => {
        if (failed === undefined || index < failed.index) failed = { index, error }
        next = count
      })
      begin()
      await piece
    }
  }
  await worker()
  // The list grows during this loop.
  for (const each of begun) await each
  if (failed !== undefined) throw failed.error
}

type Work<T, R> = (item: T, index: number) => Awaitable<R>

/** Begins every piece at once and waits for all of them, by one promise. Of several failures, the first in the list is thrown. What is there is not waited for. */
function together<T, R>(items: readonly T[], work: Work<T, R>): Promise<R[]> {
  return new Promise((resolve, reject) => {
    const results: R[] = new Array(items.length)
    let left = items.length
    let failed: { readonly index: number; readonly error: unknown } | undefined
    const end = () => {
      left--
      if (left > 0) return
      if (failed === undefined) resolve(results)
      else reject(failed.error)
    }
    const fail = (index: number, error: unknown) => {
      if (failed === undefined || index < failed.index) failed = { index, error }
      end()
    }
    const begin = (index: number) => {
      try {
        // The index is below the length.
        const piece = work(items[index] as T, index)
        if (piece instanceof Promise) {
          piece.then(
            (result) => {
              results[index] = result
              end()
            },
            (error: unknown) => fail(index, error),
          )
          return
        }
        results[index] = piece
        end()
      } catch (error) {
        fail(index, error)
      }
    }
    if (left === 0) resolve(results)
    for (let index = 0; index < items.length; index++) begin(index)
  })
}

async function inPlaces<T, R>(items: readonly T[], work: Work<T, R>, places: Places): Promise<R[]> {
  const results: R[] = new Array(items.length)
  const piece = async (index: number) => {
    // The index is below the length.
    results[index] = await work(items[index] as T, index)
  }
  await pooled(items.length, piece, places)
  return results
}

/** Counts each piece in a branch of its own: all begin at the same depth, and together they are as deep as the deepest. */
async function inBranches<T, R>(scope: Scope, work: Work<T, R>, all: (work: Work<T, R>) => Promise<R[]>): Promise<R[]> {
  const start = scope.depth
  let deepest = start
  const branched: Work<T, R> = async (item, index) => {
    const branch: Scope = { depth: start, tally: { requests: 0, readUnits: 0, writeUnits: 0 }, parent: scope, root: scope.root }
    try {
      return await scopes.run(branch, () => work(item, index))
    } finally {
      deepest = Math.max(deepest, branch.depth)
    }
  }
  try {
    return await all(branched)
  } finally {
    scope.depth = Math.max(scope.depth, deepest)
  }
}

/**
 * Does independent work in parallel, by default at most 64 pieces at once, and returns the results in order. For the meter all pieces start
 * at the same point, so together they take as many round trips as the longest: the number of connections does not count. One failing piece
 * fails the whole.
 */
export function parallelMap<T, R>(items: readonly T[], work: Work<T, R>, places?: Places): Promise<R[]> {
  // Nearly all work is of few pieces: nothing has to wait for a place.
  const isSmall = places === undefined && items.length <= atOnceMax
  const all = (each: Work<T, R>) => (isSmall ? together(items, each) : inPlaces(items, each, places ?? placesFor(atOnceMax)))
  const scope = scopes.getStore()
  return scope === undefined ? all(work) : inBranches(scope, work, all)
}

/** Does a few different pieces of work in parallel. For lists, use `parallelMap`. */
export function parallel<const W extends readonly (() => Awaitable<unknown>)[]>(
  ...work: W
): Promise<{ -readonly [I in keyof W]: Awaited<ReturnType<W[I]>> }> {
  // One result for each piece of work, in order.
  return parallelMap(work, (each) => each()) as Promise<{ -readonly [I in keyof W]: Awaited<ReturnType<W[I]>> }>
}

/**
 * Begins work that several callers wait for. It is counted once, for the caller that begins it. A caller of the same meter has then taken as many round
 * trips as lead to the end of the work, or more if it took more meanwhile; any other as many more as the work does.
 * Returns the function by which a caller waits.
 */
export function shared<T>(work: () => Promise<T>): () => Promise<T> {
  const parent = scopes.getStore()
  const begun = parent?.depth ?? 0
  const branch: Scope = { depth: begun, tally: { requests: 0, readUnits: 0, writeUnits: 0 }, parent, root: parent?.root ?? {} }
  const done = parent === undefined ? work() : scopes.run(branch, work)
  const counting = async (scope: Scope) => {
    const start = scope.depth
    try {
      return await done
    } finally {
      scope.depth = Math.max(scope.depth, scope.root === branch.root ? branch.depth : start + branch.depth - begun)
    }
  }
  return () => {
    const scope = scopes.getStore()
    return scope === undefined ? done : counting(scope)
  }
}
