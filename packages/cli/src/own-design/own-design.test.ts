import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { designModules } from '@freehold/designs'
import { moduleOf } from '@freehold/frame'
import { openKeys, serviceDesign } from '@freehold/service'
import { connect } from '@freehold/table'
import { ensureTable, senderOf } from '@freehold/table/runtime'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { bundlePackages } from '../../../../test/bundle-packages.js'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { freehold, freshTable } from '../../test/recorded-shell.ts'
import { endSpawned, spawnCommand } from '../../test/spawned.ts'
import { ofOneDesign } from '../program/declare.ts'
import { createProgram } from '../program/program.ts'

// A design of a stranger's own, in a folder that has nothing but its files, run by the packages as they are installed.

let installed: string
let bin: string
/** A folder without a package.json, in which nothing is installed. */
let bare: string
/** The same with the packages, as `npm install freehold` leaves it. */
let stranger: string

interface Ran {
  readonly exit: number
  readonly out: string
  readonly err: string
}

function node(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const own = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, DYNAMODB_ENDPOINT: endpoint, ...env }
  return new Promise((resolve) =>
    execFile(process.execPath, [...args], { cwd, env: own }, (error, out, err) => resolve({ exit: Number(error?.code ?? 0), out, err })),
  )
}
const command = (argv: readonly string[], cwd = bare) => node([bin, ...argv], cwd)

beforeAll(async () => {
  installed = await bundlePackages()
  bin = join(installed, 'node_modules', 'freehold', 'bin', 'freehold.js')
  bare = temporaryFolder()
  stranger = temporaryFolder()
  for (const folder of [bare, stranger]) expect(await command(['init'], folder)).toMatchObject({ exit: 0, err: '' })
  symlinkSync(join(installed, 'node_modules'), join(stranger, 'node_modules'))
})
afterAll(endSpawned)

describe('freehold init', () => {
  test('writes a design with a test and a README, into a named folder, too, and overwrites nothing', async () => {
    expect(readdirSync(bare)).toEqual(['README.md', 'shop.test.ts', 'shop.ts'])
    expect(JSON.parse((await command(['init', 'deep/first', '--json'])).out)).toEqual({
      folder: join(bare, 'deep', 'first'),
      files: ['README.md', 'shop.test.ts', 'shop.ts'],
    })
    writeFileSync(join(bare, 'deep', 'README.md'), 'mine')
    expect(await command(['init', 'deep'])).toMatchObject({ exit: 2, err: expect.stringContaining('deep has README.md') })
    expect(readdirSync(join(bare, 'deep')).sort()).toEqual(['README.md', 'first'])
    expect(readFileSync(join(bare, 'deep', 'README.md'), 'utf8')).toBe('mine')
    expect(await command(['init', 'shop.ts'])).toMatchObject({ exit: 2, err: expect.stringContaining('shop.ts cannot be written to') })
  })

  test('its README runs as it stands', async () => {
    const readme = readFileSync(join(stranger, 'README.md'), 'utf8')
    const lines = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = '']) => text.trim().split('\n'))
    const inline = [...readme.matchAll(/`(npx freehold [^`]+)`/g)].flatMap(([, text = '']) => (text.includes('serve') ? [] : [text]))
    expect(lines.shift()).toBe('npm install freehold')
    expect(lines.length).toBeGreaterThan(8)
    const ran: string[] = []
    for (const line of [...lines, ...inline]) {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
      const args = words[0] === 'node' ? words.slice(1) : [bin, ...words.slice(2)]
      const { exit, out, err } = await node(args, stranger)
      expect({ line, exit, err }).toEqual({ line, exit: 0, err: '' })
      ran.push(out)
    }
    const text = ran.join('\n')
    for (const part of ['shop is proven', '0 warnings', 'addProduct', 'Tea', 'yes\n', 'AWS::DynamoDB::Table']) expect(text).toContain(part)
    // Each version of Node has its own sign before it.
    expect(text).toMatch(/^. pass 1$/m)
  })
})

describe('--design with a file', () => {
  test('stands in place of the name, before or after the operands, with or without it', async () => {
    const keys = ['Shop', '{"shopId":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}', '--json']
    const all = await Promise.all([
      command(['keys', '--design', './shop.ts', ...keys]),
      command(['keys', ...keys, '--design=shop.ts']),
      command(['keys', 'shop', ...keys, '--design', join(bare, 'shop.ts')]),
    ])
    for (const { exit, out } of all)
      expect({ exit, out: JSON.parse(out) }).toMatchObject({ exit: 0, out: { PK: 'SHOP#01ARZ3NDEKTSV4RRFFQ69G5FAV' } })
  })

  test('takes a design alone, and says what it lacks', async () => {
    writeFileSync(
      join(bare, 'bare.ts'),
      `import { shop } from './shop.ts'\nimport type { AnyDesign } from '@freehold/table'\nexport const alone: AnyDesign = { ...shop, name: 'alone' }\n`,
    )
    const own = ['--design', './bare.ts']
    expect(await command(['prove', ...own])).toMatchObject({ exit: 0, out: expect.stringContaining('alone is proven') })
    expect(await command(['create', ...own, 'Shop', '{"name":"Quay"}', '--table', freshTable()])).toMatchObject({ exit: 0 })
    expect((await command(['flows', ...own])).err).toContain('alone has no flows')
    expect((await command(['do', ...own, 'addProduct'])).err).toContain('alone has no flows')
    expect((await command(['can', ...own, '{}'])).err).toContain('alone answers no questions')
  })

  test.each<[what: string, text: string, sentence: string]>([
    ['no design', 'export const a = 1', 'exports no design'],
    [
      'two designs',
      `import { shop } from './shop.ts'\nexport const a = { ...shop, name: 'a' }, b = { ...shop, name: 'b' }`,
      'exports several designs, a and b',
    ],
    ['a fault', 'throw new Error("no luck")', 'cannot be loaded. Error: no luck'],
    ['no TypeScript', 'export const = 1', 'cannot be loaded.'],
    ['TypeScript that is more than types', 'export enum A { B }', 'cannot be loaded.'],
    ['an import of nothing', `import './nothing.ts'`, 'cannot be loaded.'],
    [
      'an invalid design',
      `import { design } from '@freehold/table'\nexport const a = design({ name: 'a', table: 'a', entities: {}, patterns: { close: 1 } } as never)`,
      'already taken',
    ],
    ['the name of the service', `import { shop } from './shop.ts'\nexport default { ...shop, name: 'service' }`, 'give it another name'],
  ])('of %s says so', async (what, text, sentence) => {
    const file = `${what.replaceAll(' ', '-')}.ts`
    writeFileSync(join(bare, file), text)
    const { exit, out, err } = await command(['prove', '--design', file])
    expect({ exit, out, lines: err.split('\n').length - 1 }).toEqual({ exit: 2, out: '', lines: 1 })
    expect(err).toContain(sentence)
  })

  test('is served, beside a finished design', async () => {
    const argv = ['serve', '--design', './shop.ts', 'platform', '--memory', '--port', '0', '--json']
    const serving = spawnCommand(argv, { module: bin, cwd: bare })
    await serving.says('\n')
    const { address, designs, keyFile } = JSON.parse(serving.written.out)
    expect(designs).toEqual(['shop', 'platform'])
    const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
    const asked = await fetch(`${address}/v1/shop/can`, {
      method: 'POST',
      headers: { authorization: `Bearer ${readFileSync(keyFile, 'utf8').trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ person: id, shop: id, action: 'sell' }),
    })
    expect(await asked.json()).toMatchObject({ allowed: false, reason: { code: 'UnknownPerson' } })
    serving.process.kill('SIGTERM')
    expect(await serving.ended).toMatchObject({ code: 0 })
  })
})

test('the template of a service names a bundle that starts, and answers for the design', async () => {
  const { out, exit } = await command(['template', 'service', '--design', './shop.ts', '--json'], stranger)
  expect(exit).toBe(0)
  const { Metadata, Resources } = JSON.parse(out)
  const [[, source] = ['', '']]: [string, string][] = Object.entries(Metadata)
  expect(parse((await command(['template', 'service', '--design', './shop.ts'], stranger)).out, { logLevel: 'silent' }).Metadata).toEqual(
    Metadata,
  )
  writeFileSync(join(stranger, 'index.js'), source)
  const build = await rolldown({ input: join(stranger, 'index.js'), platform: 'node', external: [/cedar-wasm/], logLevel: 'silent' })
  await build.write({ dir: join(stranger, 'service'), format: 'esm', entryFileNames: '[name].mjs' })
  await build.close()

  const tables = { FREEHOLD_TABLE_SHOP: freshTable(), FREEHOLD_TABLE_SERVICE: freshTable() }
  const sender = senderOf({ endpoint })
  const key = await openKeys({ sender, table: tables.FREEHOLD_TABLE_SERVICE })
  await ensureTable(connect(serviceDesign, { sender, table: tables.FREEHOLD_TABLE_SERVICE }).runtime)
  const { text } = await key.newKey('a test')
  sender.close()
  const names: Readonly<Record<string, unknown>> = Resources.ServiceFunction.Properties.Environment.Variables
  expect(names).toMatchObject({ FREEHOLD_DESIGNS: 'shop', FREEHOLD_TABLE_SHOP: { Ref: expect.any(String) } })
  const event = {
    ...{ version: '2.0', routeKey: '$default', rawPath: '/v1', rawQueryString: '', isBase64Encoded: false },
    headers: { authorization: `Bearer ${text}` },
    requestContext: { stage: '$default', http: { method: 'GET', path: '/v1', sourceIp: '127.0.0.1' } },
  }
  const script = `const { handler } = await import('./service/index.mjs'); process.stdout.write('\\n' + JSON.stringify(await handler(${JSON.stringify(event)})))`
  const started = await node(['--input-type=module', '-e', script], stranger, {
    FREEHOLD_DESIGNS: 'shop',
    FREEHOLD_SECRET: 'a secret of the tests',
    ...tables,
  })
  expect(started).toMatchObject({ exit: 0, err: '' })
  const answer = JSON.parse(started.out.split('\n').at(-1) ?? '')
  expect({ ...answer, body: JSON.parse(answer.body) }).toMatchObject({ statusCode: 200, body: { designs: [{ name: 'shop' }] } })
})

describe('in any command line', () => {
  test('every command on one design has it', () => {
    const { program } = createProgram({ env: {}, designs: designModules } as never)
    const named = program.commands.filter(({ registeredArguments: [first] }) => first?.name() === 'design')
    expect(named.filter((each) => each.options.every(({ long }) => long !== '--design')).map((each) => each.name())).toEqual([])
    expect(named.filter((each) => !ofOneDesign.has(each)).map((each) => each.name())).toEqual(['template'])
  })

  test.each<[argv: string[], sentence: string]>([
    [['prove', '--design', './no.ts'], './no.ts is not a file'],
    [['prove', './shop.ts'], 'stands behind --design'],
    [['prove', '--design', 'rebac', '--design', 'platform'], 'given twice'],
    [['template', 'service', '--design', 'work'], 'no design'],
    [['template'], 'A design is missing'],
  ])('%j is refused with a reason', async (argv, sentence) => {
    const { exit, err } = await freehold(argv)
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining(sentence) })
  })

  test('a name stands for a name', async () => {
    expect(await freehold(['patterns', '--design', 'rebac'])).toEqual(await freehold(['patterns', 'rebac']))
  })

  test('a service of a design that a program hands in needs its file', async () => {
    const work = moduleOf({ ...designModules.get('rebac')?.design, name: 'work' })
    if (work === undefined) throw new Error('It has a design.')
    const { exit, err } = await freehold(['template', 'service', '--design', 'work'], { designs: new Map([['work', work]]) })
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining('--design ./work.ts') })
  })
})
