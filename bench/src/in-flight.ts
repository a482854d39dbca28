/** Runs work for each index from 0 up to but not including `count`, so many at once. The first failure is thrown once all have ended. */
export async function inFlight(count: number, atOnce: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) {
      try {
        await work(next++)
      } catch (error) {
        next = count
        throw error
      }
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, count) }, worker))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
