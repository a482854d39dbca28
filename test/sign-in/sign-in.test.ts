import { meter } from '@freehold/table'
import { boundedWork } from '@freehold/table/runtime'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDataKeys, passwordHashing, resealFactors, withNewDataKey } from '../../packages/frame/src/credentials/index.ts'
import { isOwnForm } from '../../packages/service/src/sign-in/own-form.ts'
import { countedHashing, type ServedPeople, servedPeople } from './served-people.ts'

// People sign in over HTTP, as a browser sends what its forms hold. The clock stands until a test moves it.

const minute_ms = 60_000
const hashing = countedHashing()
let served: ServedPeople
beforeAll(async () => {
  served = await servedPeople({ hashing })
})

const good = 'seven green tables in a row'
let people = 0
const person = async (password = good) => {
  const email = `person${++people}@ours.example`
  return { email, id: await served.person(email, password) }
}

let sources = 0
/** A browser of its own source: it keeps its cookie, and sends its forms from its own pages. */
function browser({ address = `192.0.2.${++sources % 250}`, headers = {} as Readonly<Record<string, string>> } = {}) {
  let cookie: string | undefined
  const send = async (method: string, path: string, fields?: Readonly<Record<string, string>>) => {
    const body = fields === undefined ? undefined : new URLSearchParams(fields).toString()
    const response = await served.service.request(
      path,
      {
        method,
        headers: {
          Host: 'kontor.example',
          ...(method === 'POST' ? { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
          ...(cookie === undefined ? {} : { Cookie: cookie }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      },
      { address },
    )
    const set = response.headers.get('set-cookie')
    if (set !== null) cookie = /^[^;]+/.exec(set)?.[0]
    return { status: response.status, text: await response.text(), to: response.headers.get('location'), set, headers: response.headers }
  }
  return {
    get: (path: string) => send('GET', path),
    post: (path: string, fields: Readonly<Record<string, string>> = {}) => send('POST', path, fields),
    cookie: () => cookie,
    withCookie: (text: string | undefined) => {
      cookie = text
    },
    signIn: (email: string, password = good) => send('POST', '/sign-in', { address: email, password }),
    isIn: async () => (await send('GET', '/account')).status === 200,
  }
}

const secretIn = (text: string) => (/<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '')
const proposalIn = (text: string) => /name="proposal" value="([^"]+)"/.exec(text)?.[1] ?? ''
const codeOf = (secret: string, away_ms = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: served.now().getTime() + away_ms })
/** A person with a second factor, and its browser. */
async function withFactor() {
  const { email, id } = await person()
  const own = browser()
  await own.signIn(email)
  const page = await own.get('/account/factor')
  const secret = secretIn(page.text)
  const on = await own.post('/account/factor', { password: good, first: codeOf(secret), proposal: proposalIn(page.text) })
  const recovery = [...on.text.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code = '']) => code)
  served.pass(minute_ms)
  const isOut = !(await own.isIn())
  await own.signIn(email)
  await own.post('/sign-in/code', { code: codeOf(secret) })
  served.pass(minute_ms)
  return { email, id, own, secret, recovery, status: on.status, isOut }
}

describe('a sign-in', () => {
  test('with the right password leads to the account, in a cookie that no script reads', async () => {
    const { email } = await person()
    const own = browser()
    expect(await own.isIn()).toBe(false)
    const done = await own.signIn(email.toUpperCase())
    expect([done.status, done.to]).toEqual([303, 'account'])
    expect(done.set).toMatch(/^__Host-freehold_account=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=\d+$/)
    expect((await own.get('/account')).text).toContain(email)
  })

  test('is recorded, with where it came from', async () => {
    const { email, id } = await person()
    await browser({ address: '198.51.100.7', headers: { 'User-Agent': 'a browser' } }).signIn(email)
    const [session] = (await served.table.sessionsOfUser({ user_id: id })).items
    expect(session).toMatchObject({ status: 'active', ip_address: '198.51.100.7', user_agent: 'a browser', mfa_verified: false })
    const { last_login_at } = (await served.table.User.get({ id })) ?? {}
    expect(last_login_at).toBe(session?.session_start)
  })

  test('looks the same, and costs the same, whether the address is known or not', async () => {
    const { email } = await person()
    const [{ email: disabled, id }, { email: right, id: rightId }, factor] = [await person(), await person(), await withFactor()]
    for (const each of [id, rightId, factor.id]) await served.operator.disableUser({ id: each })
    const invited = 'invited@ours.example'
    await served.operator.inviteUser({ client_id: served.client.id, email: invited, user_type: 'client_admin' })
    const told = async (typed: string, password = 'a wrong password') => {
      const before = hashing.count()
      const { result, cost } = await meter(() => browser().signIn(typed, password))
      return [result.status, result.text.replaceAll(typed, ''), result.set, hashing.count() - before, cost.roundTrips, cost.requests]
    }
    const known = await told(email)
    expect(known.slice(3)).toEqual([1, 2, 6])
    for (const typed of [disabled, invited, 'nobody@ours.example', 'no address at all']) expect(await told(typed)).toEqual(known)
    for (const typed of [right, factor.email]) expect(await told(typed, good)).toEqual(known)
    // Also once there is a count.
    expect(await told('nobody@ours.example')).toEqual(await told(email))
    expect(known[0]).toBe(403)
  })

  test('costs one hash, and four round trips', async () => {
    const { email } = await person()
    const before = hashing.count()
    const { result, cost } = await meter(() => served.signIn.password({ address: email, password: good }, { ip_address: '198.51.100.1' }))
    expect('session' in result).toBe(true)
    expect([hashing.count() - before, cost.roundTrips]).toEqual([1, 4])
  })

  test('ends the session that the browser had, so that nobody fixes one', async () => {
    const one = await person()
    for (const other of [await person(), await withFactor()]) {
      const own = browser()
      await own.signIn(one.email)
      const former = own.cookie()
      await own.signIn(other.email)
      expect(own.cookie()).not.toBe(former)
      own.withCookie(former)
      expect(await own.isIn()).toBe(false)
    }
  })

  test('makes an imported hash anew, with a second hash this once', async () => {
    const real = await servedPeople({ hashing: passwordHashing })
    const id = await real.person('old@ours.example', good)
    // Of bcrypt: of `abc`, by the test vectors of jBCrypt.
    await real.table.User.update({ id }, { password_hash: '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i' })
    const hashOf = async () => (await real.table.User.get({ id }, { consistent: true, secrets: ['password_hash'] }))?.password_hash ?? ''
    const attempt = (password: string, device?: string) => real.signIn.password({ address: 'old@ours.example', password }, { device })
    expect([await attempt('abd'), (await hashOf()).slice(0, 4)]).toEqual([{ no: 'wrong' }, '$2a$'])
    const begun = await attempt('abc')
    expect(['session' in begun, (await hashOf()).slice(0, 10)]).toEqual([true, '$argon2id$'])
    expect('session' in (await attempt('abc'))).toBe(true)
    // The device is known by the new hash.
    for (let times = 0; times < 5; times++) await attempt('abd')
    expect(await attempt('abc')).toMatchObject({ no: 'wait' })
    expect('session' in (await attempt('abc', 'device' in begun ? begun.device : undefined))).toBe(true)
  })
})

describe('a form', () => {
  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['of another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['of a neighbour', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['of nobody', { 'Sec-Fetch-Site': 'none' }, 403],
    ['of another origin', { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' }, 403],
    ['as JSON', { 'Content-Type': 'application/json' }, 415],
    ['as plain text', { 'Content-Type': 'text/plain' }, 415],
  ])('%s is refused', async (_, headers, status) => {
    const { email } = await person()
    const sent = Object.fromEntries(Object.entries(headers))
    const own = browser({ headers: sent })
    const done = await own.signIn(email)
    expect([done.status, done.set]).toEqual([status, null])
    expect(done.headers.get('content-type')).toMatch(/^text\/html/)
  })

  test.each([
    [{ Origin: 'https://kontor.example' }, 303],
    [{ Origin: 'https://evil.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{}, 403],
  ])('of a browser that tells no site is known by its origin: %j', async (headers, status) => {
    const { email } = await person()
    const body = new URLSearchParams({ address: email, password: good }).toString()
    const sent = { Host: 'kontor.example', 'Content-Type': 'application/x-www-form-urlencoded', ...headers }
    expect((await served.service.request('/sign-in', { method: 'POST', headers: sent, body })).status).toBe(status)
  })

  test('may be of the address that the settings have, behind a proxy that changes the host', () => {
    const headers = new Headers({ Host: 'inner', Origin: 'https://kontor.example' })
    const addresses = ['https://kontor.example/id', 'https://evil.example', undefined]
    expect(addresses.map((publicUrl) => isOwnForm(headers, publicUrl))).toEqual([true, false, false])
  })

  // A mebibyte of marks, composed, keeps a process busy for minutes; a longer text is no field of these pages.
  test.each<[string, number]>([
    ['address=a&address=b', 400],
    ['address=%ff', 400],
    [`password=${'a'.repeat(1_001)}`, 400],
    ['\ud800', 403],
  ])('is refused that is %j', async (body, status) => {
    const sent = { Host: 'kontor.example', 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }
    expect((await served.service.request('/sign-in', { method: 'POST', headers: sent, body })).status).toBe(status)
  })
})

test.each(['/sign-in', '/sign-in/code', '/sign-in/forgotten', '/sign-in/reset', '/sign-in/invitation'])(
  'the page %s runs no script, is kept by nobody, and is framed by nobody',
  async (path) => {
    const { headers, text } = await browser().get(path)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    )
    expect([headers.get('cache-control'), headers.get('referrer-policy'), headers.get('x-content-type-options')]).toEqual([
      'no-store',
      'same-origin',
      'nosniff',
    ])
    expect(text).not.toMatch(/<script|https?:/)
  },
)

test('a hostile text is text', async () => {
  const typed = '"><script>window.ran=1</script>\u202e'
  expect((await browser().signIn(typed, 'x')).text).toContain('&quot;&gt;&lt;script&gt;')
})

describe('a session', () => {
  test('ends when it is idle for an hour, and is kept by its use', async () => {
    const { email } = await person()
    const own = browser()
    await own.signIn(email)
    for (const minutes of [50, 50]) {
      served.pass(minutes * minute_ms)
      expect(await own.isIn()).toBe(true)
    }
    served.pass(60 * minute_ms)
    expect(await own.isIn()).toBe(false)
  })

  test('ends after twelve hours though it is used', async () => {
    const { email } = await person()
    const own = browser()
    await own.signIn(email)
    const states: boolean[] = []
    for (let minutes = 0; minutes < 12.5 * 60; minutes += 25) {
      states.push(await own.isIn())
      served.pass(25 * minute_ms)
    }
    expect(states.slice(-2)).toEqual([true, false])
    // Its text says so, whatever the table has.
    const [, text = ''] = /=([^~]+)/.exec(own.cookie() ?? '') ?? []
    const { until, ends } = Object(served.keys.signed('session', text))
    expect([until > 0, until]).toEqual([true, ends])
  })

  test('has a way to sign out on each page', async () => {
    const { own } = await withFactor()
    for (const path of ['/account', '/account/password', '/account/factor', '/account/factor/off'])
      expect((await own.get(path)).text).toMatch(/action="[./]*account\/sign-out">\n<button>Sign out</)
  })

  test('ends by signing out, also for a copy of its cookie', async () => {
    const { email } = await person()
    const own = browser()
    await own.signIn(email)
    const copy = browser()
    copy.withCookie(own.cookie())
    expect([(await own.post('/account/sign-out')).to, await own.isIn(), await copy.isIn()]).toEqual(['../sign-in', false, false])
  })

  test.each<[string, (id: string) => Promise<unknown>]>([
    [
      'it is revoked',
      async (user_id) => served.operator.revokeSession({ id: (await served.table.sessionsOfUser({ user_id })).items[0]?.id ?? '' }),
    ],
    ['all are revoked', async (user_id) => served.operator.revokeSessions({ user_id })],
    ['the user is disabled', async (id) => served.operator.disableUser({ id })],
    ['another program disables the user', async (id) => served.table.User.update({ id }, { status: 'disabled' })],
    [
      'another program moves the user',
      async (id) => served.table.User.update({ id }, { client_id: (await served.operator.createClient({ name: 'Other' })).id }),
    ],
    ['the user is deleted', async (id) => served.operator.deleteUser({ id })],
    ['the address changes', async (id) => served.operator.changeUserEmail({ id, email: `new-${id}@ours.example` })],
  ])('is refused at the next request once %s', async (_, end) => {
    const { email, id } = await person()
    const own = browser()
    await own.signIn(email)
    expect(await own.isIn()).toBe(true)
    await end(id)
    expect(await own.isIn()).toBe(false)
  })

  test('is refused once its client is suspended', async () => {
    const { email } = await person()
    const own = browser()
    await own.signIn(email)
    const { id } = served.client
    // As by another program, which ends no session.
    for (const status of ['suspended', 'active'] as const) {
      await served.table.Client.update({ id }, { status })
      expect(await own.isIn()).toBe(status === 'active')
    }
    await served.operator.suspendClient({ id })
    expect([await own.isIn(), (await browser().signIn(email)).status]).toEqual([false, 403])
    await served.operator.reactivateClient({ id: served.client.id })
    expect((await browser().signIn(email)).status).toBe(303)
  })

  test.each<[string, (text: string) => string]>([
    ['is forged', (text) => text.replace(/\.[^~]*/, '.AAAA')],
    ['has another content', (text) => text.replace(/=[^.]+/, `=${Buffer.from('{"until":9999999999999}').toString('base64url')}`)],
    ['is half a sign-in', () => `__Host-freehold_account=${served.keys.sign('half', { until: 9e15 })}~`],
    ['stands beside another one', (text) => `${text}; ${text}`],
  ])('is none if its cookie %s', async (_, forged) => {
    const { email } = await person()
    const own = browser()
    await own.signIn(email)
    own.withCookie(forged(own.cookie() ?? ''))
    expect(await own.isIn()).toBe(false)
  })
})

describe('a link', () => {
  const pathOf = (email: string) => {
    const { pathname, search } = new URL(served.linkTo(email))
    return pathname + search
  }
  const asked = async (email: string) => {
    const { status } = await browser().post('/sign-in/forgotten', { address: email })
    expect(status).toBe(200)
    return pathOf(email)
  }
  const next = 'another eight blue chairs'

  test('of an invitation lets a person choose a password, once', async () => {
    const email = `invited${++people}@ours.example`
    const { id } = await served.operator.inviteUser({ client_id: served.client.id, email, user_type: 'client_admin' })
    const own = browser()
    expect((await own.signIn(email, next)).status).toBe(403)
    const path = pathOf(email)
    expect(path).toMatch(/^\/sign-in\/invitation\?link=/)
    // A mail program opens the link first.
    for (let times = 0; times < 2; times++) expect((await own.get(path)).status).toBe(200)
    expect((await own.post(path, { next: 'too short' })).text).toContain('It needs at least 15')
    expect((await own.post(path, { next })).status).toBe(200)
    expect((await own.post(path, { next: `${next} again` })).status).toBe(403)
    expect((await own.get(path)).status).toBe(403)
    expect((await own.signIn(email, next)).to).toBe('account')
    expect((await served.table.User.get({ id }))?.invitation_status).toBe('accepted')
  })

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['seven days have passed', async () => served.pass(7 * 24 * 60 * minute_ms)],
    ['it is renewed', async (id) => served.operator.renewInvitation({ id })],
    ['it is withdrawn', async (id) => served.operator.disableUser({ id })],
  ])('of an invitation is not good once %s', async (_, end) => {
    const email = `invited${++people}@ours.example`
    const { id } = await served.operator.inviteUser({ client_id: served.client.id, email, user_type: 'client_admin' })
    const path = pathOf(email)
    served.pass(1)
    await end(id)
    expect((await browser().post(path, { next })).status).toBe(403)
  })

  test('that was renewed is sent anew, and who lost an invitation asks for it as for a password', async () => {
    const email = `invited${++people}@ours.example`
    const { id } = await served.operator.inviteUser({ client_id: served.client.id, email, user_type: 'client_admin' })
    served.pass(8 * 24 * 60 * minute_ms)
    await served.operator.renewInvitation({ id })
    expect((await browser().get(pathOf(email))).status).toBe(200)
    expect(await asked(email)).toMatch(/^\/sign-in\/invitation/)
  })

  test('of an invitation is good no longer than that, however late it was sent', async () => {
    const email = `invited${++people}@ours.example`
    await served.operator.inviteUser({ client_id: served.client.id, email, user_type: 'client_admin' })
    served.pass(6 * 24 * 60 * minute_ms)
    const path = await asked(email)
    expect((await browser().get(path)).status).toBe(200)
    served.pass(24 * 60 * minute_ms)
    expect((await browser().get(path)).status).toBe(403)
  })

  test('for a forgotten password is good once, and ends every session', async () => {
    const { email } = await person()
    const own = browser()
    await own.signIn(email)
    const path = await asked(email)
    const other = browser()
    expect((await other.post(path, { next })).status).toBe(200)
    expect([await own.isIn(), await other.isIn()]).toEqual([false, false])
    expect((await other.post(path, { next: `${next} again` })).status).toBe(403)
    expect([(await other.signIn(email)).status, (await other.signIn(email, next)).status]).toEqual([403, 303])
  })

  test('is good once, however many use it at once', async () => {
    const { email } = await person()
    const path = await asked(email)
    const done = await Promise.all([1, 2, 3, 4].map((each) => browser().post(path, { next: `${next} ${each}` })))
    expect(done.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
  })

  test.each<[string, (of: { id: string; email: string }) => Promise<unknown>]>([
    ['fifteen minutes have passed', async () => served.pass(15 * minute_ms)],
    ['the password was changed', async ({ id }) => served.operator.setPassword({ id, password_hash: await hashing.hash('x') })],
    ['the address was changed', async ({ id }) => served.operator.changeUserEmail({ id, email: `changed-${id}@ours.example` })],
    ['the user was disabled', async ({ id }) => served.operator.disableUser({ id })],
    [
      'the second factor was changed',
      async ({ id }) =>
        served.operator.setMfa({ id, mfa_type: 'totp', mfa_secret: served.keys.seal('x'.repeat(40), { user: id, kind: 'totp' }) }),
    ],
  ])('for a forgotten password is not good once %s', async (_, end) => {
    const of = await person()
    const path = await asked(of.email)
    await end(of)
    expect((await browser().post(path, { next })).status).toBe(403)
  })

  test('of one kind is none of another, nor of another person', async () => {
    const [one, other] = [await person(), await person()]
    const path = await asked(one.email)
    expect((await browser().get(path.replace('reset', 'invitation'))).status).toBe(403)
    const [content] = path.split('.')
    const [, mac] = (await asked(other.email)).split('.')
    expect((await browser().get(`${content}.${mac}`)).status).toBe(403)
  })

  test('is asked for alike, and costs alike, whether the address is known or not', async () => {
    const { email } = await person()
    const told = async (address: string) => {
      const { result, cost } = await meter(() => browser().post('/sign-in/forgotten', { address }))
      return [result.status, result.text, cost.roundTrips, cost.requests]
    }
    const [{ email: disabled, id }, sent] = [await person(), served.mails.length]
    await served.operator.disableUser({ id })
    for (const nobody of ['nobody-at-all@ours.example', disabled]) expect(await told(nobody)).toEqual(await told(email))
    // Who has accepted is not invited again.
    await served.signIn.invite(id)
    expect(served.mails.slice(sent).map(({ to }) => to)).toEqual([email, email])
  })

  test('goes by mail a few times, and then waits', async () => {
    const { email } = await person()
    const statuses: number[] = []
    for (let times = 0; times < 5; times++) statuses.push((await browser().post('/sign-in/forgotten', { address: email })).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  test('goes to a person ten times in a day, whoever asks, and to a device of the person besides', async () => {
    const { email } = await person()
    const own = browser()
    await own.signIn(email)
    await own.post('/account/sign-out')
    const sent = () => served.mails.filter(({ to }) => to === email).length
    const before = sent()
    for (let times = 0; times < 20; times++) {
      await browser().post('/sign-in/forgotten', { address: email })
      served.pass(minute_ms)
    }
    expect(sent() - before).toBe(10)
    const refused = await browser().post('/sign-in/forgotten', { address: email })
    expect([refused.status, /Wait (\d+) hours/.exec(refused.text)?.[1]]).toEqual([429, '24'])
    expect([(await own.post('/sign-in/forgotten', { address: email })).status, sent() - before]).toEqual([200, 11])
    served.pass(24 * 60 * minute_ms)
    expect((await browser().post('/sign-in/forgotten', { address: email })).status).toBe(200)
  })

  test('goes from a source to a hundred people in a day', async () => {
    const address = '203.0.113.77'
    const statuses: number[] = []
    for (let times = 0; times < 105; times++) {
      statuses.push((await browser({ address }).post('/sign-in/forgotten', { address: `flood${times}@ours.example` })).status)
      served.pass(minute_ms)
    }
    expect([statuses.indexOf(429), statuses.at(-1)]).toEqual([100, 429])
  })

  test('signs nobody in who has a second factor', async () => {
    const { email, secret } = await withFactor()
    const path = await asked(email)
    const own = browser()
    expect((await own.post(path, { next: 'grüne 8' })).status).toBe(403)
    expect((await own.post(path, { next: 'grüner 8er' })).status).toBe(200)
    expect((await own.signIn(email, 'grüner 8er')).to).toBe('sign-in/code')
    expect(await own.isIn()).toBe(false)
    expect((await own.post('/sign-in/code', { code: codeOf(secret) })).to).toBe('../account')
    served.pass(minute_ms)
    const off = await own.post('/account/factor/off', { password: 'grüner 8er', code: codeOf(secret) })
    expect([off.status, off.text.includes('before you take the second factor away')]).toEqual([403, true])
  })
})

describe('a second factor', () => {
  test('is asked for after the password, and its secret is encrypted', async () => {
    const { email, id, secret, recovery, status } = await withFactor()
    expect([status, recovery.length]).toEqual([200, 10])
    const own = browser()
    expect((await own.signIn(email)).to).toBe('sign-in/code')
    expect(await own.isIn()).toBe(false)
    expect((await own.post('/sign-in/code', { code: codeOf(secret) })).to).toBe('../account')
    expect(await own.isIn()).toBe(true)
    const user = await served.table.User.get({ id }, { secrets: ['mfa_secret'] })
    expect(user).toMatchObject({ mfa_enabled: true, mfa_type: 'totp', mfa_secret: expect.stringMatching(/^aes-256-gcm:/) })
    expect(JSON.stringify(user)).not.toContain(secret)
    const [session] = (await served.table.sessionsOfUser({ user_id: id })).items
    expect(session?.mfa_verified).toBe(true)
  })

  test('ends every session once it is turned on or replaced, also that of its browser', async () => {
    const { email, own, secret, isOut } = await withFactor()
    expect([isOut, await own.isIn()]).toEqual([true, true])
    const { text } = await own.get('/account/factor')
    const given = { password: good, code: codeOf(secret), first: codeOf(secretIn(text)), proposal: proposalIn(text) }
    expect([(await own.post('/account/factor', given)).status, await own.isIn()]).toEqual([200, false])
    const { email: other } = await person()
    const both = [browser(), browser()]
    for (const each of both) await each.signIn(other)
    const turnedOn = await Promise.all(
      both.map(async (each) => {
        const page = await each.get('/account/factor')
        return each.post('/account/factor', { password: good, first: codeOf(secretIn(page.text)), proposal: proposalIn(page.text) })
      }),
    )
    expect(turnedOn.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await Promise.all(both.map((each) => each.isIn()))).toEqual([false, false])
    expect((await own.signIn(email)).to).toBe('sign-in/code')
  })

  test('is set by the password and a first code of the page, which is good for ten minutes', async () => {
    const [{ email, id }, other] = [await person(), await person()]
    const foreign = browser()
    await foreign.signIn(other.email)
    const own = browser()
    await own.signIn(email)
    const { text } = await own.get('/account/factor')
    const given = () => ({ password: good, first: codeOf(secretIn(text)), proposal: proposalIn(text) })
    const proposal = proposalIn((await foreign.get('/account/factor')).text)
    for (const wrong of [{ password: 'wrong' }, { first: '000000' }, { proposal }, { proposal: '' }])
      expect((await own.post('/account/factor', { ...given(), ...wrong })).status).toBe(403)
    served.pass(10 * minute_ms)
    expect((await own.post('/account/factor', given())).status).toBe(403)
    expect([(await served.table.User.get({ id }, { consistent: true }))?.mfa_enabled, await own.isIn()]).toEqual([false, true])
  })

  test('takes each code once, also of two at once', async () => {
    const { email, secret } = await withFactor()
    const code = codeOf(secret)
    const both = [browser(), browser()]
    for (const each of both) await each.signIn(email)
    const done = await Promise.all(both.map((each) => each.post('/sign-in/code', { code })))
    expect(done.map(({ status }) => status).sort()).toEqual([303, 403])
    const third = browser()
    await third.signIn(email)
    expect((await third.post('/sign-in/code', { code })).status).toBe(403)
  })

  test('takes each code once within a session, too, also of two at once', async () => {
    const { own, secret } = await withFactor()
    const end = () => own.post('/account/sessions', { session: 'others', password: good, code: codeOf(secret) })
    const done = await Promise.all([end(), end()])
    expect([...done, await end()].map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })

  test('takes each recovery code once', async () => {
    const { email, recovery } = await withFactor()
    const statuses: number[] = []
    for (const code of [recovery[0] ?? '', recovery[0] ?? '', recovery[1] ?? '']) {
      const own = browser()
      await own.signIn(email)
      statuses.push((await own.post('/sign-in/code', { code })).status)
    }
    expect(statuses).toEqual([303, 403, 303])
  })

  test.each<[string, (of: { id: string; own: ReturnType<typeof browser> }) => Promise<unknown>]>([
    ['ten minutes have passed', async () => served.pass(10 * minute_ms)],
    ['the password was changed', async ({ id }) => served.operator.setPassword({ id, password_hash: await hashing.hash('other') })],
    ['its cookie is gone', async ({ own }) => own.withCookie(undefined)],
  ])('completes no sign-in once %s', async (_, end) => {
    const { email, id, secret } = await withFactor()
    const own = browser()
    await own.signIn(email)
    await end({ id, own })
    expect((await own.post('/sign-in/code', { code: codeOf(secret) })).status).toBe(403)
  })

  test('is guessed a few times, and then waits; a right password before it is no guess', async () => {
    const { email, secret } = await withFactor()
    const own = browser()
    for (let times = 0; times < 7; times++) expect((await own.signIn(email)).to).toBe('sign-in/code')
    const statuses: number[] = []
    for (let times = 0; times < 7; times++) statuses.push((await own.post('/sign-in/code', { code: '000000' })).status)
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429])
    served.pass(minute_ms)
    expect((await own.post('/sign-in/code', { code: codeOf(secret) })).status).toBe(303)
  })

  test('goes with password and code, and not with either alone', async () => {
    const { own, id, secret, email } = await withFactor()
    const state = async () => (await served.table.User.get({ id }))?.mfa_enabled
    expect((await own.post('/account/factor/off', { password: good, code: '000000' })).status).toBe(403)
    expect((await own.post('/account/factor/off', { password: 'wrong', code: codeOf(secret) })).status).toBe(403)
    expect(await state()).toBe(true)
    expect((await own.post('/account/factor/off', { password: good, code: codeOf(secret) })).status).toBe(200)
    expect([await state(), await own.isIn()]).toEqual([false, false])
    expect((await own.signIn(email)).to).toBe('account')
  })

  test('of which the secret is lost lets nobody in', async () => {
    const { email, id } = await person()
    await served.table.User.update({ id }, { mfa_enabled: true })
    const own = browser()
    expect((await own.signIn(email)).to).toBe('sign-in/code')
    expect((await own.post('/sign-in/code', { code: '000000' })).status).toBe(403)
  })

  test('is encrypted by a new data key, and stays good', async () => {
    const { id } = await withFactor()
    const sealedOf = async () => (await served.table.User.get({ id }, { consistent: true, secrets: ['mfa_secret'] }))?.mfa_secret ?? ''
    const before = await sealedOf()
    // The keys of the service, and one that is newer.
    const next = await openDataKeys(await withNewDataKey(undefined, served.now()))
    const both = { ...next, open: served.keys.open, isCurrent: next.isCurrent }
    expect(await resealFactors(served.store, both)).toBeGreaterThan(0)
    const after = await sealedOf()
    const of = { user: id, kind: 'totp' }
    expect([after === before, next.open(after, of), next.isCurrent(after)]).toEqual([false, served.keys.open(before, of), true])
    expect(await resealFactors(served.store, both)).toBe(0)
    await resealFactors(served.store, { ...served.keys, open: next.open })
  })
})

test('all others end, however many sessions have ended since they began', async () => {
  const { email } = await person()
  const [theirs, own] = [browser(), browser()]
  await theirs.signIn(email)
  for (let count = 0; count < 51; count++) {
    served.pass(1)
    await own.signIn(email)
  }
  expect((await own.get('/account/sessions')).text).toMatch(/name="session" value="(?!others)[^"]+" required/)
  expect((await own.post('/account/sessions', { session: 'others', password: good })).status).toBe(200)
  expect([await own.isIn(), await theirs.isIn()]).toEqual([true, false])
})

test('a person sees its sessions, and ends one or all others after signing in again', async () => {
  const { email } = await person()
  const browsers = Array.from({ length: 4 }, (_, index) => browser({ headers: { 'User-Agent': `<b>browser ${index}` } }))
  for (const each of browsers) {
    await each.signIn(email)
    served.pass(1)
  }
  const [own, second] = browsers
  if (own === undefined || second === undefined) throw new Error('There are four browsers.')
  const open = async () => Promise.all(browsers.map((each) => each.isIn()))
  const { text } = await own.get('/account/sessions')
  expect([text.includes('<b>'), /This session<.h2>\s+<p>\s+<span><bdi>[^<]*browser 0/.test(text)]).toEqual([false, true])
  const idOf = (name: string) => new RegExp(`value="([^"]+)" required[^<]*<span><bdi>[^<]*${name}`).exec(text)?.[1] ?? ''
  const end = (session: string, password = good) => own.post('/account/sessions', { session, password })
  expect([(await end(idOf('browser 1'), 'wrong')).status, await open()]).toEqual([403, [true, true, true, true]])
  // Nobody ends a session of another person.
  const stranger = await person()
  const other = browser()
  await other.signIn(stranger.email)
  const [foreign] = (await served.table.sessionsOfUser({ user_id: stranger.id })).items
  expect([(await end(foreign?.id ?? '')).status, await other.isIn()]).toEqual([200, true])
  expect([(await end(idOf('browser 1'))).status, await open()]).toEqual([200, [true, false, true, true]])
  const last = await end('others')
  expect([last.text.includes('name="session"'), await open()]).toEqual([false, [true, false, false, false]])
})

describe('a change of the password', () => {
  const next = 'another eight blue chairs'
  test('needs the old one, and ends every session', async () => {
    const { email } = await person()
    const [own, other] = [browser(), browser()]
    await own.signIn(email)
    await other.signIn(email)
    expect((await own.post('/account/password', { password: 'wrong', next })).status).toBe(403)
    expect((await own.post('/account/password', { password: good, next: 'lovelace lovelace' })).text).toContain('made of lovelace')
    expect((await own.post('/account/password', { password: good, next })).status).toBe(200)
    expect([await own.isIn(), await other.isIn(), (await own.signIn(email, next)).to]).toEqual([false, false, 'account'])
  })

  test('is guessed a few times, and then waits; a code that was guessed elsewhere counts, too', async () => {
    const { email } = await person()
    const own = browser()
    await own.signIn(email)
    const statuses: number[] = []
    for (let times = 0; times < 7; times++)
      statuses.push((await own.post('/account/password', { password: `wrong ${times}`, next })).status)
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429])
    const of = await withFactor()
    const device = browser()
    device.withCookie(of.own.cookie()?.replace(/=[^~]*/, '='))
    await device.signIn(of.email)
    for (let times = 0; times < 5; times++) await device.post('/sign-in/code', { code: '000000' })
    expect((await of.own.post('/account/password', { password: good, code: codeOf(of.secret), next })).status).toBe(429)
  })

  test('of nobody leads to the sign-in', async () => {
    for (const path of ['/account/password', '/account/factor', '/account/factor/off', '/account/sign-out'])
      expect((await browser().post(path, { password: good, next })).status).toBe(303)
  })
})

test('hashes beyond those that wait are refused, with when to come again, on a page', async () => {
  let free = () => {}
  const held = new Promise<void>((resolve) => {
    free = resolve
  })
  const within = boundedWork({ atOnce_max: 1, waiting_max: 1, busy: 'Too many.' })
  const slow = {
    ...hashing,
    verify: (password: string, stored: string | undefined) =>
      within(async () => {
        await held
        return hashing.verify(password, stored)
      }),
  }
  const busy = await servedPeople({ hashing: slow })
  const post = (address: string) =>
    busy.service.request(
      '/sign-in',
      {
        method: 'POST',
        headers: { Host: 'kontor.example', 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ address, password: good }).toString(),
      },
      { address: '192.0.2.9' },
    )
  const asked = ['a@b.example', 'c@d.example', 'e@f.example'].map(post)
  const refused = await Promise.race(asked)
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('content-type')]).toEqual([
    503,
    '1',
    'text/html; charset=utf-8',
  ])
  free()
  expect((await Promise.all(asked)).map(({ status }) => status).sort()).toEqual([403, 403, 503])
})

describe('guesses', () => {
  const wrong = async (email: string, times: number, by: () => ReturnType<typeof browser>) => {
    const statuses: number[] = []
    for (let time = 0; time < times; time++) statuses.push((await by().signIn(email, `wrong ${time}`)).status)
    return statuses
  }

  test('about an account are slowed, by whomever; never for longer than a minute; and not for a known device', async () => {
    const { email } = await person()
    const known = browser()
    await known.signIn(email)
    await known.post('/account/sign-out')
    expect(await wrong(email, 7, browser)).toEqual([403, 403, 403, 403, 403, 429, 429])
    // All spellings of an address are one.
    const spelled = await browser().signIn(` ${email.toUpperCase()}`)
    expect([spelled.status, spelled.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await known.signIn(email)).status).toBe(303)
    for (let times = 0; times < 12; times++) {
      served.pass(minute_ms)
      expect(await wrong(email, 2, browser)).toEqual([403, 429])
    }
    served.pass(minute_ms)
    expect((await browser().signIn(email)).status).toBe(303)
  })

  test('that come at once are judged one at a time once the free ones are spent', async () => {
    const { email } = await person()
    const before = hashing.count()
    await Promise.all(Array.from({ length: 40 }, (_, index) => browser().signIn(email, `wrong ${index}`)))
    expect(hashing.count() - before).toBeLessThanOrEqual(5)
  })

  test('from a source are slowed, whatever the account; a right one gives back only itself', async () => {
    const address = '203.0.113.9'
    const { email } = await person()
    const statuses: number[] = []
    for (let time = 0; time < 55; time++) {
      if (time % 10 === 0) await browser({ address }).signIn(email)
      statuses.push((await browser({ address }).signIn(`other${time}@ours.example`, 'wrong')).status)
    }
    expect([statuses.slice(0, 48).every((status) => status === 403), statuses.at(-1)]).toEqual([true, 429])
  })

  test('of nobody’s account are counted like those of somebody', async () => {
    expect(await wrong('ghost@ours.example', 6, browser)).toEqual([403, 403, 403, 403, 403, 429])
  })

  test.each<[string, (mine: { id: string; email: string }) => Promise<{ email: string }>]>([
    ['of another account', () => person()],
    [
      'that has signed in with a former password',
      async (mine) => {
        await served.operator.setPassword({ id: mine.id, password_hash: await hashing.hash('other') })
        return mine
      },
    ],
  ])('by a device %s do not count as those of a known one', async (_, guessedAfter) => {
    const mine = await person()
    const own = browser()
    await own.signIn(mine.email)
    const { email } = await guessedAfter(mine)
    expect(await wrong(email, 4, browser)).toEqual([403, 403, 403, 403])
    expect(await wrong(email, 2, () => own)).toEqual([403, 429])
    expect((await browser().signIn(email)).status).toBe(429)
  })
})

describe('the console', () => {
  test('lets in who signs in here, and the session of both ends as one', async () => {
    const { email, id } = await person()
    const own = browser()
    expect((await own.get('/account/console')).to).toBe('../sign-in?to=console')
    expect((await own.post('/sign-in?to=console', { address: email, password: good })).to).toBe('account/console')
    const account = own.cookie()
    const neighbour = browser({ headers: { 'Sec-Fetch-Site': 'same-site' } })
    neighbour.withCookie(account)
    const led = await neighbour.get('/account/console')
    expect([led.to, led.set]).toEqual(['../account', null])
    const signedIn_ms = served.now().getTime()
    served.pass(30 * minute_ms)
    const entered = await own.get('/account/console')
    expect([entered.status, entered.to, entered.set]).toEqual([303, '../console/', expect.stringMatching(/^__Host-freehold_console=fhp_/)])
    const session = own.cookie()
    const told = await own.get('/console/session')
    expect(JSON.parse(told.text)).toMatchObject({
      // No later than that of the pages.
      endsAt: new Date(signedIn_ms + 12 * 60 * minute_ms).toISOString(),
      purpose: 'person',
      person: { user: id, name: 'Ada Lovelace', administers: false },
    })
    own.withCookie(account)
    await own.post('/account/sign-out')
    own.withCookie(session)
    expect((await own.get('/console/session')).status).toBe(401)
  })

  test('is where a sign-in by a code goes on that began there, and nowhere else', async () => {
    const { email, secret } = await withFactor()
    const own = browser()
    expect((await own.post('/sign-in?to=console', { address: email, password: good })).to).toBe('sign-in/code?to=console')
    served.pass(minute_ms)
    expect((await own.post('/sign-in/code?to=console', { code: codeOf(secret) })).to).toBe('../account/console')
    expect((await browser().post('/sign-in?to=//evil.example', { address: (await person()).email, password: good })).to).toBe('account')
  })
})
