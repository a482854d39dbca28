import { FreeholdError } from '@freehold/table'

/**
 * Of what a flow reads to answer it as one, in bytes of JSON: it is held in memory, and all who ask at once have theirs. What flows write is bounded
 * item by item; this holds whatever wrote it.
 */
export const answerBytesMax = 1 << 20

/**
 * What is kept of the items of a list, read to its end.
 * @param keep what is kept of one; undefined: nothing
 * @param message what to do instead, where it is too much
 * Throws `TooLarge`.
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
