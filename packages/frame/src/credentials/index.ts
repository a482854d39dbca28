/** People sign in with a password and a second factor: the parts that no design has for itself. */
export type { CredentialStore, NewSession, Person, SessionName, ShownSession, SignInChange, SignInOrigin } from './credential-store.ts'
export {
  type DataKeys,
  type KeyWrapping,
  openDataKeys,
  plainDataKeys,
  type SecretOf,
  withNewDataKey,
  withoutOldDataKeys,
  wrappedIn,
} from './data-keys.ts'
export { type Factor, type NewFactor, newFactor, newFactorSecret, usedFactor } from './factor.ts'
export { kmsKeyOf, kmsWrapping } from './kms-wrapping.ts'
export { type PasswordHashing, passwordHashing } from './password-hash.ts'
export { type PasswordFor, refusedPassword } from './password-rules.ts'
export { resealFactors } from './reseal-factors.ts'
export { type SignIn, type SignInOptions, signInOf } from './sign-in.ts'
export type { Asking, CurrentSession, LinkKind, NotSignedIn, SignedIn } from './sign-in-answers.ts'
export type { Guessed, Throttle } from './throttle.ts'
