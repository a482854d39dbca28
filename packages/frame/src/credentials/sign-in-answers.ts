import type { Person, SessionName, SignInOrigin } from './credential-store.ts'

export type LinkKind = 'reset' | 'invitation'

/** The origin of a request, and its device. */
export interface Asking extends SignInOrigin {
  /** The text of a device that has signed in before. */
  readonly device?: string | undefined
}

/** Why not, in a word for the page and for the log. `wrong` says the same of an unknown address, a wrong password and a person who may not sign in. */
export type NotSignedIn =
  | { readonly no: 'wrong' | 'link' | 'changed' }
  | { readonly no: 'wait'; readonly wait_ms: number }
  | { readonly no: 'rule'; readonly words: string }

/** A session that began: its text for the browser, and that of the device, which is known from now on. */
export interface SignedIn {
  readonly session: string
  readonly device: string
}

export interface CurrentSession {
  readonly name: SessionName
  readonly person: Person
  /** When it ends though it is used: an ISO instant. */
  readonly endsAt: string
  /** The text of a session in use for a while, which replaces that of the browser. */
  readonly renewed: string | undefined
}
