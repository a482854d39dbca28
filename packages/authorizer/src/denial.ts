/** Whose fault a denial is, and so its status: without a valid token 401, otherwise 403. `fault` is of kind 403, too: nothing was decided. */
export type DenialKind = 'token' | 'request' | 'policy' | 'unknown' | 'fault'

/** Ends the work on a request: nothing is allowed. Its text goes to the log and to no client, and holds nothing that the client has sent. */
export class Denial extends Error {
  readonly kind: DenialKind
  readonly code: string

  constructor(kind: DenialKind, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Denial'
    this.kind = kind
    this.code = code
  }
}

export const tokenDenial = (code: string, message: string): Denial => new Denial('token', code, message)
export const requestDenial = (code: string, message: string): Denial => new Denial('request', code, message)
