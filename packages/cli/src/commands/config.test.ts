import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { designModules } from '@freehold/designs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { folder, freehold, freshTable } from '../../test/recorded-shell.ts'
import { settledBy } from '../../test/settled.ts'
import { readConfigFile } from '../config/config-file.ts'
import type { Setting } from '../config/setting.ts'
import { defaultSettings } from '../config/settings.ts'
import { knownSettings } from '../config/settle.ts'
import { settingTable } from '../config/table.ts'
import type { Environment } from '../environment.ts'

const secret = 'correct horse battery staple'
const inFile = (text: string) => folder({ 'freehold.config.json': text })

/** The settings that `freehold config --json` prints. */
async function told(cwd: string, env: Environment = {}, ...argv: readonly string[]) {
  const { exit, out, err } = await freehold(['config', '--json', ...argv], { cwd, env })
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  const lines: readonly { readonly name: string; readonly value?: unknown; readonly from: string }[] = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return new Map(lines.map(({ name, ...rest }) => [name, rest]))
}

describe('freehold config', () => {
  test('prints each setting, and from where it comes: the environment before the file, the file before the default', async () => {
    const cwd = inFile('{ "port": 8080, "host": "::1", "designs": ["rebac"], "policies": "acme" }')
    const settings = await told(cwd, { FREEHOLD_PORT: '9090', FREEHOLD_CONFIG: 'freehold.config.json' })
    expect(settings.get('port')).toEqual({ value: 9090, from: 'FREEHOLD_PORT' })
    expect(settings.get('host')).toEqual({ value: '::1', from: 'freehold.config.json' })
    expect(settings.get('designs')).toEqual({ value: ['rebac'], from: 'freehold.config.json' })
    expect(settings.get('policies')).toEqual({ value: 'acme', from: 'freehold.config.json' })
    expect(settings.get('bodyBytesMax')).toEqual({ value: 1_048_576, from: 'default' })
    expect(settings.get('publicUrl')).toEqual({ from: 'default' })
    for (const name of Object.keys(settingTable)) expect(settings.has(name)).toBe(true)
  })

  test('prints a table for a person, and says that there is no file', async () => {
    const { out, err } = await freehold(['config'], { env: { FREEHOLD_DESIGNS: ' rebac  platform ' } })
    expect(out).toMatch(/^designs +rebac platform +FREEHOLD_DESIGNS$/m)
    expect(out).toMatch(/^port +3000 +default$/m)
    expect(err).toBe('There is no freehold.config.json here.\n')
  })

  test('tells of a variable that is misspelled', async () => {
    const { exit, err } = await freehold(['config'], { env: { FREEHOLD_BODY_BYTE_MAX: '5', FREEHOLD_SOMETHING: 'x', FREEHOLD_PORT: '1' } })
    expect({ exit, err: err.split('\n').slice(1) }).toEqual({
      exit: 0,
      err: [
        'FREEHOLD_BODY_BYTE_MAX is no setting. Did you mean FREEHOLD_BODY_BYTES_MAX? `freehold config` lists all.',
        'FREEHOLD_SOMETHING is no setting. `freehold config` lists all.',
        '',
      ],
    })
  })

  test('never prints a secret', async () => {
    const env = { FREEHOLD_SECRET: secret, FREEHOLD_MAIL: `smtps://me:${secret}@mail.example`, FREEHOLD_TOKEN_SECRET: secret }
    for (const argv of [['config'], ['config', '--json'], ['config', 'secret'], ['config', 'mail', '--json'], ['config', '--schema']]) {
      const { exit, out, err } = await freehold(argv, { env })
      expect([exit, out + err]).toEqual([0, expect.not.stringContaining('correct')])
    }
    expect((await told(folder(), env)).get('tokenSecret')).toEqual({ value: '(set)', from: 'FREEHOLD_TOKEN_SECRET' })
  })

  test('tells of one setting what it takes, and how it is set', async () => {
    expect((await freehold(['config', 'bodyBytesMax'])).out).toBe(
      [
        'bodyBytesMax: the largest body of a request.',
        'It is a whole number from 256 to 16777216 (bytes).',
        'It is 1048576 (default).',
        'It is set by --body-bytes-max, FREEHOLD_BODY_BYTES_MAX and "bodyBytesMax" in the file.',
        '',
      ].join('\n'),
    )
    expect(await freehold(['config', 'bodyByteMax'])).toMatchObject({ exit: 2, err: expect.stringContaining('Did you mean bodyBytesMax?') })
  })

  test('prints a schema that takes what the file may hold, and refuses the rest', async () => {
    const schema = JSON.parse((await freehold(['config', '--schema'])).out)
    const isValid = new Ajv2020().compile(schema)
    expect(isValid({ $schema: './x.json', port: 8080, designs: ['rebac'], logLevel: 'warn', policies: 'acme' })).toBe(true)
    for (const wrong of [
      { prot: 1 },
      { port: '1' },
      { port: 65_536 },
      { designs: ['a b'] },
      { logLevel: 'loud' },
      { secret },
      { host: '' },
    ])
      expect([wrong, isValid(wrong)]).toEqual([wrong, false])
    const defaults = Object.entries(defaultSettings).filter(([name, value]) => name in schema.properties && value !== undefined)
    expect(isValid(Object.fromEntries(defaults))).toBe(true)
  })
})

describe('the file of settings', () => {
  test('is that of --config before FREEHOLD_CONFIG before the working folder', async () => {
    const cwd = folder({ 'freehold.config.json': '{"port":1}', 'two.json': '{"port":2}', 'three.json': '{"port":3}' })
    expect((await told(cwd)).get('port')).toEqual({ value: 1, from: 'freehold.config.json' })
    expect((await told(cwd, { FREEHOLD_CONFIG: 'two.json' })).get('port')).toEqual({ value: 2, from: 'two.json' })
    const named = await told(cwd, { FREEHOLD_CONFIG: 'two.json' }, '--config', 'three.json')
    expect(named.get('port')).toEqual({ value: 3, from: 'three.json' })
  })

  test('is not searched for in folders above', async () => {
    const above = inFile('{"port":1}')
    mkdirSync(join(above, 'below'))
    expect((await told(join(above, 'below'))).get('port')).toEqual({ value: 3000, from: 'default' })
  })

  test('has paths that are relative to it', async () => {
    const cwd = folder()
    mkdirSync(join(cwd, 'conf'))
    writeFileSync(join(cwd, 'conf/acme.json'), '{"data":"data","policies":"/srv/policies"}')
    const settings = await told(cwd, {}, '--config', 'conf/acme.json')
    expect([settings.get('data')?.value, settings.get('policies')?.value]).toEqual(['conf/data', '/srv/policies'])
    expect((await told(cwd, { FREEHOLD_DATA: 'data' }, '--config', 'conf/acme.json')).get('data')?.value).toBe('data')
  })

  test.each([
    ['{"prot": 8080}', "has a setting 'prot', which is none. Did you mean port? `freehold config` lists all."],
    ['{"somethingElse": 1}', '`freehold config` lists all.'],
    ['{"__proto__": 1}', "has a setting '__proto__'"],
    ['{"constructor": 1}', "has a setting 'constructor'"],
    ['{"folders": {}}', "has a setting 'folders'"],
    ['{"port": "8080"}', 'has a wrong value of port, "8080". It is a whole number from 0 to 65535.'],
    ['{"port": 65536}', 'It is a whole number from 0 to 65535.'],
    ['{"port": -1}', 'It is a whole number from 0 to 65535.'],
    ['{"port": 80.5}', 'It is a whole number from 0 to 65535.'],
    ['{"port": null}', 'It is a whole number from 0 to 65535.'],
    ['{"port": 1e400}', 'too large'],
    ['{"bodyBytesMax": 1}', 'It is a whole number from 256 to 16777216 (bytes).'],
    ['{"designs": "rebac"}', 'It is a list of texts'],
    ['{"designs": ["rebac", 1]}', 'It is a list of texts'],
    ['{"logLevel": "loud"}', 'It is one of trace, debug'],
    ['{"host": ""}', 'It is a text that is not empty.'],
    ['{"data": "a\\u0000b"}', 'It is the path of a file or folder.'],
    [`{"secret": "${secret}"}`, 'holds secret, which is a secret: set FREEHOLD_SECRET instead.'],
    ['{"port": 1, "port": 2}', 'names "port" twice'],
    ['{"port": 1,\n}', 'is not JSON: the error is at line 2, character 1'],
    ['[]', 'is not a JSON object of settings.'],
    ['', 'is not JSON'],
  ])('%s is refused by every command, by the name of the file', async (text, sentence) => {
    const cwd = inFile(text)
    for (const argv of [['config'], ['designs'], ['serve']]) {
      const { exit, out, err } = await freehold(argv, { cwd, env: {} })
      expect({ exit, out, err }).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
      expect(err).toMatch(/^freehold: freehold\.config\.json .* \(InvalidInput\)\n$/)
      expect(err).not.toContain('correct')
    }
  })

  test('that is named must be a readable file', async () => {
    const cwd = folder({ 'latin.json': '' })
    writeFileSync(join(cwd, 'latin.json'), Buffer.from([0x7b, 0xff, 0x7d]))
    symlinkSync('/dev/zero', join(cwd, 'zero.json'))
    const cases = [
      ['nowhere.json', 'nowhere.json does not exist: --config and FREEHOLD_CONFIG name a file of settings.'],
      ['.', '. is not a file. --config and FREEHOLD_CONFIG name a file of settings.'],
      ['', '--config is empty: give the path of a file of settings'],
      ['zero.json', 'zero.json is not a file.'],
      ['latin.json', 'latin.json is not UTF-8 (line 1).'],
    ] as const
    for (const [name, sentence] of cases)
      expect(await freehold(['designs', '--config', name], { cwd, env: {} })).toMatchObject({
        exit: 2,
        err: expect.stringContaining(sentence),
      })
    expect(await freehold(['designs'], { cwd, env: { FREEHOLD_CONFIG: 'nowhere.json' } })).toMatchObject({ exit: 2 })
  })

  test('is not needed for help', async () => {
    expect(await freehold(['serve', '--help'], { cwd: inFile('nothing'), env: { FREEHOLD_PORT: 'x' } })).toMatchObject({ exit: 0 })
  })
})

describe('a setting that decides about trust', () => {
  const known = knownSettings(designModules)
  const texts = { path: 'a', text: 'a', list: ['a'], flag: true } as const
  const exampleOf = (setting: Setting) =>
    setting.kind === 'number' ? setting.least : setting.kind === 'choice' ? setting.choices[0] : texts[setting.kind]
  const ofTrust = ['issuers', 'policies', 'policyStore', 'without', 'credentialLink', 'mailFrom', 'host', 'trustedProxies']
  const ofRecords = Object.keys(settingTable).filter((name) => name.startsWith('decisionLog'))
  const others = ['publicUrl', 'authzenTenant', 'metricsHost', 'metricsPort', 'data', 'dataKeys', 'definitionAgeMs', 'logLevel']

  test('is each of these, and no other', () => {
    const marked = Object.keys(known).filter((name) => known[name]?.isTrusted === true)
    expect(marked.sort()).toEqual([...ofTrust, ...ofRecords, ...others].sort())
  })

  test.each([...ofTrust, ...ofRecords, ...others])(
    '%s is refused in a file that nobody has named, and taken from a named one',
    async (name) => {
      const setting = known[name]
      const value = setting && exampleOf(setting)
      const cwd = inFile(JSON.stringify({ [name]: value }))
      for (const argv of [['config'], ['designs'], ['serve']])
        expect(await freehold(argv, { cwd, env: {} })).toMatchObject({
          exit: 2,
          out: '',
          err: expect.stringContaining(`holds ${name}, which decides about trust: name the file by --config or FREEHOLD_CONFIG, or set `),
        })
      expect(readConfigFile(cwd, 'freehold.config.json', known)?.values.get(name)).toEqual(value)
      if (name === 'without') return
      expect((await told(cwd, { FREEHOLD_CONFIG: 'freehold.config.json' })).get(name)).toEqual({ value, from: 'freehold.config.json' })
      expect((await told(cwd, {}, '--config', 'freehold.config.json')).get(name)).toEqual({ value, from: 'freehold.config.json' })
    },
  )

  test('is told so by its sheet, and by the schema of the file', async () => {
    const { properties } = JSON.parse((await freehold(['config', '--schema'])).out)
    const told = Object.keys(properties).filter((name) =>
      String(properties[name].description).includes('; of files, only a named one sets it'),
    )
    expect(told.sort()).toEqual([...ofTrust, ...ofRecords, ...others].sort())
    expect((await freehold(['config', 'host'])).out).toContain('It is set by --host, FREEHOLD_HOST and "host" in a file that is named.')
  })
})

test.each<[Readonly<Record<string, string>>, string]>([
  [
    { AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's' },
    `${endpoint} (AWS_ENDPOINT_URL_DYNAMODB)`,
  ],
  [{ DYNAMODB_ENDPOINT: endpoint, AWS_ENDPOINT_URL: 'http://127.0.0.1:1' }, `${endpoint} (DYNAMODB_ENDPOINT)`],
])('%o: it is told where DynamoDB is and why, and a command goes there', async (env, told) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const cwd = folder()
  expect((await freehold(['config', 'endpoint'], { cwd, env })).out).toBe(`DynamoDB is ${told}.\n`)
  expect((await freehold(['config'], { cwd, env })).out).toContain(endpoint)
  expect(await freehold(['query', 'rebac', 'users', '{}', '--table', freshTable()], { cwd, env })).toMatchObject({ exit: 0 })
})

test('an address that is none is told among the settings, and asked for alone it is refused', async () => {
  const env = { AWS_ENDPOINT_URL_DYNAMODB: 'nonsense' }
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'nonsense')
  onTestFinished(() => void vi.unstubAllEnvs())
  const told = 'AWS_ENDPOINT_URL_DYNAMODB is "nonsense", which is not an http or https URL'
  expect(await freehold(['config', '--json'], { env })).toMatchObject({
    exit: 0,
    out: expect.stringContaining(told.replaceAll('"', '\\"')),
  })
  expect(await freehold(['config', 'endpoint'], { env })).toMatchObject({ exit: 2, out: '', err: expect.stringContaining(told) })
})

describe('a variable of a setting', () => {
  test.each([
    [{ FREEHOLD_PORT: 'x' }, "FREEHOLD_PORT is 'x'. It is a whole number from 0 to 65535."],
    [{ FREEHOLD_PORT: '0x50' }, "FREEHOLD_PORT is '0x50'."],
    [{ FREEHOLD_PORT: '80 ' }, "FREEHOLD_PORT is '80 '."],
    [{ FREEHOLD_LOG_LEVEL: 'INFO' }, 'It is one of trace'],
  ])('%o is refused', (env, sentence) => {
    expect(() => settledBy(env)).toThrow(sentence)
  })

  test('counts less than the option', async () => {
    const env = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1', FREEHOLD_DESIGNS: 'nothing' }
    expect((await freehold(['serve'], { env })).err).toContain("There is no design 'nothing'")
    expect((await freehold(['serve', '--design', 'nobody'], { env })).err).toContain("There is no design 'nobody'")
  })
})

test('help shows the common options of serve, and none of the numbers', async () => {
  const { out } = await freehold(['serve', '--help'])
  expect(out).toContain('--port <n>')
  expect(out).not.toMatch(/^ +--running-max/m)
  expect(out).toContain('`freehold config`')
})
