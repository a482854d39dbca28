/** Does the work on each, so many at once, and gives what came of it in their order. */
export async function inLanes<T, R>(lanes: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length)
  const left = items.entries()
  const lane = async () => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}
