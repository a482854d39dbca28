import { holding } from './held.ts'
import type { Issuer } from './issuer.ts'
import { addressIn, boundedFetch, type Metadata, metadataOf } from './issuer-requests.ts'
import { boundsUnlessGiven, type KeySetOptions, unavailable } from './key-set.ts'

/** An issuer at which people sign in. */
export interface IssuerPort {
  /** Its metadata, held as its keys are. Both endpoints of the code flow have safe addresses. Throws `TokenRefusal` `KeysUnavailable`. */
  metadata(): Promise<Metadata>
  /** A `fetch` for one sign-in, within the bounds of keys. */
  fetch(): ReturnType<typeof boundedFetch>
}

/** Reaches an issuer by its first name. */
export function issuerPort({ issuer }: Pick<Issuer, 'issuer'>, { now, fetch: ask, bounds }: KeySetOptions): IssuerPort {
  const all = { ...boundsUnlessGiven, ...bounds }
  const bounded = () => boundedFetch(ask ?? fetch, AbortSignal.timeout(all.timeout_ms), all.bytes_max)
  const read = async () => {
    const metadata = await metadataOf([issuer].flat()[0] ?? '', bounded())
    for (const endpoint of ['authorization_endpoint', 'token_endpoint']) addressIn(metadata, endpoint)
    return metadata
  }
  const { current } = holding(read, now, all, unavailable)
  return { metadata: async () => (await current()).told, fetch: bounded }
}
