/** Limits the number of parallel tasks. Others wait, first come, first served. */
export function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place passes directly to the next waiting task, so that no later one takes it.
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
