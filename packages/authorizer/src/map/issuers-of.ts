import { type Issuer, readIssuers } from '@freehold/frame/issuers'
import { type Issue, isFreeholdError } from '@freehold/table'
import type { MapForm } from './map-form.ts'

type Given = Readonly<Record<string, unknown>>

const isGiven = (value: unknown): value is Given => typeof value === 'object' && value !== null

/** An issuer in words that maps had before: `user: sub`, `keys: { jwks }` or `{ inline }`, `tolerance_s`. */
function issuerOf({ user = 'sub', keys, tolerance_s, ...rest }: Given): Given {
  const inWords = isGiven(keys) ? (keys.jwks ?? keys.inline ?? keys) : keys
  return {
    ...(tolerance_s === undefined ? {} : { leeway_s: tolerance_s }),
    ...rest,
    ...(inWords === undefined ? {} : { keys: inWords }),
    user: typeof user === 'string' ? { claim: user } : user,
  }
}

/** The issuers of a map, which has one or a list of them; or what is wrong with them. */
export function issuersOf(token: MapForm['token']): { readonly issuers: readonly Issuer[] } | { readonly issues: readonly Issue[] } {
  try {
    return { issuers: readIssuers([token].flat().map(issuerOf), { takesSecret: true }) }
  } catch (error) {
    if (!isFreeholdError(error, 'InvalidInput')) throw error
    const { issues } = error.details
    // `readIssuers` throws with issues, whose paths begin with the place of the issuer.
    const given = (issues ?? []) as readonly Issue[]
    return { issues: given.map(({ path, message }) => ({ path: ['token', ...path.slice(Array.isArray(token) ? 0 : 1)], message })) }
  }
}
