import { FreeholdError } from '@freehold/table'

/** The most that a flow answers at once, in bytes of JSON: it is held in memory, for each caller at the same time. */
export const answerBytesMax = 1 << 20

/**
 * Reads a list to its end and keeps a part of each item. Throws `TooLarge` with this message, which says what to do instead.
 * @param keep undefined: nothing of the item
 */
export async function keptWithin<T, K>(
  flow: string,
  items: AsyncIterable<T>,
  keep: (item: T) => K | undefined,
  message: string,
): Promise<readonly K[]> {
  const all: K[] = []
  let bytes = 0
  for await (const item of items) {
    const kept = keep(item)
    if (kept === undefined) continue
    bytes += Buffer.byteLength(JSON.stringify(kept))
    if (bytes > answerBytesMax) throw new FreeholdError('TooLarge', message, { flow })
    all.push(kept)
  }
  return all
}
