import type { CredentialStore } from './credential-store.ts'
import type { DataKeys } from './data-keys.ts'

/** Encrypts every factor by the current data key. How many were left to do, and are done. */
export async function resealFactors(store: CredentialStore, keys: DataKeys): Promise<number> {
  let done = 0
  for await (const person of store.withFactor()) {
    const of = { user: person.id, kind: 'totp' }
    const text = person.factor === undefined || keys.isCurrent(person.factor) ? undefined : keys.open(person.factor, of)
    // A sign-in meanwhile has encrypted the factor anew.
    if (text !== undefined && (await store.reseal(person, keys.seal(text, of))) !== undefined) done++
  }
  return done
}
