import type { Guessed, Throttle } from '@freehold/frame/credentials'
import { type Item, isFreeholdError, type Table } from '@freehold/table'
import { above, add, below, subtract } from '@freehold/table/atomic'
import { parallelMap } from '@freehold/table/runtime'
import type { GuessCount, serviceDesign } from '../keys/design.ts'

const delay_ms_max = 60_000
/** So long after the first guess of a count it begins anew. */
const kept_ms = 24 * 60 * 60_000
/** So often a count is tried again, where others count beside it. */
const tries = 5

/** The delay after so many guesses, in milliseconds: none for the free ones, then a second, doubled with each further one up to a minute. */
export const delayAfter = (guesses: number, free: number): number =>
  guesses < free ? 0 : Math.min(delay_ms_max, 1000 * 2 ** Math.min(guesses - free, 10))

/** Another guess was counted meanwhile, or the count is gone. */
function unlessLost(error: unknown): void {
  if (!(['CheckFailed', 'AlreadyExists', 'NotFound', 'VersionConflict'] as const).some((code) => isFreeholdError(error, code))) throw error
}

/** Counts guesses in the service's own table. Each count is one conditional write. */
export function throttleOn({ GuessCount: counts, runtime: { now } }: Table<typeof serviceDesign>): Throttle {
  const read = async ({ of }: Guessed) => counts.get({ of }, { consistent: true })
  const after = (ms: number) => new Date(now().getTime() + ms).toISOString()
  const waitOf = (found: Item<typeof GuessCount> | undefined) =>
    found === undefined ? 0 : Math.max(0, Date.parse(found.nextAt) - now().getTime())
  const write = async ({ of, free, most = Number.POSITIVE_INFINITY }: Guessed, found: Item<typeof GuessCount> | undefined) => {
    if (found === undefined) return counts.create({ of, guesses: 1, nextAt: after(delayAfter(1, free)), expiresAt: after(kept_ms) })
    const { guesses } = found
    // The free ones do not wait for each other.
    if (guesses + 1 < free) return counts.update({ of }, { guesses: add(1) }, { where: { guesses: below(free - 1) } })
    return counts.update(
      { of },
      { guesses: add(1), nextAt: guesses + 1 < most ? after(delayAfter(guesses + 1, free)) : found.expiresAt },
      { where: { guesses, nextAt: found.nextAt } },
    )
  }
  const count = async (guessed: Guessed, first: Item<typeof GuessCount> | undefined): Promise<number> => {
    let found = first
    for (let attempt = 0; attempt < tries; attempt++) {
      const wait_ms = waitOf(found)
      if (wait_ms > 0) return wait_ms
      const written = await write(guessed, found).catch(unlessLost)
      if (written !== undefined) return 0
      found = await read(guessed)
    }
    return 1000
  }
  return {
    take: async (guessed) => {
      const found = await parallelMap(guessed, read)
      const wait_ms = Math.max(0, ...found.map(waitOf))
      if (wait_ms > 0) return wait_ms
      return Math.max(0, ...(await parallelMap([...guessed.entries()], ([index, each]) => count(each, found[index]))))
    },
    right: async (guessed) => {
      await parallelMap(guessed, async ({ of, isShared }) => {
        const writing: Promise<unknown> = isShared
          ? counts.update({ of }, { guesses: subtract(1), nextAt: after(0) }, { where: { guesses: above(0) } })
          : counts.remove({ of })
        await writing.catch(unlessLost)
      })
    },
  }
}
