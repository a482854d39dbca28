import type { VerifiedToken } from '@freehold/frame/issuers'
import type { ApiKeys, Issuer, Served } from '@freehold/service'
import { signedInPeople } from '../../packages/service/src/http/signed-in-people.ts'

/** Lets people into the console of a service with these keys and tables, as after a sign-in: the text of the new session. */
export function entering(keys: ApiKeys, tables: ReadonlyMap<string, Served>, issuers: readonly Issuer[]) {
  const people = signedInPeople(keys, tables, { issuers, trustedProxies: 0 })
  return async (design: string, user: VerifiedToken['user'], headers: Record<string, string> = {}): Promise<string> => {
    const token = { issuer: String(issuers[0]?.issuer), user, claims: {} }
    const asked = { headers: new Headers(headers), origin: { ip_address: '192.0.2.1', user_agent: 'Firefox' } }
    const { 'Set-Cookie': cookie = '' } = await people.enter(asked, design, token)
    return /=([^;]+)/.exec(cookie)?.[1] ?? ''
  }
}
