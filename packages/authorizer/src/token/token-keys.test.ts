import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { keySet, publicKey, secret, tokenOf } from '../../test/tokens.ts'
import { mapText, users } from '../../test/world.ts'
import { readAuthorizerMap } from '../map/read-map.ts'
import { secretOf, tokenKeys } from './token-keys.ts'
import { tokenVerifier } from './verify-token.ts'

const now = new Date('2026-03-01T12:00:00Z')
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** An issuer on loopback that answers with the next of these, and the last from then on; it counts the requests. */
async function issuerOf(...answers: readonly (object | string | number)[]) {
  const count = { requests: 0 }
  const server = createServer((_, response) => {
    const answer = answers[Math.min(count.requests, answers.length - 1)]
    count.requests += 1
    if (typeof answer === 'number') response.writeHead(answer, { Location: 'http://127.0.0.1:1/' }).end()
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const map = readAuthorizerMap(mapText((text) => text.replace(/keys: .*/, `keys: { jwks: "http://127.0.0.1:${port}/jwks" }`)))
  const verifier = tokenVerifier(map.token, tokenKeys(map.token, {}), 0)
  const verified = async (of: Parameters<typeof tokenOf>[2] = {}) => {
    const token = await tokenOf(users.ada, now, of)
    return verifier.verify(token, now).then(
      ({ user }) => user,
      ({ code }: { code: string }) => code,
    )
  }
  return { count, verified }
}

describe('a remote key set', () => {
  test('is fetched once, also by requests side by side', async () => {
    const { count, verified } = await issuerOf(keySet)
    const all = await Promise.all(Array.from({ length: 10 }, () => verified()))
    expect(all).toEqual(Array.from({ length: 10 }, () => users.ada))
    expect(await verified({ header: { alg: 'ES256', kid: 'two' }, signedBy: 'ES256' })).toBe(users.ada)
    expect(count.requests).toBe(1)
  })

  test('is not fetched again by each token with an unknown key id', async () => {
    const { count, verified } = await issuerOf(keySet)
    await verified()
    for (const kid of ['x', 'y', 'z']) expect(await verified({ header: { kid } })).toBe('KeyUnknown')
    expect(count.requests).toBe(1)
  })

  test.each([
    ['an error', 500],
    ['nothing', 404],
    ['a redirect', 302],
    ['what is no JSON', 'not found'],
    ['what is no key set', {}],
    ['no keys', { keys: 7 }],
  ])('that answers with %s denies', async (_, answer) => {
    const { verified } = await issuerOf(answer)
    expect(await verified()).toBe('KeysUnavailable')
  })

  test('that fails is not asked again at once', async () => {
    const { count, verified } = await issuerOf(500, keySet)
    expect([await verified(), await verified(), await verified()]).toEqual(['KeysUnavailable', 'KeysUnavailable', 'KeysUnavailable'])
    expect(count.requests).toBe(1)
  })

  test('gives a key to its own algorithm alone', async () => {
    const { verified } = await issuerOf({ keys: [{ ...(await publicKey('RS256')), kid: 'one', alg: 'RS512' }] })
    expect(await verified()).toBe('KeyUnknown')
  })

  test('of several keys without ids does not guess', async () => {
    const { verified } = await issuerOf({ keys: [await publicKey('RS256'), await publicKey('other')] })
    expect(await verified({ header: { kid: undefined } })).toBe('KeyUnknown')
  })
})

describe('a shared secret', () => {
  const withSecret = mapText((text) => text.replace(/algorithms.*\n.*keys.*/, 'algorithms: [HS256]\n  keys: secret'))
  const { token } = readAuthorizerMap(withSecret)

  test.each([
    ['text of a variable', secret],
    ['base64url of a variable', JSON.stringify({ base64url: Buffer.from(secret).toString('base64url') })],
  ])('may be given as %s', async (_, variable) => {
    const signed = await tokenOf(users.ada, now, { header: { alg: 'HS256', kid: undefined }, signedBy: 'secret' })
    const keys = tokenKeys(token, { secret: secretOf(variable) })
    expect(await tokenVerifier(token, keys, 0).verify(signed, now)).toMatchObject({ user: users.ada })
  })

  test.each([
    ['is missing', undefined],
    ['is missing', ''],
    ['is missing', { base64url: '' }],
    ['is shorter than 32 bytes', 'short'],
    // 40 signs are 30 bytes.
    ['is shorter than 32 bytes', { base64url: 'A'.repeat(40) }],
    ['is not in base64url', { base64url: `${'A'.repeat(43)}=` }],
    ['is not in base64url', { base64url: `${'A'.repeat(42)}B` }],
  ])('that %s is refused at the start', (sentence, given) => {
    expect(() => tokenKeys(token, { secret: given })).toThrow(sentence)
  })
})
