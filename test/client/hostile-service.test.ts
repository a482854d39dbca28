import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clientOf } from '@freehold/client'
import { designModules } from '@freehold/designs'
import type { rebacModule } from '@freehold/designs/rebac'
import { afterAll, describe, expect, test } from 'vitest'
import { folder, freehold, withoutFlows } from '../../packages/cli/test/recorded-shell.ts'

// A service that is another program, or somebody else's: whatever it answers, nothing is allowed but by an answer to the question.

let listener: RequestListener = () => undefined
const server = createServer((request, response) => listener(request, response))
let url = ''
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
// A server that listens on TCP has an AddressInfo.
url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const answering =
  (
    body: string | Uint8Array | object,
    status = 200,
    headers: Record<string, string> = { 'Content-Type': 'application/json' },
  ): RequestListener =>
  (request, response) => {
    request.resume()
    response.writeHead(status, headers).end(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body))
  }

/** Answers that allow nothing: of another shape, to another question, cut off, or of nobody knows whom. */
const noDecisions: Readonly<Record<string, RequestListener>> = {
  'a text that says true': answering({ allowed: 'true' }),
  'the number one': answering({ allowed: 1 }),
  'a list': answering([{ allowed: true }]),
  nothing: answering('', 204, {}),
  null: answering('null'),
  true: answering('true'),
  'an item': answering({ userId: '1', displayName: 'Ada' }),
  'many answers': answering({ answers: [{ allowed: true }, { allowed: true }] }),
  'a decision of AuthZEN': answering({ decision: true }),
  'an allow within another': answering({ answer: { allowed: true } }),
  'an allow that is inherited': answering('{"__proto__":{"allowed":true}}'),
  'an allow that breaks off': answering('{"allowed":true', 200),
  'an allow that ends early': (request, response) => {
    request.resume()
    response.writeHead(200, { 'Content-Length': 100 }).write('{"allowed":true}', () => response.destroy())
  },
  'a page for people': answering('<h1>allowed</h1>', 200, { 'Content-Type': 'text/html' }),
  'an allow that is a problem': answering({ allowed: true, code: 'Unavailable', detail: 'x' }, 500),
  'an allow that is a refusal': answering({ allowed: true, code: 'NotFound' }, 404),
  'an allow elsewhere': (request, response) => {
    request.resume()
    if (request.url === '/elsewhere') return answering({ allowed: true })(request, response)
    response.writeHead(307, { Location: '/elsewhere' }).end()
  },
  'an allow that is not UTF-8': answering(Buffer.from('{"allowed":true,"by":"M\xfcller"}', 'latin1')),
  'an allow that is not modified': answering({ allowed: true }, 300),
  'a reason that is none': answering({ allowed: false, reason: 'because' }),
}

const question = { user: 'ada@example.org', location: 'NYC001', page: 'reports' }
const client = () => clientOf<typeof rebacModule>({ url, key: 'fhk', design: 'rebac', attempts_max: 1 })

describe.each(Object.entries(noDecisions))('%s', (_, hostile) => {
  test('allows nothing in a client', async () => {
    listener = hostile
    const denied = { allowed: false }
    expect(
      await client()
        .can(question)
        .catch(() => denied),
    ).toMatchObject(denied)
    expect(
      await client()
        .why(question)
        .catch(() => denied),
    ).toMatchObject(denied)
    const three = await client()
      .canMany([question, question, question])
      .catch(() => [denied])
    expect(three.filter(({ allowed }) => allowed !== false)).toEqual([])
    await expect(client().list('what', { user: question.user, location: question.location })).rejects.toMatchObject({
      name: 'ProblemError',
    })
  })

  test('is no yes, and no empty list, of the command', async () => {
    listener = hostile
    const env = { FREEHOLD_URL: url, FREEHOLD_API_KEY: 'fhk' }
    const cwd = folder({ 'asked.csv': 'user,location,page\nada@example.org,NYC001,dashboard\n' })
    const at = JSON.stringify(question)
    for (const argv of [
      ['can', 'rebac', at],
      ['why', 'rebac', at, '--json'],
      ['can', 'rebac', '--batch', 'asked.csv'],
    ]) {
      const { exit, out, err } = await freehold(argv, { env, cwd })
      expect([argv[0], exit === 0 || /^yes/m.test(out), /TypeError| at .*:\d+/.test(err)]).toEqual([argv[0], false, false])
    }
  })
})

test.each<[string, number, object]>([
  ['nothing', 200, {}],
  ['parts of other forms', 200, { designs: [{}], items: 5, malformed: 5, cursor: {}, reason: null }],
  ['a problem of other forms', 400, { code: 'InvalidInput', detail: 5, issues: [5, null, { path: 5 }] }],
  ['a conflict of other forms', 409, { code: 'TransactionFailed', issues: 'x', pending: 'y', guard: {}, entity: [] }],
])('%s: each command says that, and never that it failed itself', async (_, status, told) => {
  listener = answering(told, status)
  const env = { FREEHOLD_URL: url, FREEHOLD_API_KEY: 'fhk' }
  const id = '{"userId":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}'
  const ofUser = ['rebac', '{"user":"ada@example.org","location":"NYC001"}']
  for (const argv of [['query', 'rebac', 'users'], ['get', 'rebac', 'User', id], ['what', ...ofUser], ['designs'], ['flows', 'rebac']]) {
    const { exit, err } = await freehold(argv, { env })
    if (status >= 400) expect([argv, exit]).not.toEqual([argv, 0])
    expect([argv, err]).toEqual([argv, expect.not.stringContaining('unexpected error')])
  }
})

test.each<[string, RequestListener]>([
  ['nothing', answering('', 200, {})],
  ['null', answering('null')],
  ['a list', answering('[]')],
  ['a page for people', answering('<h1>Welcome</h1>', 200, { 'Content-Type': 'text/html' })],
  ['an answer that breaks off', noDecisions['an allow that ends early'] ?? answering('')],
])('%s is no write that was done, which may have been applied', async (_, hostile) => {
  listener = hostile
  const env = { FREEHOLD_URL: url, FREEHOLD_API_KEY: 'fhk' }
  const id = '{"userId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","email":"ada@example.org"}'
  for (const argv of [
    ['do', 'rebac', 'deletePage', '{"pageName":"reports"}'],
    ['do', 'rebac', 'createPage', '{"pageName":"reports"}'],
    ['remove', 'rebac', 'EmailIdentity', id],
    ['create', 'rebac', 'EmailIdentity', id],
    ['api-keys', '--new', 'x'],
    ['api-keys', '--revoke', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ]) {
    const designs = argv[0] === 'do' ? designModules : withoutFlows
    const { exit, out, err } = await freehold([...argv, '--json'], { env, designs })
    expect([argv, exit, out, JSON.parse(err).error]).toEqual([
      argv,
      2,
      '',
      expect.objectContaining({ code: 'Unavailable', uncertain: true }),
    ])
  }
  const read = await freehold(['do', 'platform', 'expiringLicenses', '{}', '--json'], { env })
  expect([read.exit, JSON.parse(read.err).error.uncertain]).toEqual([2, undefined])
})

test('a page that leads to itself is not asked for without end', async () => {
  listener = answering({ items: [{ page: 'reports' }], cursor: 'again' })
  const all = client().all('what', { user: question.user, location: question.location })
  const reading = async () => {
    for await (const { page } of all) expect(page).toBe('reports')
  }
  await expect(reading()).rejects.toMatchObject({ code: 'Malformed' })
})

test('an answer without end is left', async () => {
  let isLeft = false
  listener = (request, response) => {
    request.resume()
    response.writeHead(200).once('close', () => {
      isLeft = true
    })
    const chunk = Buffer.alloc(16_777_216, ' ')
    const more = () => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', more)
    }
    more()
  }
  expect(await client().can(question)).toMatchObject({ allowed: false, reason: { kind: 'fault', code: 'TooLarge' } })
  await expect.poll(() => isLeft).toBe(true)
})

test('what a service says steers no terminal', async () => {
  listener = answering({ code: 'Denied', detail: 'x\u001b[2J\u009b31m\ny' }, 403)
  const argv = ['do', 'rebac', 'renameRole', '{}']
  const { err, out } = await freehold(argv, { env: { FREEHOLD_URL: url, FREEHOLD_API_KEY: 'fhk' } })
  expect(['\u001b', '\u009b'].filter((sign) => (out + err).includes(sign))).toEqual([])
})
