import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { accountManagementModule } from '@freehold/designs/account-management'
import { platformModule } from '@freehold/designs/platform'
import { rebacModule } from '@freehold/designs/rebac'
import type { ConnectedTable } from '@freehold/table'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BothWays, bothWays } from '../../test/both-ways.ts'
import { folder, withoutFlows } from '../../test/recorded-shell.ts'
import { loadAccount } from '../sample/load-account.ts'
import { loadOrganisation } from '../sample/load-organisation.ts'

// Each command runs on a table, and over HTTP on another table with the same items. Both print the same, and exit alike.

const ada = '{"user":"ada@example.org","location":"NYC001"}'
const may = (page: string, user = 'ada') => `{"user":"${user}@example.org","location":"NYC001","page":"${page}"}`
const cwd = folder({
  'questions.csv': 'user,location,page\nada@example.org,NYC001,dashboard\nben@example.org,NYC001,reports\nnobody,NYC001\n',
  'wrong.csv': 'user,color\nada,red\n',
})

type Line = readonly [exit: number, ...argv: string[]]

/** Tables have the types of their designs. */
const filling = (load: (table: never) => Promise<unknown>) => (table: ConnectedTable) => load(table as never)

const ofRebac: readonly Line[] = [
  [0, 'can', 'rebac', may('dashboard')],
  [0, 'can', 'rebac', may('dashboard'), '--json', '--consistency', 'strong'],
  [1, 'can', 'rebac', may('reports', 'ben')],
  [1, 'can', 'rebac', may('reports', 'nobody'), '--json'],
  [2, 'can', 'rebac', '{"user":"ada@example.org"}'],
  [2, 'can', 'rebac', '{"user":"ada@example.org","color":"red"}', '--json'],
  [2, 'can', 'rebac', '{'],
  [0, 'why', 'rebac', may('dashboard')],
  [1, 'why', 'rebac', may('reports', 'ben'), '--json'],
  [0, 'what', 'rebac', ada],
  [0, 'what', 'rebac', ada, '--limit', '1', '--json'],
  [0, 'what', 'rebac', ada, '--limit', '1', '--json', '--cursor', 'CURSOR'],
  [2, 'what', 'rebac', ada, '--cursor', 'nothing'],
  [0, 'who', 'rebac', '{"location":"NYC001","page":"dashboard"}'],
  [1, 'who', 'rebac', '{"location":"nowhere","page":"dashboard"}'],
  [0, 'where', 'rebac', '{"user":"ada@example.org","page":"dashboard"}', '--expand', '--json'],
  [2, 'can', 'rebac', '--batch', 'wrong.csv'],
  [0, 'query', 'rebac', 'roles'],
  [0, 'query', 'rebac', 'users', '--limit', '1', '--json'],
  [0, 'query', 'rebac', 'users', '--limit', '1', '--json', '--cursor', 'CURSOR'],
  [0, 'query', 'rebac', 'users', '--all', '--limit', '1'],
  [0, 'query', 'rebac', 'users', '--all', '--json'],
  [0, 'query', 'rebac', 'role', '{"roleName":"teacher"}'],
  [1, 'query', 'rebac', 'role', '{"roleName":"nobody"}'],
  [2, 'query', 'rebac', 'role', '{}'],
  [0, 'query', 'rebac', 'permissionsOfRole', '{"roleName":"teacher"}'],
  [0, 'get', 'rebac', 'Role', '{"roleName":"helper"}'],
  [0, 'get', 'rebac', 'Role', '{"roleName":"helper"}', '--consistent', '--json'],
  [1, 'get', 'rebac', 'Role', '{"roleName":"nobody"}', '--json'],
  [0, 'do', 'rebac', 'createRole', '{"roleName":"walker","description":"Walks"}'],
  [1, 'do', 'rebac', 'createRole', '{"roleName":"walker"}'],
  [2, 'do', 'rebac', 'createRole', '{}', '--json'],
  [0, 'do', 'rebac', 'createPage', '{"pageName":"maps"}', '--idempotency-key', 'maps-1', '--json'],
  [0, 'do', 'rebac', 'createPage', '{"pageName":"maps"}', '--idempotency-key', 'maps-1', '--json'],
  [2, 'do', 'rebac', 'createPage', '{"pageName":"other"}', '--idempotency-key', 'maps-1'],
  [1, 'do', 'rebac', 'createRole', '{"roleName":"x"}', '--as', 'ben@example.org'],
  [1, 'do', 'rebac', 'createRole', '{"roleName":"x"}', '--as', 'nobody@example.org', '--json'],
  [0, 'do', 'rebac', 'deleteRole', '{"roleName":"walker"}'],
  [1, 'create', 'rebac', 'Role', '{"roleName":"x"}'],
]

const ofItems: readonly Line[] = [
  [0, 'create', 'rebac', 'Role', '{"roleName":"walker"}'],
  [1, 'create', 'rebac', 'Role', '{"roleName":"walker"}'],
  [2, 'create', 'rebac', 'Role', '{"roleName":"x","color":"red"}', '--json'],
  [0, 'create', 'rebac', 'Role', '{"roleName":"guide"}', '--idempotency-key', 'g1', '--json'],
  [0, 'create', 'rebac', 'Role', '{"roleName":"guide"}', '--idempotency-key', 'g1', '--json'],
  [0, 'update', 'rebac', 'Role', '{"roleName":"walker","description":"Walks"}', '--version', '1'],
  [1, 'update', 'rebac', 'Role', '{"roleName":"walker","description":"Runs"}', '--version', '1'],
  [1, 'update', 'rebac', 'Role', '{"roleName":"nobody","description":"Runs"}'],
  [2, 'update', 'rebac', 'Role', '{"roleName":"walker"}'],
  [0, 'update', 'rebac', 'Role', '{"roleName":"walker","description":null,"version":2}', '--json'],
  [1, 'remove', 'rebac', 'Role', '{"roleName":"walker"}', '--version', '1'],
  [0, 'remove', 'rebac', 'Role', '{"roleName":"walker"}', '--json'],
  [1, 'remove', 'rebac', 'Role', '{"roleName":"walker"}'],
  [0, 'remove', 'rebac', 'Role', '{"roleName":"guide"}'],
  [1, 'get', 'rebac', 'Role', '{"roleName":"guide"}'],
]

const ofPlatform: readonly Line[] = [
  [0, 'can', 'platform', '{"user":"ada@example.org","account":"acme","workstream":"research","menu":"dashboard","action":"edit"}'],
  [0, 'what', 'platform', '{"user":"ada@example.org","account":"acme","workstream":"research"}'],
  [0, 'query', 'platform', 'accounts', '--json'],
  [0, 'get', 'platform', 'User', '{"id":"ada"}'],
  [0, 'sweep', 'platform', '--json'],
  [0, 'sweep', 'platform'],
]

const ofAccess: readonly Line[] = [
  [0, 'access', 'account-management', '{"user":"ada@example.org"}', '--json'],
  [0, 'access', 'account-management', '{"user":"ada@example.org"}', '--lasts', '60000'],
  [0, 'access', 'account-management', '{"user":"nobody@example.org"}'],
  [2, 'access', 'account-management', '{"user":"ada@example.org","place":"x"}'],
  [0, 'do', 'account-management', 'createClient', '{"id":"10000000-0000-4000-8000-000000000000","name":"Acme"}'],
  [0, 'do', 'account-management', 'exportClient', '{"id":"10000000-0000-4000-8000-000000000000"}'],
  [0, 'do', 'account-management', 'deleteClient', '{"id":"10000000-0000-4000-8000-000000000000"}', '--json'],
]

describe.each([
  ['rebac', () => bothWays(rebacModule, filling(loadOrganisation)), ofRebac],
  ['items without flows', () => bothWays(withoutFlows.get('rebac') ?? rebacModule, filling(loadOrganisation), withoutFlows), ofItems],
  ['platform', () => bothWays(platformModule, filling(loadAccount)), ofPlatform],
  ['account-management', () => bothWays(accountManagementModule, async () => {}), ofAccess],
])('the commands of %s', (_, open, lines) => {
  let ways: BothWays
  beforeAll(async () => {
    ways = await open()
  })
  afterAll(() => ways.close())

  test.each(lines.map(([exit, ...argv]) => ({ command: argv.join(' '), exit, argv })))('$command', async ({ exit, argv }) => {
    const { onTable, overHttp } = await ways.run(argv, { cwd })
    expect(overHttp).toEqual(onTable)
    expect(overHttp.exit).toBe(exit)
  })
})

async function listening(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() }
}

/** A server before the service, which loses its first answer. */
function losing(service: string) {
  let answers = 0
  const server = createServer(async (incoming, outgoing) => {
    const { authorization = '', 'content-type': type = '', 'idempotency-key': key = '' } = incoming.headers
    const headers = { authorization, 'content-type': type, 'idempotency-key': String(key) }
    const answer = await fetch(`${service}${incoming.url}`, { method: 'POST', headers, body: await text(incoming) })
    const body = await answer.text()
    answers += 1
    if (answers === 1) outgoing.destroy()
    else outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body)
  })
  return listening(server)
}

describe('over HTTP', () => {
  let ways: BothWays
  beforeAll(async () => {
    ways = await bothWays(rebacModule, filling(loadOrganisation))
  })
  afterAll(() => ways.close())

  test('a batch tells no cost, and the rest as on a table', async () => {
    const { onTable, overHttp } = await ways.run(['can', 'rebac', '--batch', 'questions.csv'], { cwd })
    expect({ ...overHttp, err: '' }).toEqual({ ...onTable, err: '' })
    expect(onTable.err).toBe('3 questions: 1 yes, 1 no, 1 unanswered; COST\n')
    expect(overHttp).toMatchObject({ exit: 2, err: '3 questions: 1 yes, 1 no, 1 unanswered\n' })
  })

  test('a flow whose answer was lost says that its result is that of a repeat', async () => {
    const { address, close } = await losing(ways.address)
    const page = '{"assignments":[{"kind":"permission","roleName":"teacher","pageName":"dashboard","permission":"allow"}]}'
    const { exit, out, err } = await ways.overHttp(['do', 'rebac', 'assignMany', page, '--json'], { env: { FREEHOLD_URL: address } })
    close()
    expect({ exit, given: Object.keys(JSON.parse(out)) }).toEqual({ exit: 0, given: ['made'] })
    expect(JSON.parse(err)).toEqual({ note: 'This was done before, under the same idempotency key, and is not done again.' })
  })

  test('a service that refuses for now is asked for up to a minute', async () => {
    let asked = 0
    const busy = createServer((_, response) => {
      asked += 1
      if (asked > 6) response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"code":"UnknownName","detail":"Gone."}')
      else response.writeHead(503, { 'Retry-After': '0', 'Content-Type': 'application/json' }).end('{"code":"Busy","detail":"Busy."}')
    })
    const { address, close } = await listening(busy)
    for (const argv of [['designs'], ['api-keys'], ['outbox'], ['can', 'rebac', may('dashboard')]]) {
      asked = 0
      await ways.overHttp(argv, { env: { FREEHOLD_URL: address } })
      expect({ argv, asked }).toEqual({ argv, asked: 7 })
    }
    close()
  })

  test('the service may be named before or behind the command, and in place of the variable', async () => {
    const env = { FREEHOLD_URL: 'http://127.0.0.1:1', FREEHOLD_API_KEY: ways.key }
    for (const argv of [
      ['--url', ways.address, 'can', 'rebac', may('dashboard')],
      ['can', 'rebac', may('dashboard'), '--url', `${ways.address}/`],
    ])
      expect(await ways.overHttp(argv, { env })).toEqual({ exit: 0, out: 'yes\n', err: '' })
  })

  test('designs are those of the service; flows and patterns are told as on a table', async () => {
    const { exit, out } = await ways.overHttp(['designs', '--json'])
    expect([exit, JSON.parse(out)]).toMatchObject([
      0,
      [{ name: 'rebac', answersQuestions: true, patterns: expect.arrayContaining(['roles']) }],
    ])
    expect((await ways.overHttp(['designs'])).out).toMatch(/^design +questions +for\n/)
    for (const argv of [
      ['flows', 'rebac'],
      ['flows', 'rebac', '--json'],
      ['flows', 'rebac', 'createRole'],
      ['patterns', 'rebac'],
      ['patterns', 'rebac', '--json'],
    ])
      expect(await ways.overHttp(argv)).toEqual(await ways.overHttp(argv, { env: { FREEHOLD_URL: undefined } }))
    expect(await ways.overHttp(['flows', 'platform'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("There is no design that the service serves named 'platform'."),
    })
    expect(await ways.overHttp(['can', 'platform', '{"user":"a"}'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('has no such part of platform'),
    })
  })

  test('API keys are made, listed, replaced and revoked', async () => {
    const { out } = await ways.overHttp(['api-keys', '--new', 'gate', '--purpose', 'decisions', '--json'])
    expect(JSON.parse(out)).toMatchObject({ name: 'gate', purpose: 'decisions', text: 'KEY' })
    const listed = await ways.overHttp(['api-keys'])
    expect(listed).toMatchObject({ exit: 0, out: expect.stringMatching(/^key +name +made +may +by .*\n(.*\n)*.* gate .* decisions /) })
    const { err } = await ways.overHttp(['api-keys', '--revoke', '01ARZ3NDEKTSV4RRFFQ69G5FAV'])
    expect(err).toContain('(NotFound)')
    expect((await ways.overHttp(['api-keys', '--new', 'x', '--purpose', 'tenant'])).exit).toBe(2)
  })

  test('the outbox of a service is listed', async () => {
    expect(await ways.overHttp(['outbox'])).toEqual({ exit: 0, out: 'The outbox is empty.\n', err: '' })
  })

  test.each([
    ['no key', { FREEHOLD_API_KEY: undefined }, [], 'set FREEHOLD_API_KEY'],
    ['a key that is none', { FREEHOLD_API_KEY: 'fhk_nobody' }, [], 'Set FREEHOLD_API_KEY to a key of this service'],
    ['no address', { FREEHOLD_URL: 'nowhere' }, [], 'The address of the service is not one'],
    ['a password in the address', { FREEHOLD_URL: 'http://me:s3cret@127.0.0.1' }, [], /^(?!.*s3cret).*The address of the service/],
    ['nobody there', { FREEHOLD_URL: 'http://127.0.0.1:1' }, [], 'No answer came from http://127.0.0.1:1'],
    ['a table', {}, ['--table', 'mine'], '--table is of a table'],
    ['policies', {}, ['--policies', 'policies'], '--policies is of a table'],
  ])('with %s there is no answer', async (_, env, options, sentence) => {
    const { exit, out, err } = await ways.overHttp(['can', 'rebac', may('dashboard'), ...options], { env })
    expect(exit).toBe(2)
    expect(`${out}${err}`).toMatch(sentence)
  })

  test('a key that may not ask gets no answer, and no denial', async () => {
    const { text } = await ways.keys.newKey('flows', { purpose: 'flows' })
    const env = { FREEHOLD_API_KEY: text }
    expect(await ways.overHttp(['can', 'rebac', may('dashboard')], { env })).toMatchObject({ exit: 2, out: '' })
    expect(await ways.overHttp(['what', 'rebac', ada, '--json'], { env })).toMatchObject({ exit: 2, out: '' })
    expect(await ways.overHttp(['do', 'rebac', 'createRole', '{"roleName":"x"}'], { env })).toMatchObject({ exit: 1, out: '' })
  })

  test('a design that takes no snapshots says so', async () => {
    expect(await ways.overHttp(['access', 'rebac', '{"user":"ada@example.org"}'])).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/snapshots.*\(UnknownName\)/),
    })
  })

  test.each([
    ['jobs', ['jobs', 'rebac']],
    ['export', ['export', 'rebac']],
    ['setup', ['setup', 'rebac']],
    ['adopt', ['adopt', 'rebac']],
    ['prove of a table', ['prove', 'rebac', '--table', 'mine']],
    ['a secret attribute', ['get', 'account-management', 'User', '{"id":"x"}', '--secret', 'password_hash']],
  ])('%s is refused, with what to do', async (_, argv) => {
    const { exit, out, err } = await ways.overHttp(argv)
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toMatch(/beside the table, without --url and FREEHOLD_URL|--secret/)
  })

  test('commands that ask nobody refuse the option, and do not look at the variable', async () => {
    expect(await ways.overHttp(['--url', ways.address, 'keys', 'rebac', 'Role', '{"roleName":"x"}'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('This command asks no service: run it beside the table'),
    })
    expect(await ways.overHttp(['keys', 'rebac', 'Role', '{"roleName":"x"}'])).toMatchObject({ exit: 0 })
    expect(await ways.overHttp(['query', 'rebac', 'roles', '--plan'])).toMatchObject({ exit: 0, out: expect.stringContaining('"Query"') })
  })
})
