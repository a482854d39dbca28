import { isFreeholdError, type Table } from '@freehold/table'
import type { serviceDesign } from '../keys/design.ts'
import { hashOf } from '../keys/key-text.ts'
import { signIn_ms } from './answer-guards.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

/** Counts a sign-in as used, in the table, so that it is good once for all processes together. */
export function usedOnce({ UsedSignIn, runtime: { now } }: Table<typeof serviceDesign>) {
  return async (state: string): Promise<void> => {
    try {
      await UsedSignIn.create({ stateHash: hashOf(state), expiresAt: new Date(now().getTime() + signIn_ms).toISOString() })
    } catch (error) {
      throw isFreeholdError(error, 'AlreadyExists') ? new SignInRefusal('SignInUsed') : error
    }
  }
}
