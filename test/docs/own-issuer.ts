import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

/** What an issuer tells of a person beside its id. */
export interface Profile {
  readonly email: string
  readonly name?: string
}
const typed = `<!doctype html><html lang="en"><title>Acme</title><main><h1>Acme</h1><form method="post">
<label for="person">Person</label><input id="person" name="person" autofocus><button>Go on</button></form></main></html>`

/**
 * An issuer of the test's own: whoever is named in the address of a sign-in has signed in, and else whoever is typed into its page. Who types nothing is not.
 */
export async function ownIssuer({
  redirect = 'https://app.example.org/signed-in',
  profileOf = (person: string): Profile => ({ email: `${person}@example.org` }),
} = {}) {
  const client = { client_id: 'app', client_secret: 'not a secret', redirect_uris: [redirect] }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an AddressInfo.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [client],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // The id token has the address, as that of Google.
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, email_verified: true, ...profileOf(sub) }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { Session: 60, Grant: 60, Interaction: 60, IdToken: 60, AccessToken: 60 },
  })
  const answer = provider.callback()
  server.on('request', async (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return answer(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const accountId =
      params.login_hint === undefined ? new URLSearchParams(Buffer.concat(chunks).toString()).get('person') : String(params.login_hint)
    if (accountId === null) return response.writeHead(200, { 'Content-Type': 'text/html' }).end(typed)
    if (accountId === '') return provider.interactionFinished(request, response, { error: 'access_denied' })
    const grant = new provider.Grant({ accountId, clientId: client.client_id })
    grant.addOIDCScope('openid email profile')
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(request, response, { login: { accountId }, consent })
  })

  /** A browser goes through the issuer's pages. @returns the address with which it is sent back */
  const authorize = async (to: URL): Promise<URL> => {
    const cookies = new Map<string, string>()
    let at = to
    for (let step = 0; at.origin === issuer && step < 6; step += 1) {
      const answered = await fetch(at, { redirect: 'manual', headers: { cookie: [...cookies].map((each) => each.join('=')).join('; ') } })
      for (const cookie of answered.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        cookies.set(name, value)
      }
      at = new URL(answered.headers.get('location') ?? `data:${await answered.text()}`, at)
    }
    return at
  }
  /** Signs a person in by code flow with PKCE. @returns the id token */
  const signIn = async (person: string): Promise<string> => {
    const verifier = randomBytes(32).toString('base64url')
    const [redirect_uri = ''] = client.redirect_uris
    const asked = new URLSearchParams({
      ...{ client_id: client.client_id, redirect_uri, response_type: 'code', scope: 'openid email', login_hint: person },
      ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
    })
    const at = await authorize(new URL(`/auth?${asked}`, issuer))
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${client.client_id}:${encodeURIComponent(client.client_secret)}`).toString('base64')}`,
      },
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', code: at.searchParams.get('code') ?? `none: ${at}` },
        ...{ redirect_uri, code_verifier: verifier },
      }),
    })
    const { id_token, ...rest }: { id_token?: string } = Object(await response.json())
    if (id_token === undefined) throw new Error(`${at}: ${JSON.stringify(rest)}`)
    return id_token
  }
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return {
    issuer,
    audience: client.client_id,
    client: { client: client.client_id, secret: client.client_secret },
    authorize,
    signIn,
    close,
  }
}
