import { type ErrorCode, FreeholdError, isFreeholdError, type Runtime } from '@freehold/table'

/** Each attempt that another overtakes reads what that one wrote, so that more than a few mean something else. */
const attemptsMax = 20
const pauseMax_ms = 500

/** What a write that rests on what was read says where another was faster. */
const overtaken: ReadonlySet<ErrorCode> = new Set(['VersionConflict', 'CheckFailed'])

/**
 * Reads, decides and writes; anew where another writer was faster, since what was read holds no longer (spec rules 8 and 13). Every write
 * names the versions that the decision rests on. `more`: what else says so, of this attempt. Throws `Busy` where others keep being faster, and
 * whatever the attempt throws besides.
 */
export async function decideAnew<T>(runtime: Runtime, attempt: () => Promise<T>, more: readonly ErrorCode[] = []): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      // An uncertain write may have been applied: done anew it could be done twice.
      if (!isFreeholdError(error) || error.details.named === true || error.details.uncertain === true) throw error
      if (!overtaken.has(error.code) && !more.includes(error.code)) throw error
      if (count === attemptsMax) throw new FreeholdError('Busy', 'Others keep changing the same items. Try again.', {}, { cause: error })
      await runtime.sleep(runtime.random() * Math.min(pauseMax_ms, 2 ** count))
    }
  }
}
