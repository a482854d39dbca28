import { type ErrorCode, FreeholdError, isFreeholdError, type Runtime } from '@freehold/table'

/** Each attempt that another writer overtakes reads what that one wrote, so that more than a few mean something else. */
export const attemptsMax = 20
const pauseMax_ms = 500

/** Waits for a random time, up to twice as long after each attempt. */
export const pause = async ({ sleep, random }: Runtime, attempts: number): Promise<void> =>
  sleep(random() * Math.min(pauseMax_ms, 2 ** attempts))

/** Codes by which a write that rests on what was read says that another writer was faster. */
const conflicts: ReadonlySet<ErrorCode> = new Set(['VersionConflict', 'CheckFailed'])

/**
 * Reads, decides and writes; again if another writer was faster (spec rules 8 and 13). Every write names the versions that its decision rests
 * on. `more`: further codes that mean a conflict here. Throws `Busy` if others keep being faster, and every other error of the attempt.
 */
export async function retryOnConflict<T>(runtime: Runtime, attempt: () => Promise<T>, more: readonly ErrorCode[] = []): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      // An uncertain write may have been applied: a second attempt could apply it twice.
      if (!isFreeholdError(error) || error.details.named === true || error.details.uncertain === true) throw error
      if (!conflicts.has(error.code) && !more.includes(error.code)) throw error
      if (count === attemptsMax) throw new FreeholdError('Busy', 'Others keep changing the same items. Try again.', {}, { cause: error })
      runtime.reads?.end()
      await pause(runtime, count)
    }
  }
}
