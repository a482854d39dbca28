import type { Issuer, VerifiedToken } from '@freehold/frame/issuers'

export interface Beginning {
  /** The address to which the issuer sends the browser back: it is registered there. */
  readonly back: string
  readonly design: string
  /** The text of the session that the browser has. */
  readonly former?: string | undefined
}

/** Who came back from an issuer, and what for. */
export interface Finished extends Pick<Beginning, 'design' | 'former'> {
  readonly token: VerifiedToken
}

/** Signs people in at issuers, by the code flow of OpenID Connect. It knows nothing of routes, cookies and sessions. */
export interface RelyingParty {
  /** The issuers at which people sign in, by the names of their providers. */
  readonly issuers: ReadonlyMap<string, Issuer>
  /**
   * Begins a sign-in. `to` is where the browser goes, `kept` what it keeps for us: sealed, for this issuer, for ten minutes.
   * @throws SignInRefusal
   */
  begin(name: string, how: Beginning): Promise<{ readonly to: string; readonly kept: string }>
  /**
   * Finishes a sign-in, once, by the parameters of the answer.
   * @throws SignInRefusal, and TokenRefusal for an id token that is not one
   */
  finish(name: string, parameters: URLSearchParams, kept: string | undefined): Promise<Finished>
}
