/** The connection of a request, as far as the platform knows it. */
export interface Connection {
  /** The IP address of its other end. */
  readonly address?: string | undefined
  /** Is told the name of the caller whose key or token was verified, so that callers share the server fairly. */
  readonly verified?: ((caller: string) => void) | undefined
  /** Called once the body is wanted, if the client waits to be told so before it sends that. */
  readonly continues?: (() => void) | undefined
}
