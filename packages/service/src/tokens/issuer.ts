import { invalidInput } from '@freehold/table/runtime'
import type { JSONWebKeySet } from 'jose'

/** Signatures by a private key. A shared secret is none: a service that verifies tokens by it could make them, too. */
export const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA'] as const
export type Algorithm = (typeof algorithms)[number]

/** How a token names its user. It is never found by an e-mail address, which a user of another issuer may have, too. */
export type UserOfToken =
  /** The claim that has the user's id, as the design writes it: `sub`, say. */
  | { readonly claim: string }
  /** By issuer and subject: the design has the user's identity at this provider. */
  | { readonly provider: string }

/** An issuer whose tokens are accepted. */
export interface Issuer {
  /** The claim `iss`, exactly. */
  readonly issuer: string
  /** The claim `aud` has one of these. */
  readonly audience: string | readonly string[]
  /** The https address of its key set, or the keys. */
  readonly keys: string | JSONWebKeySet
  /** The accepted algorithms. */
  readonly algorithms: readonly Algorithm[]
  readonly user: UserOfToken
  /** The designs that its users may use. By default all that are served. */
  readonly designs?: readonly string[] | undefined
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isText)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An address from which keys come unchanged: https, or http from this machine. */
function isKeyAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
}

const checks: Readonly<Record<keyof Issuer, readonly [isValid: (value: unknown) => boolean, message: string]>> = {
  issuer: [isText, 'is not text'],
  audience: [(value) => isText(value) || isTexts(value), 'is neither text nor a list of texts'],
  keys: [
    (value) => (typeof value === 'string' ? isKeyAddress(value) : isObject(value) && Array.isArray(value.keys)),
    'is neither an https address nor a key set',
  ],
  algorithms: [
    (value) => isTexts(value) && Array.isArray(value) && value.every((each) => algorithms.some((one) => one === each)),
    `is not a list of ${algorithms.join(', ')}`,
  ],
  user: [
    (value) =>
      isObject(value) && Object.keys(value).length === 1 && (isText(value.claim) || isText(value.provider)) && value.claim !== 'email',
    'is neither { claim } nor { provider }; a user is never found by its e-mail address',
  ],
  designs: [(value) => value === undefined || isTexts(value), 'is not a list of designs'],
}

/** Checks issuers, as a program or a file gives them. Throws `InvalidInput`, which names what is wrong. */
export function readIssuers(given: unknown): readonly Issuer[] {
  if (!Array.isArray(given)) throw invalidInput('The issuers', [{ path: [], message: 'are not a list' }])
  const issues = given.flatMap((each: unknown, index) => {
    if (!isObject(each)) return [{ path: [index], message: 'is not an object' }]
    const unknown = Object.keys(each).filter((name) => !Object.hasOwn(checks, name))
    const wrong = Object.entries(checks).filter(([name, [isValid]]) => !isValid(each[name]))
    return [
      ...unknown.map((name) => ({ path: [index, name], message: `is none of ${Object.keys(checks).join(', ')}` })),
      ...wrong.map(([name, [, message]]) => ({ path: [index, name], message })),
    ]
  })
  // Each was checked.
  const issuers = given as readonly Issuer[]
  const twice =
    issues.length > 0 ? undefined : issuers.find(({ issuer }, index) => issuers.slice(0, index).some((one) => one.issuer === issuer))
  if (twice !== undefined) issues.push({ path: [issuers.indexOf(twice), 'issuer'], message: 'is given twice' })
  if (issues.length > 0) throw invalidInput('The issuers', issues)
  return issuers
}
