import { invalidInput } from '@freehold/table/runtime'
import { base64urlBytes } from '../reading/read-token.ts'
import { bySecret, secretBytesMin } from './algorithms.ts'
import type { Issuer } from './issuer.ts'

/** A secret as text, whose bytes are those of UTF-8, or its bytes in base64url. */
export type TokenSecret = string | { readonly base64url: string }

const invalid = (message: string) => invalidInput('The authorizer', [{ path: ['token', 'keys'], message }])

/** The secret of a variable, which has either form: text, or an object in JSON. */
export function secretOf(variable: string | undefined): TokenSecret | undefined {
  const [, base64url] = /^\s*\{\s*"base64url"\s*:\s*"([^"]*)"\s*\}\s*$/.exec(variable ?? '') ?? []
  return base64url === undefined ? variable : { base64url }
}

function bytesOf(secret: TokenSecret): Uint8Array {
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : base64urlBytes(secret.base64url)
  if (bytes === undefined) throw invalid('are a secret, which is not in base64url')
  return bytes
}

/** The bytes of a shared secret. Throws `InvalidInput` if it is missing, too short or not in base64url. */
export function secretKey({ algorithms }: Pick<Issuer, 'algorithms'>, secret: TokenSecret = ''): Uint8Array {
  const key = bytesOf(secret)
  const needed = Math.max(...algorithms.map((name) => (bySecret(name) ? secretBytesMin[name] : 0)))
  if (key.length < needed) throw invalid(`are a secret, which ${key.length === 0 ? 'is missing' : `is shorter than ${needed} bytes`}`)
  return key
}
