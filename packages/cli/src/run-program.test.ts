import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { designModules } from '@freehold/designs'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../test/engine/endpoint.ts'
import { sampleTable } from '../test/organisation.ts'
import { folder, freehold, freshTable, type Surroundings } from '../test/recorded-shell.ts'
import { version } from './program/program.ts'

const manifest: { readonly version: string } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
const commands =
  'can why what who where designs keys patterns prove docs template setup query create get update move remove import export adopt jobs local serve api-keys'.split(
    ' ',
  )

const map = `
token: { issuer: https://id.example.org/, audience: tickets, algorithms: [RS256], keys: { jwks: https://id.example.org/keys } }
tenant: { path: tenant }
routes:
  - { route: 'GET /tenants/{tenant}', action: readTenant, resource: { type: Tenant, id: '{tenant}' } }
`

test('a question makes a folder for its secret only when it shows a cursor', async () => {
  const cwd = folder()
  const table = await sampleTable()
  const asked = (...more: string[]) =>
    freehold(['query', 'rebac', 'users', '--table', table, ...more], { env: { DYNAMODB_ENDPOINT: endpoint }, cwd })
  for (const more of [[], ['--all', '--limit', '1'], ['--plan', '--cursor', 'x']]) await asked(...more)
  expect(readdirSync(cwd)).toEqual([])
  const { cursor } = JSON.parse((await asked('--limit', '1', '--json')).out)
  expect(readdirSync(cwd)).toEqual(['.freehold'])
  expect(await asked('--cursor', cursor)).toMatchObject({ exit: 0, out: expect.stringContaining('Ben') })
})

test.each<[string, readonly string[], Surroundings, RegExp]>([
  ['a variable that nothing reads', ['designs'], { env: { FREEHOLD_WORKRES: '2' } }, /FREEHOLD_WORKRES is no setting/],
  ['the sums of a batch', ['can', 'rebac', '--batch', 'q.csv', '--table', freshTable()], {}, /1 question: 0 yes, 1 no/],
  ['lines of a log that are none', ['decisions', 'd.jsonl'], {}, /1 line of the log could not be read/],
  ['an item that is not there', ['get', 'rebac', 'Role', '{"roleName":"none"}', '--table', freshTable()], {}, /There is no Role/],
  ['a wrong option', ['designs', '--wrong'], {}, /--wrong/],
])('with --json stderr has lines of JSON alone: %s', async (_, argv, { env, ...more }, sentence) => {
  const decision = { time: '2026-01-01T00:00:00.000Z', design: 'rebac', question: 'can', asked: {}, outcome: 'allowed' }
  const files = { 'q.csv': 'user,location,page\nu@x.org,L,p\n', 'd.jsonl': `${JSON.stringify(decision)}\n{"time"\n` }
  const shell = { env: env ?? { DYNAMODB_ENDPOINT: endpoint }, cwd: folder(files), isInteractive: true, ...more }
  const { err } = await freehold([...argv, '--json'], shell)
  const lines = err.split('\n').filter(Boolean)
  for (const line of lines) expect(Object.keys(JSON.parse(line)), line).toHaveLength(1)
  expect(lines.join(' ')).toMatch(sentence)
})

describe('help', () => {
  test('lists every command, within 80 columns', async () => {
    const { exit, out, err } = await freehold(['--help'])
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} `, 'm'))
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test.each(commands)('of %s has a description, and an example where it takes something', async (command) => {
    const { exit, out } = await freehold([command, '--help'])
    expect(exit).toBe(0)
    expect(out).toContain(`Usage: freehold ${command}`)
    if (command !== 'designs') expect(out).toMatch(new RegExp(`Examples:\\n +.*freehold ${command}\\b`))
    expect(await freehold(['help', command])).toEqual({ exit: 0, out, err: '' })
  })

  test.each([72, 60, 50])('is as wide as a terminal of %d columns', async (columns) => {
    const { out } = await freehold(['can', '--help'], { columns })
    const [options = ''] = out.split('Examples:')
    expect(Math.max(...options.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(columns)
  })
})

test('the version is that of the package', async () => {
  expect(version).toBe(manifest.version)
  expect(await freehold(['--version'])).toEqual({ exit: 0, out: `${manifest.version}\n`, err: '' })
})

describe('what is no command exits with 2 and says so in a sentence', () => {
  test.each([
    [[], 'A command is missing: `freehold --help` lists them.'],
    [['kesy'], "Unknown command 'kesy'. Did you mean keys? See `freehold help`"],
    [['keys'], "Missing required argument 'design'."],
    [['keys', 'rebac'], "Missing required argument 'entity'."],
    [['designs', 'too', 'many'], 'Too many arguments'],
    [['designs', '--jsn'], "Unknown option '--jsn'. Did you mean --json?"],
    [['query', 'rebac', 'users', '{}', '--limit'], "Option '--limit <n>' argument missing."],
    [['query', 'rebac', 'users', '{}', '--limit', '0'], 'It is a whole number from 1 to 1000.'],
    [['query', 'rebac', 'users', '{}', '--limit', '1001'], 'It is a whole number from 1 to 1000.'],
    [['query', 'rebac', 'users', '{}', '--limit', '1e2'], 'It is a whole number from 1 to 1000.'],
    [['serve', '--trusted-proxies', '-1'], 'It is a whole number from 0 to 100.'],
    [['serve', '--trusted-proxies', 'all'], 'It is a whole number from 0 to 100.'],
    [['update', 'rebac', 'User', '{}', '--version', '-1'], 'It is a whole number from 0 to'],
    [['local', '--port', '65536'], 'It is a whole number from 0 to 65535.'],
    [['serve', '--port', '-1'], 'It is a whole number from 0 to 65535.'],
    [['can', 'rebac', '{}', '--consistency', 'weak'], 'Allowed choices are strong, bounded.'],
    [['query', 'rebac', 'users', '{}', '--table', 'no table!'], 'It has from 3 to 255 letters, digits, underscores, hyphens and dots.'],
    [['help', 'kesy'], "Unknown command 'kesy'. Did you mean keys? `freehold --help` lists all."],
    [['kesy', '--help'], "Unknown command 'kesy'. Did you mean keys? See `freehold help`"],
  ])('%j', async (argv, sentence) => {
    const { exit, out, err } = await freehold(argv)
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toContain(sentence)
    expect(err).toMatch(/^freehold: .* \(InvalidInput\)\n$/)
  })
})

describe('a name that is not there exits with 2 and says what was meant', () => {
  test.each([
    [['keys', 'rebak', 'User', '{}'], "There is no design 'rebak'. Did you mean rebac? `freehold designs` lists all."],
    [['keys', 'rebac', 'Usr', '{}'], "There is no entity of rebac named 'Usr'. Did you mean User? `freehold docs rebac` lists all."],
    [['keys', 'rebac', 'constructor', '{}'], "There is no entity of rebac named 'constructor'. `freehold docs rebac` lists all."],
    [
      ['query', 'rebac', 'usrs', '{}'],
      "There is no access pattern of rebac named 'usrs'. Did you mean users? `freehold patterns rebac` lists all.",
    ],
    [['query', 'rebac', '__proto__', '{}'], "There is no access pattern of rebac named '__proto__'. `freehold patterns rebac` lists all."],
    [['create', 'rebac', 'Job', '{}'], "There is no entity of rebac named 'Job'."],
    [
      ['prove', 'nothing-like-it'],
      "There is no design 'nothing-like-it'. There is account-management, authorization, platform, rebac. `freehold designs` lists all.",
    ],
    [['can', '', '{}'], "There is no design ''."],
  ])('%j', async (argv, sentence) => {
    const { exit, out, err } = await freehold(argv)
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toContain(sentence)
    expect(err).toMatch(/ \(UnknownName\)\n$/)
  })
})

describe('an error with --json', () => {
  test('is one line of JSON on stderr, wherever the flag stands', async () => {
    const expected = {
      exit: 2,
      out: '',
      err: `{"error":{"code":"UnknownName","message":"There is no design 'rebak'. Did you mean rebac? \`freehold designs\` lists all."}}\n`,
    }
    expect(await freehold(['patterns', 'rebak', '--json'])).toEqual(expected)
    expect(await freehold(['--json', 'patterns', 'rebak'])).toEqual(expected)
  })

  test('of usage is too', async () => {
    const { exit, err } = await freehold(['patterns', '--json'])
    expect(exit).toBe(2)
    expect(JSON.parse(err)).toEqual({
      error: { code: 'InvalidInput', message: expect.stringContaining("Missing required argument 'design'.") },
    })
  })

  test('names what does not fit', async () => {
    const { exit, err } = await freehold(['keys', 'rebac', 'User', '{"userId":"no ulid","colour":"red"}', '--json'])
    expect(exit).toBe(2)
    expect(JSON.parse(err).error).toMatchObject({
      code: 'InvalidInput',
      issues: [{ path: ['colour'], message: 'is not an attribute of User' }],
    })
  })
})

describe('a DynamoDB that cannot be used exits with 2', () => {
  const query = ['query', 'rebac', 'users', '{}']

  test('when nothing answers there, with what to do', async () => {
    const { exit, err } = await freehold(query, { env: { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' } })
    expect(exit).toBe(2)
    expect(err).toContain('DYNAMODB_ENDPOINT is http://127.0.0.1:1: start the database there, or unset it')
    expect(err).toContain('(Unavailable)')
  })

  test('when its address is none', async () => {
    const { exit, err } = await freehold(query, { env: { DYNAMODB_ENDPOINT: 'localhost:8000' } })
    expect({ exit, err }).toMatchObject({ exit: 2, err: expect.stringContaining('which is not an http or https URL') })
  })

  test('when the data folder is a file', async () => {
    const { exit, err } = await freehold([...query, '--data', 'file'], { env: {}, cwd: folder({ file: '' }) })
    expect({ exit, err }).toMatchObject({ exit: 2, err: expect.stringContaining('is a file, but the data needs a folder') })
  })

  test.each([
    ['can', 'rebac', '{"user":"u@x.org","location":"L","page":"p"}'],
    ['can', 'rebac', '--batch', 'q.csv'],
    ['why', 'rebac', '{"user":"u@x.org","location":"L","page":"p"}'],
    ['what', 'rebac', '{"user":"u@x.org","location":"L"}'],
    ['who', 'rebac', '{"location":"L","page":"p"}'],
    ['where', 'rebac', '{"user":"u@x.org","page":"p"}'],
    ['access', 'rebac', '{"user":"u@x.org"}'],
    ['get', 'rebac', 'Role', '{"roleName":"r"}'],
    ['query', 'rebac', 'roles'],
    ['do', 'account-management', 'assignableRoles', '{"client_id":"0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11"}'],
    ['export', 'rebac'],
    ['prove', 'rebac', '--table', 'rebac'],
    ['jobs', 'rebac'],
    ['jobs', 'rebac', '--resume'],
    ['api-keys'],
    ['outbox'],
    ['policies', 'diff', 'policies', '--store', 'PSEXAMPLEabcdefg111111'],
    ['authorizer', 'invoke', 'event.json'],
  ])('when there is no data, and no command that only reads makes a folder for it: %s %s %s %s', async (...argv) => {
    const policies = Object.fromEntries(Object.entries(starterFiles).map(([name, text]) => [`policies/${name}`, text]))
    const files = { 'q.csv': 'user,location,page\nu,L,p\n', 'authorizer.yaml': map, 'event.json': '{}', ...policies }
    const cwd = folder(files)
    const of = (...more: string[]) => freehold([...argv, ...more], { env: {}, cwd })
    const sentence = (name: string) => `There is no data in ${join(cwd, name)}: name the folder of the data by --data`
    expect(await of()).toMatchObject({ exit: 2, out: '', err: expect.stringContaining(sentence('.freehold')) })
    expect(await of('--data', 'elsewhere/data')).toMatchObject({
      exit: 2,
      out: '',
      err: expect.stringContaining(sentence('elsewhere/data')),
    })
    expect(readdirSync(cwd)).toEqual(['authorizer.yaml', 'event.json', 'policies', 'q.csv'])
  })

  test('when the secret is too short to be one', async () => {
    const { exit, err } = await freehold(query, { env: { FREEHOLD_SECRET: 'short', DYNAMODB_ENDPOINT: endpoint } })
    expect({ exit, err }).toMatchObject({ exit: 2, err: expect.stringContaining('FREEHOLD_SECRET has fewer than 16 characters') })
  })

  test('for a command after an option of the program', async () => {
    const { exit, err } = await freehold(['--url', 'http://127.0.0.1:1', 'can', '--jsn'])
    expect({ exit, err }).toMatchObject({ exit: 2, err: expect.stringContaining('See `freehold help can`.') })
  })

  test.each(['fhk_ключ', 'Bearer fhk_1', 'fhk_\u200b1'])('for the API key %j, which none can be', async (key) => {
    const env = { FREEHOLD_URL: 'http://127.0.0.1:1', FREEHOLD_API_KEY: key }
    expect(await freehold(['designs'], { env })).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/^freehold: FREEHOLD_API_KEY has a space/),
    })
  })

  test('when the data folder and an endpoint are both named', async () => {
    const { exit, err } = await freehold([...query, '--data', 'here'])
    expect({ exit, err }).toMatchObject({
      exit: 2,
      err: expect.stringContaining('--data asks for the embedded engine, but DYNAMODB_ENDPOINT'),
    })
  })
})

test.each<[string, string, 0 | 2, readonly string[]]>([
  ['a reader of stdout that goes away ends the command without a word', 'EPIPE', 0, []],
  [
    'a full disk behind stdout is told as one',
    'ENOSPC',
    2,
    ['freehold: The output cannot be written: its disk is full. The command may have done its work. (Unavailable)\n'],
  ],
  [
    'stdout that fails is told with its cause',
    'EIO',
    2,
    ['freehold: The output cannot be written: EIO. The command may have done its work. (Unavailable)\n'],
  ],
])('%s', async (_, code, expected, told) => {
  const { runProgram } = await import('./run-program.ts')
  const written: string[] = []
  const exit = await runProgram(
    {
      designs: designModules,
      env: {},
      cwd: '/',
      stdin: (async function* () {})(),
      out: () => Promise.reject(Object.assign(new Error(`write ${code}`), { code })),
      err: (text) => written.push(text),
      isInteractive: false,
      now: () => new Date(),
    },
    ['patterns', 'rebac'],
  )
  expect({ exit, written }).toEqual({ exit: expected, written: told })
})
