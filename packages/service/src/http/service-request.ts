import type { Awaitable } from '@freehold/table/runtime'
import type { Connection } from './connection.ts'

/** The headers of a request, by their names in lower case. A header that is given twice has both values, with a comma between, as in `Headers`. */
export interface RequestHeaders {
  get(name: string): string | null
}

/** A request, as each face makes it of what its platform has: `fetch` of a Request, Node's of an IncomingMessage. */
export interface ServiceRequest extends Connection {
  readonly method: string
  /** Normalised and decoded as of a WHATWG URL, but for percent-encoded delimiters. */
  readonly path: string
  /** The query string with its `?`, or empty. Not decoded. */
  readonly search: string
  readonly headers: RequestHeaders
  /**
   * Reads the body, at most once; it is no promise if it has arrived. The body of GET and HEAD is empty. It may throw at once:
   * @throws TooLarge as soon as it is larger, InvalidInput if it is incomplete
   */
  readBody(bytes_max: number): Awaitable<Uint8Array>
}

/** An answer as it is sent. A face adds what its platform needs, such as the length. */
export interface SentAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for none. */
  readonly text: string | undefined
  /** In place of the text: bytes that a header tells how to read. */
  readonly bytes?: Uint8Array | undefined
}

/** Answers a request. It rejects only if the log fails. */
export type Handle = (request: ServiceRequest) => Promise<SentAnswer>

/** A path of a URL, decoded. One that cannot be decoded stays as it is: no route is there. */
export function decodedPath(pathname: string): string {
  if (!pathname.includes('%')) return pathname
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}
