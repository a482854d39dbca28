import { readBody } from './body.ts'
import type { Connection } from './connection.ts'
import { decodedPath, type Handle } from './service-request.ts'

/** The face for platforms that have `fetch`. */
export interface FetchFace {
  /** @param connection by default nothing is known of it */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** Asks as `fetch` does, from the same process. @param input a Request, an address, or a path of it */
  request(input: Request | string, init?: RequestInit, connection?: Connection): Promise<Response>
}

const anyHost = 'http://localhost'

export function fetchFace(handle: Handle): FetchFace {
  const fetch: FetchFace['fetch'] = async (request, connection = {}) => {
    const { pathname, search } = new URL(request.url)
    const { method, headers } = request
    const readBodyOf = (bytes_max: number) => readBody(request, bytes_max)
    const { status, text, bytes, ...sent } = await handle({
      method,
      path: decodedPath(pathname),
      search,
      headers,
      ...connection,
      readBody: readBodyOf,
    })
    return new Response(bytes ?? text ?? null, { status, headers: sent.headers })
  }
  return {
    fetch,
    request: (input, init, connection) => {
      const asked =
        typeof input !== 'string' || /^https?:\/\//.test(input) ? input : `${anyHost}${input.startsWith('/') ? '' : '/'}${input}`
      return fetch(asked instanceof Request && init === undefined ? asked : new Request(asked, init), connection)
    },
  }
}
