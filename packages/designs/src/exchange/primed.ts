/** The same rows, of which the first has been read: a file that cannot be read at all, or has another header, shows before anything is written. */
export async function primed<T>(rows: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = rows[Symbol.asyncIterator]()
  const first = await iterator.next()
  const rest: AsyncIterable<T> = { [Symbol.asyncIterator]: () => iterator }
  return (async function* () {
    if (first.done === true) return
    yield first.value
    yield* rest
  })()
}
