import type { IssuerPort } from '@freehold/frame/issuers'
import { describe, expect, test } from 'vitest'
import { readToken } from '../../packages/frame/src/reading/read-token.ts'
import { answerGuards } from '../../packages/service/src/console-sign-in/answer-guards.ts'
import { openSignIn } from '../../packages/service/src/console-sign-in/kept-sign-in.ts'
import type { Refusing } from '../../packages/service/src/console-sign-in/relying-party.ts'
import { signInCodes } from '../../packages/service/src/console-sign-in/sign-in-refusal.ts'
import { pageAt, sectionOf } from '../docs/pages.ts'
import { type HostileAnswer, hostileAnswers, whole } from './hostile-answers.ts'
import { backOf, scripted, secret } from './scripted-issuer.ts'

// A person signs in at an issuer by code flow. The issuers are scripted, without a network; `test/console-sign-in/sign-in.test.ts` has a real one.

/** The code by which an answer is refused. Tests leave one of our parts out. */
async function codeBy({ script, issuer, brought = (same) => same }: HostileAnswer, change?: (parts: Refusing) => Partial<Refusing>) {
  const world = await scripted(script, issuer, change)
  try {
    const { name, parameters, kept } = await brought(await whole(world), world)
    await world.party.finish(name, parameters, kept)
    return 'taken'
  } catch (error) {
    const { code, cause } = Object(error)
    // Nobody would ever go on.
    return cause instanceof Error && cause.message === 'unbounded' ? cause.message : String(code ?? error)
  }
}

describe('a sign-in', () => {
  test('asks by code, with state, nonce and a challenge, for an address of ours', async () => {
    const { begin } = await scripted()
    const [one, other] = [await begin(), await begin()]
    const { origin, pathname, searchParams } = new URL(one.to)
    expect(origin + pathname).toBe('https://id.example.org/authorize')
    const text = expect.stringMatching(/^[\w-]{43}$/)
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ tenant: 't', client_id: 'console', response_type: 'code', scope: 'openid email profile', redirect_uri: backOf('own') },
      ...{ state: text, nonce: text, code_challenge: text, code_challenge_method: 'S256' },
    })
    const differing = ['state', 'nonce', 'code_challenge'].filter(
      (name) => searchParams.get(name) !== new URL(other.to).searchParams.get(name),
    )
    expect(differing).toEqual(['state', 'nonce', 'code_challenge'])
  })

  test.each(['own', 'second'])('at %s tells who it is, by one request once the metadata are there', async (name) => {
    const world = await scripted()
    const { parameters, kept } = await whole(world, name)
    // An issuer may add what it likes.
    parameters.set('session_state', 'x')
    expect(await world.party.finish(name, parameters, kept)).toMatchObject({
      ...{ design: 'rebac', former: 'fhs_former' },
      token: {
        user: { provider: name, address: 'ada@example.org', isAddressVerified: true, firstSight: name === 'own' ? 'link' : 'refuse' },
      },
    })
    expect(world.sent.map(({ address }) => new URL(address).pathname)).toEqual(['/.well-known/openid-configuration', '/token'])
  })

  test('keeps nothing that a browser can read, and no secret goes to it', async () => {
    const { begin } = await scripted()
    const { to, kept } = await begin()
    expect(Buffer.from(kept, 'base64url').toString('latin1')).not.toMatch(/state|nonce|verifier|fhs_/)
    expect(decodeURIComponent(to)).not.toContain(secret)
  })

  test('is good until ten minutes are over', async () => {
    const world = await scripted()
    const { parameters, kept } = await whole(world)
    world.later(10 * 60_000 - 1)
    await expect(world.party.finish('own', parameters, kept)).resolves.toMatchObject({ design: 'rebac' })
  })

  test('takes an id token of another algorithm than RS256, at an issuer whose API takes another type of token', async () => {
    const world = await scripted({ by: 'curve', header: { alg: 'ES256', kid: 'two' } }, { type: 'at+jwt', algorithms: ['ES256'] })
    const { parameters, kept } = await whole(world)
    await expect(world.party.finish('own', parameters, kept)).resolves.toMatchObject({ design: 'rebac' })
  })

  test('of two tabs the second goes on after the first was refused', async () => {
    const world = await scripted()
    const [first, second] = [await whole(world), await whole(world)]
    await expect(world.party.finish('own', first.parameters, second.kept)).rejects.toMatchObject({ code: 'StateWrong' })
    await expect(world.party.finish('own', second.parameters, second.kept)).resolves.toMatchObject({ design: 'rebac' })
  })

  test('sends the secret in the body where the issuer takes no Basic, and none for a public client', async () => {
    for (const [methods, signIn, expected] of [
      [['client_secret_post'], { client: 'console', secret }, secret],
      [['none'], { client: 'console' }, null],
    ] as const) {
      const world = await scripted({ metadata: { token_endpoint_auth_methods_supported: methods } }, { signIn })
      const { parameters, kept } = await whole(world)
      await world.party.finish('own', parameters, kept).catch(() => undefined)
      const { init } = world.sent.at(-1) ?? {}
      expect([new Headers(init?.headers).get('authorization'), new URLSearchParams(String(init?.body)).get('client_secret')]).toEqual([
        null,
        expected,
      ])
    }
  })

  test('is counted once of two at the same moment', async () => {
    const world = await scripted({ forgetsPkce: true })
    const { parameters, kept } = await whole(world)
    const both = await Promise.allSettled([world.party.finish('own', parameters, kept), world.party.finish('own', parameters, kept)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

test.each(hostileAnswers)('$name: $code', async (one) => {
  expect(await codeBy(one)).toBe(one.code)
})

test('the table has at least 100 answers, each with a name of its own', () => {
  expect(hostileAnswers.length).toBeGreaterThanOrEqual(100)
  expect(new Set(hostileAnswers.map(({ name }) => name)).size).toBe(hostileAnswers.length)
})

test('the guide has each code of a refused sign-in, and no other', () => {
  const rows = sectionOf(pageAt('docs/guides/issuers.md'), '## Signing in to the console').match(/^\| `.*? \|/gm) ?? []
  expect(rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, code]) => code)).sort()).toEqual([...signInCodes].sort())
})

describe('a relying party without', () => {
  const guards = Object.entries(answerGuards).map(([name, guard]): [string, (parts: Refusing) => Partial<Refusing>] => [
    `the guard ${name}`,
    (parts) => ({ guards: parts.guards.filter((one) => one !== guard) }),
  ])
  /** The port without bounds: whatever the issuer says is believed. */
  const credulous: Refusing['port'] = (issuer, { fetch: ask = fetch }): IssuerPort => ({
    metadata: async () => Object(await (await ask(`${[issuer.issuer].flat()[0]}.well-known/openid-configuration`)).json()),
    fetch: () => (address, init) => ask(address, { ...init, redirect: 'follow' }),
  })
  test.each<[string, (parts: Refusing) => Partial<Refusing>]>([
    ...guards,
    [
      'the bond of a cookie to its issuer',
      () => ({
        open: (runtime, name, text) => openSignIn(runtime, name, text) ?? openSignIn(runtime, name === 'own' ? 'second' : 'own', text),
      }),
    ],
    ['its count', () => ({ once: async () => undefined })],
    ['its nonce', () => ({ nonce: () => undefined })],
    ['its bounds of requests', () => ({ port: credulous })],
    [
      'its verifier of tokens',
      ({ verifier }) => ({
        verifier: (issuers, options) => (token) =>
          verifier(issuers, options)(token).catch(() => ({ issuer: '', user: { id: '' }, claims: readToken(token)?.claims ?? {} })),
      }),
    ],
  ])('%s refuses some answer otherwise, or takes it', async (_, change) => {
    const turned: string[] = []
    // Those that are waited for would make it slow.
    for (const one of hostileAnswers.filter(({ script }) => script?.timeout_ms === undefined)) {
      const code = await codeBy(one, change)
      if (code !== one.code) turned.push(`${one.name}: ${code}`)
    }
    expect(turned).not.toEqual([])
  })
})
