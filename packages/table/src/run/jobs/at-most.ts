/** Lets so many pieces of work run at once; those that come later wait their turn, first come, first served. */
export function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Whoever waits gets the place as it is, so that nobody who comes now is before it.
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
