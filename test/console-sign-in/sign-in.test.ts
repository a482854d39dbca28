import { randomUUID } from 'node:crypto'
import { rebacModule } from '@freehold/designs/rebac'
import type { Issuer } from '@freehold/frame/issuers'
import { type AccessLine, type ApiKeys, createService, openKeys, type Service, type ServiceOptions, serviceDesign } from '@freehold/service'
import { relyingParty } from '@freehold/service/console-sign-in'
import { connect } from '@freehold/table'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownIssuer } from '../docs/own-issuer.ts'
import { engineSender } from '../engine/endpoint.ts'
import { ownTableOf } from '../engine/own-table.ts'

// People sign in to the console at a real issuer, over HTTP on this machine.

const host = '127.0.0.1:3000'
const root = `http://${host}/console/sign-in`
const sender = engineSender()
const keysTable = `console-${randomUUID()}`
const lines: AccessLine[] = []
let issuer: Awaited<ReturnType<typeof ownIssuer>>
let own: Issuer
let keys: ApiKeys
let service: Service
let tables: ServiceOptions['tables']
let key: string

const served = (issuers: readonly Issuer[], more: Partial<ServiceOptions> = {}) =>
  createService({
    ...{ tables, keys, issuers, log: (line: AccessLine) => void lines.push(line) },
    consoleSignIn: relyingParty({ issuers, table: connect(serviceDesign, { sender, table: keysTable, secret: Buffer.alloc(32, 7) }) }),
    ...more,
  })

beforeAll(async () => {
  issuer = await ownIssuer({ redirect: `${root}/google/back` })
  own = {
    ...{ issuer: issuer.issuer, audience: 'an-api', algorithms: ['RS256'], user: { provider: 'google', firstSight: 'link' } },
    signIn: issuer.client,
  }
  keys = await openKeys({ sender, table: keysTable })
  key = (await keys.newKey('operator')).text
  const table = await ownTableOf(rebacModule.design, { sender, jobHandlers: rebacModule.flows.jobHandlers })
  tables = new Map([['rebac', { module: rebacModule, table }]])
  const flows = rebacModule.flows.of(table, { actor: { kind: 'operator' } })
  await flows.createUser({ displayName: 'Ada', email: 'ada@example.org' })
  service = served([own])
})
afterAll(() => {
  issuer.close()
  sender.close()
})

/** A browser with its cookies. It sends strict ones only to where its own page leads it. */
function browser(of: Service = service, ownHost = host) {
  const cookies = new Map<string, { readonly value: string; readonly isStrict: boolean }>()
  const send = async (
    path: string,
    { method = 'GET', site = 'same-origin', headers = {} as Record<string, string>, body = undefined as string | undefined } = {},
  ) => {
    const sent = [...cookies].filter(([, { isStrict }]) => site !== 'cross-site' || !isStrict)
    const response = await of.request(path, {
      method,
      headers: {
        ...{ Host: ownHost, 'Sec-Fetch-Site': site, 'X-Freehold-Console': '1', ...headers },
        ...(sent.length === 0 ? {} : { Cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; ') }),
      },
      ...(body === undefined ? {} : { body }),
    })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      cookies.set(name, { value, isStrict: each.includes('SameSite=Strict') })
    }
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  /** Goes to the issuer. @returns the path by which it sends the browser back */
  const comeBack = async (person: string) => {
    const { headers } = await send('/console/sign-in/google')
    const at = await issuer.authorize(new URL(`${headers.get('location')}&login_hint=${person}`))
    return at.pathname + at.search
  }
  const signIn = async (person: string) => send(await comeBack(person), { site: 'cross-site' })
  const session = async () => {
    const { status, text } = await send('/console/session')
    return status === 200 ? JSON.parse(text) : status
  }
  return { cookies, send, comeBack, signIn, session }
}
const reason = () => lines.at(-1)?.reason

describe('a person', () => {
  test('finds the ways to sign in', async () => {
    const { status, text } = await browser().send('/console/sign-in')
    expect([status, JSON.parse(text)]).toEqual([200, { ways: [{ name: 'google', label: 'google', to: 'sign-in/google' }] }])
  })

  test('signs in at an issuer, and has a session of the console', async () => {
    const ada = browser()
    const { status, headers } = await ada.signIn('ada')
    expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([
      ...[303, '../../'],
      expect.stringMatching(/^freehold_console_3000=fhp_[^;]+; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect(await ada.session()).toMatchObject({ person: { design: 'rebac', name: 'Ada', administers: false }, purpose: 'person' })
  })

  test('keeps a sign-in that is under way in a cookie for ten minutes, which comes back from another site', async () => {
    const begun = await browser().send('/console/sign-in/google')
    expect([begun.status, begun.headers.get('set-cookie')]).toEqual([
      303,
      expect.stringMatching(/^freehold_sign_in_3000=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ])
    const elsewhere = browser(served([own], { publicUrl: 'https://freehold.example/id/', trustedProxies: 1 }))
    const { headers } = await elsewhere.send('/console/sign-in/google')
    expect(headers.get('set-cookie')).toMatch(/^__Host-freehold_sign_in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/)
    const { searchParams } = new URL(headers.get('location') ?? '')
    expect(searchParams.get('redirect_uri')).toBe('https://freehold.example/id/console/sign-in/google/back')
  })

  test('leaves the session that the browser had, though the issuer sends it back without that cookie', async () => {
    const { cookies, send, signIn, session } = browser()
    await send('/console/session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ key }) })
    const planted = cookies.get('freehold_console_3000')?.value ?? ''
    expect(await keys.sessions.identify(planted)).toMatchObject({ purpose: 'operator' })
    await signIn('ada')
    expect(await session()).toMatchObject({ purpose: 'person' })
    expect(await keys.sessions.identify(planted)).toBeUndefined()
    // The same of a person's own former one.
    const former = cookies.get('freehold_console_3000')?.value
    await signIn('ada')
    expect(await browser().send('/console/session', { headers: { Cookie: `freehold_console_3000=${former}` } })).toMatchObject({
      status: 401,
    })
  })

  test('whom the design does not know is told whom to ask, and gets no session', async () => {
    const eve = browser()
    const { status, text, headers } = await eve.signIn('eve')
    expect([status, text.includes('Ask an administrator'), headers.get('set-cookie')]).toEqual([403, true, null])
    expect(await eve.session()).toBe(401)
  })

  test('chooses among the designs that are served', async () => {
    // The same table under another name.
    const both = new Map([...tables].flatMap(([name, each]) => [[name, each] as const, ['other', each] as const]))
    const two = browser(served([own], { tables: both }))
    const { text } = await two.send('/console/sign-in')
    expect(JSON.parse(text).ways.map(({ to }: { to: string }) => to)).toEqual([
      'sign-in/google?design=rebac',
      'sign-in/google?design=other',
    ])
    const statuses = ['', '?design=other', '?design=none', '?design=rebac&design=rebac'].map(
      async (query) => (await two.send(`/console/sign-in/google${query}`)).status,
    )
    expect(await Promise.all(statuses)).toEqual([403, 303, 403, 400])
  })

  test('signs in to the designs of its issuer that have people, and to no other', async () => {
    const [rebac] = tables.values()
    if (rebac === undefined) throw new Error('There is a design.')
    const { flows: _, ...silent } = rebac.module
    const all = new Map([
      ['rebac', rebac],
      ['other', rebac],
      ['silent', { ...rebac, module: silent }],
    ])
    const ways = async (designs: readonly string[]) =>
      JSON.parse((await browser(served([{ ...own, designs }], { tables: all })).send('/console/sign-in')).text).ways
    expect(await ways(['rebac', 'silent'])).toEqual([{ name: 'google', label: 'google', to: 'sign-in/google' }])
    expect(await ways(['silent'])).toEqual([])
  })
})

/** What a browser is answered that begins or comes back otherwise, and the reason in the log. */
interface HostileVisit {
  readonly name: string
  readonly status: number
  readonly reason?: string
  visit(ada: ReturnType<typeof browser>): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>
}
const changed = (path: string, change: (parameters: URLSearchParams) => void) => {
  const [at = '', search] = path.split('?')
  const parameters = new URLSearchParams(search)
  change(parameters)
  return `${at}?${parameters}`
}

const hostileVisits: readonly HostileVisit[] = [
  {
    ...{ name: 'an answer that was used before', status: 403, reason: 'SignInUsed' },
    visit: async ({ comeBack, send }) => {
      const path = await comeBack('ada')
      await send(path)
      return send(path)
    },
  },
  {
    ...{ name: 'an answer in another browser', status: 403, reason: 'SignInNotBegun' },
    visit: async ({ comeBack }) => browser().send(await comeBack('ada')),
  },
  {
    ...{ name: 'an answer that another browser began: somebody is to sign in as an attacker', status: 403, reason: 'StateWrong' },
    visit: async ({ comeBack, send }) => {
      await comeBack('ada')
      return send(await browser().comeBack('eve'))
    },
  },
  {
    ...{ name: 'a code in a POST', status: 405 },
    visit: async ({ comeBack, send }) => {
      const [path = '', body] = (await comeBack('ada')).split('?')
      return send(path, { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body })
    },
  },
  {
    ...{ name: 'a code that is there twice', status: 400 },
    visit: async ({ comeBack, send }) => send(changed(await comeBack('ada'), (of) => of.append('code', 'other'))),
  },
  {
    ...{ name: 'an answer in a fragment', status: 403, reason: 'SignInNotBegun' },
    visit: ({ send }) => send('/console/sign-in/google/back'),
  },
  {
    ...{ name: 'an error with markup', status: 403, reason: 'IssuerDenied' },
    visit: async ({ comeBack, send }) =>
      send(
        changed(await comeBack('ada'), (of) => {
          of.delete('code')
          of.set('error', '<b>access_denied</b>')
          of.set('error_description', '<script>alert(1)</script>')
        }),
      ),
  },
  {
    ...{ name: 'an answer of another issuer', status: 403, reason: 'IssuerMixedUp' },
    visit: async ({ comeBack, send }) => send(changed(await comeBack('ada'), (of) => of.set('iss', 'https://evil.example'))),
  },
  {
    ...{ name: 'a code that is guessed', status: 403, reason: 'CodeRefused' },
    visit: async ({ comeBack, send }) => send(changed(await comeBack('ada'), (of) => of.set('code', 'guessed'))),
  },
  {
    ...{ name: 'a sign-in that another site begins', status: 403, reason: 'SignInForeign' },
    visit: ({ send }) => send('/console/sign-in/google', { site: 'cross-site' }),
  },
  {
    ...{ name: 'a sign-in that a neighbour begins', status: 403, reason: 'SignInForeign' },
    visit: ({ send }) => send('/console/sign-in/google', { site: 'same-site' }),
  },
  {
    ...{ name: 'a host that is not ours', status: 403, reason: 'AddressUnknown' },
    visit: ({ send }) => send('/console/sign-in/google', { headers: { Host: 'evil.example' } }),
  },
  {
    ...{ name: 'a host that only begins as ours', status: 403, reason: 'AddressUnknown' },
    visit: ({ send }) => send('/console/sign-in/google', { headers: { Host: '127.0.0.1:3000@evil.example' } }),
  },
  {
    ...{ name: 'a host on this machine that a proxy passes on', status: 403, reason: 'AddressUnknown' },
    visit: () => browser(served([own], { trustedProxies: 1 })).send('/console/sign-in/google'),
  },
  {
    ...{ name: 'another page to go to', status: 400 },
    visit: ({ send }) => send('/console/sign-in/google?to=https://evil.example'),
  },
  {
    ...{ name: 'an issuer that is none', status: 404 },
    visit: ({ send }) => send('/console/sign-in/nobody', { headers: { Authorization: `Bearer ${key}` } }),
  },
  {
    ...{ name: 'two cookies of a sign-in', status: 403, reason: 'SignInNotBegun' },
    visit: async ({ comeBack, send, cookies }) => {
      const path = await comeBack('ada')
      const { value = '' } = cookies.get('freehold_sign_in_3000') ?? {}
      cookies.set('freehold_sign_in_3000', { value: `${value}; freehold_sign_in_3000=x`, isStrict: false })
      return send(path)
    },
  },
  {
    ...{ name: 'a session in place of a sign-in', status: 403, reason: 'SignInNotBegun' },
    visit: async ({ comeBack, send, cookies }) => {
      const path = await comeBack('ada')
      cookies.set('freehold_sign_in_3000', { value: key, isStrict: false })
      return send(path)
    },
  },
  {
    ...{ name: 'an issuer that is down', status: 503, reason: 'IssuerUnavailable' },
    visit: () => browser(served([{ ...own, issuer: 'http://127.0.0.1:9' }])).send('/console/sign-in/google'),
  },
]

test.each(hostileVisits)('$name: $status', async ({ status, reason: code, visit }) => {
  const ada = browser()
  const answer = await visit(ada)
  expect([answer.status, reason()]).toEqual([status, code])
  // Nobody is signed in, and the page repeats nothing.
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(answer.text).not.toMatch(/<script|alert\(1|access_denied|evil|guessed|State|Issuer|Code/)
  if (status !== 404 && status !== 405) expect(answer.text).toMatch(/<a href="(\.\.\/){1,2}">Begin again<\/a>/)
})

test('the log has no code, state, token or secret, and no page goes elsewhere', async () => {
  const ada = browser()
  const path = await ada.comeBack('ada')
  const { headers } = await ada.send(changed(path, (of) => of.set('to', 'https://evil.example')))
  expect([reason(), headers.get('location')]).toEqual([undefined, '../../'])
  const told = JSON.stringify(lines)
  for (const [name, value] of new URLSearchParams(path.split('?')[1]))
    if (name !== 'iss') expect([name, told.includes(value)]).toEqual([name, false])
  expect(told).not.toContain(issuer.client.secret)
})
