import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { ownTableOf } from '../../../../test/engine/own-table.ts'
import { library } from '../../../../test/library/design.ts'
import { createService, openKeys } from '../index.ts'
import { sessionBounds } from '../keys/browser-sessions.ts'

// A browser is let in by a key or a link, and from then on by a cookie alone.

const minute_ms = 60_000
let now_ms = Date.parse('2026-03-01T12:00:00Z')
const sender = engineSender()

const keys = await openKeys({ sender, table: `console-${randomUUID()}`, now: () => new Date(now_ms) })
const table = await ownTableOf(library, { sender })
const service = createService({
  tables: new Map([['library', { module: { design: library, summary: '' }, table }]]),
  keys,
  log: () => undefined,
})
const key = await keys.newKey('first')

interface Sent {
  readonly method?: string
  readonly cookie?: string | undefined
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly address?: string
}
const own = { 'X-Freehold-Console': '1' }
async function send(path: string, { method = 'GET', cookie, body, headers = own, address = '127.0.0.1' }: Sent = {}) {
  const told = {
    Host: '127.0.0.1:3000',
    ...headers,
    ...(cookie === undefined ? {} : { Cookie: cookie }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  }
  return service.request(path, { method, headers: told, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }, { address })
}
const enter = (body: object, more: Sent = {}) => send('/console/session', { method: 'POST', body, ...more })
const cookieOf = (response: Response) => /^[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0]
const all = ['session', 'catalogue', 'decision', 'evaluation', 'read', 'write', 'flow', 'saved', 'save', 'operation']
const operator = () => ({ keyId: key.keyId, purpose: 'operator', may: all, endsAt: '2026-03-02T00:00:00.000Z' })
const entered = async (of = key) => cookieOf(await enter({ key: of.text }))
const statusOf = async (cookie: string | undefined, sent: Sent = {}) => (await send('/v1', { cookie, ...sent })).status

describe('a session of the console', () => {
  test('is a cookie in place of a key, and speaks as that key', async () => {
    const response = await enter({ key: key.text })
    expect([response.status, response.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringMatching(/^freehold_console_3000=fhs_[^;]+; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect(await response.json()).toEqual(operator())
    const session = await send('/console/session', { cookie: cookieOf(response) })
    expect(await session.json()).toEqual(operator())
    expect(await statusOf(cookieOf(response))).toBe(200)
  })

  test.each([
    ['another host', { Host: 'accounts.example' }],
    ['a host that only looks like loopback', { Host: '127.0.0.1.example' }],
    ['no host', { Host: '' }],
  ])('is secure, and bound to its host, at %s', async (_, headers) => {
    const cookie = (await enter({ key: key.text }, { headers: { ...own, ...headers } })).headers.get('set-cookie')
    expect(cookie).toMatch(/^__Host-freehold_console=fhs_[^;]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
    const plain = `freehold_console_3000=${/=([^;]+)/.exec(cookie ?? '')?.[1]}`
    expect(await statusOf(plain, { headers: { ...own, ...headers } })).toBe(401)
  })

  test.each<[string, (text: string) => string]>([
    ['whose secret is another', (text) => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`],
    [
      'of another session',
      (text) =>
        text.replace(
          /(fhs_.{26}_.{25})./,
          (_, before) => `${before}${text.at(before.length + 'freehold_console_3000='.length) === '0' ? '1' : '0'}`,
        ),
    ],
    ['that is a key', () => `freehold_console_3000=${key.text}`],
    ['that stands beside another one', (text) => `${text}; freehold_console_3000=x`],
    ['of another port', (text) => text.replace('_3000=', '_3001=')],
    ['that is empty', () => 'freehold_console_3000='],
  ])('is not there for a cookie %s', async (_, forged) => {
    expect(await statusOf(forged((await entered()) ?? ''))).toBe(401)
  })

  test.each<[string, Sent, number]>([
    ['a read without the header', { headers: {} }, 200],
    ['a write without the header', { method: 'POST', headers: {}, body: {} }, 403],
    ['a read of another site', { headers: { 'Sec-Fetch-Site': 'cross-site' } }, 403],
    ['a write of a neighbour', { method: 'POST', headers: { ...own, 'Sec-Fetch-Site': 'same-site' }, body: {} }, 403],
    ['a request of its own page', { headers: { ...own, 'Sec-Fetch-Site': 'same-origin' } }, 200],
  ])('%s', async (_, sent, status) => {
    const cookie = await entered()
    expect((await send(sent.method === 'POST' ? '/v1/api-keys' : '/v1', { cookie, ...sent })).status).toBe(status)
  })

  test('is not begun by another site', async () => {
    const statuses = [{ headers: {} }, { headers: { ...own, 'Sec-Fetch-Site': 'cross-site' } }].map(
      async (more) => (await enter({ key: key.text }, more)).status,
    )
    expect(await Promise.all(statuses)).toEqual([403, 403])
  })

  test.each([
    [{ key: 'fhk_nobody' }, 401],
    [{ link: 'fhl_nothing' }, 401],
    [{}, 400],
    [{ key: 'a', link: 'b' }, 400],
    [{ key: 1 }, 400],
    [{ key: 'a', more: 1 }, 400],
  ])('is not begun by %j', async (body, status) => {
    const response = await enter(body)
    expect([response.status, response.headers.get('set-cookie')]).toEqual([status, null])
  })

  test('ends when it is idle for an hour, and is kept by its use', async () => {
    const cookie = await entered()
    for (const minutes of [50, 50]) {
      now_ms += minutes * minute_ms
      expect(await statusOf(cookie)).toBe(200)
      // The use is written beside the request.
      await new Promise(setImmediate)
      await expect.poll(async () => (await keys.sessions.list(key.keyId)).at(-1)?.usedAt).toBe(new Date(now_ms).toISOString())
    }
    now_ms += sessionBounds.idle_ms
    expect(await statusOf(cookie)).toBe(401)
  })

  test('ends after twelve hours though it is used', async () => {
    const cookie = await entered()
    const statuses: number[] = []
    for (let hours = 0; hours < 12.5; hours += 0.5) {
      statuses.push(await statusOf(cookie))
      await new Promise(setImmediate)
      now_ms += 30 * minute_ms
    }
    expect(statuses.slice(-2)).toEqual([200, 401])
  })

  test('ends with its key, which is revoked or expires', async () => {
    const until = new Date(now_ms + 30 * minute_ms).toISOString()
    const [short, revoked] = [await keys.newKey('short', { expiresAt: until }), await keys.newKey('revoked')]
    const cookies = [await entered(short), await entered(revoked)]
    expect(await Promise.all(cookies.map((each) => statusOf(each)))).toEqual([200, 200])
    await keys.revoke(revoked.keyId)
    expect(await statusOf(cookies[1])).toBe(401)
    expect(await keys.sessions.list(revoked.keyId)).toEqual([])
    now_ms += 30 * minute_ms
    expect(await statusOf(cookies[0])).toBe(401)
  })

  test('ends by its browser, or by an operator, who sees it beside its key', async () => {
    const [first, second] = [await entered(), await entered()]
    const closed = await send('/console/session', { method: 'DELETE', cookie: first })
    expect([closed.status, closed.headers.get('set-cookie')]).toEqual([204, expect.stringMatching(/^freehold_console_3000=; .*Max-Age=0$/)])
    const path = `/v1/api-keys/sessions?keyId=${key.keyId}`
    const { sessions } = (await (await send(path, { cookie: second })).json()) as { sessions: { sessionId: string }[] }
    expect(sessions).toHaveLength(1)
    expect(JSON.stringify(sessions)).not.toMatch(/secret|fhs_/)
    expect((await send(`${path}&sessionId=${sessions[0]?.sessionId}`, { method: 'DELETE', cookie: second })).status).toBe(204)
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401])
  })

  test.each(['', ' ', '\u0085', 'x'.repeat(5_000), 'é'.repeat(300)])('is begun by a browser that names itself %j', async (agent) => {
    expect((await enter({ key: key.text }, { headers: { ...own, 'User-Agent': agent } })).status).toBe(200)
  })

  test('is one of 50 at most: with one more the oldest ends', async () => {
    const many = await keys.newKey('many')
    const cookies: (string | undefined)[] = []
    for (let count = 0; count <= sessionBounds.most; count++) {
      // Ids of the same millisecond have no order that lasts.
      now_ms++
      cookies.push(await entered(many))
    }
    expect(await keys.sessions.list(many.keyId)).toHaveLength(sessionBounds.most)
    expect([await statusOf(cookies[0]), await statusOf(cookies[1])]).toEqual([401, 200])
  })

  test('of a key with a purpose has its limits', async () => {
    const cookie = await entered(await keys.newKey('decides', { purpose: 'decisions' }))
    expect([await statusOf(cookie), (await send('/v1/api-keys', { cookie })).status]).toEqual([200, 403])
  })
})

test('an API key needs no session, and has none', async () => {
  const headers = { Authorization: `Bearer ${key.text}` }
  for (const method of ['GET', 'DELETE']) expect((await send('/console/session', { method, headers })).status).toBe(403)
})

test('a browser that enters again leaves the session that it had', async () => {
  const first = cookieOf(await enter({ key: key.text }))
  expect((await enter({ key: key.text }, { headers: { ...own, Cookie: first ?? '' } })).status).toBe(200)
  expect((await send('/console/session', { cookie: first, headers: own })).status).toBe(401)
})

describe('a link to the console', () => {
  test('opens it once, from this machine, within ten minutes', async () => {
    const { text: link } = await keys.sessions.newLink(key.keyId)
    expect((await enter({ link }, { address: '192.0.2.1' })).status).toBe(401)
    expect((await enter({ link: `${link.slice(0, -43)}${'A'.repeat(43)}` })).status).toBe(401)
    const both = await Promise.all([enter({ link }), enter({ link })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await enter({ link })).status).toBe(401)
    const { text: late } = await keys.sessions.newLink(key.keyId)
    now_ms += 10 * minute_ms
    expect((await enter({ link: late })).status).toBe(401)
  })

  test.each(['X-Forwarded-For', 'Forwarded'])('is of nobody behind a proxy on this machine, which sends %s', async (name) => {
    const { text: link } = await keys.sessions.newLink(key.keyId)
    expect((await enter({ link }, { headers: { ...own, [name]: '192.0.2.1' } })).status).toBe(401)
    expect((await enter({ link })).status).toBe(200)
  })

  test('is one of 50 at most', async () => {
    const links = [await keys.sessions.newLink(key.keyId)]
    for (let count = 0; count < sessionBounds.most; count++) {
      now_ms++
      links.push(await keys.sessions.newLink(key.keyId))
    }
    const [oldest, ...others] = links
    expect((await enter({ link: oldest?.text })).status).toBe(401)
    expect((await enter({ link: others.at(0)?.text })).status).toBe(200)
  })

  test('is a use of its key', async () => {
    const fresh = await keys.newKey('fresh')
    const { text: link } = await keys.sessions.newLink(fresh.keyId)
    expect((await enter({ link })).status).toBe(200)
    const used = async () => (await keys.list()).find(({ keyId }) => keyId === fresh.keyId)?.lastUsedAt
    await expect.poll(used).toBe(new Date(now_ms).toISOString())
  })

  test('is made for the key of its caller, by the service, too', async () => {
    const response = await send('/v1/api-keys/links', { method: 'POST', headers: { Authorization: `Bearer ${key.text}` } })
    const { text } = (await response.json()) as { text: string }
    const entered = await enter({ link: text })
    expect(entered.status).toBe(200)
    // A session that opened others would outlive its own end.
    const again = await send('/v1/api-keys/links', { method: 'POST', cookie: cookieOf(entered), headers: own })
    expect(again.status).toBe(403)
  })

  test('of a revoked key opens nothing', async () => {
    const gone = await keys.newKey('gone')
    const { text: link } = await keys.sessions.newLink(gone.keyId)
    await keys.revoke(gone.keyId)
    expect((await enter({ link })).status).toBe(401)
  })
})
