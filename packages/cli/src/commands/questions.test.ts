import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { putItem, sampleTable } from '../../test/organisation.ts'
import { folder, freehold, freshTable } from '../../test/recorded-shell.ts'

const cwd = folder()
const table: string = await sampleTable()

const ask = (question: string, asked: object, ...flags: string[]) =>
  freehold([question, 'rebac', JSON.stringify(asked), '--table', table, ...flags], {
    cwd,
    env: { DYNAMODB_ENDPOINT: endpoint },
  })
const ada = { user: 'ada@example.org', location: 'NYC001' }
const ben = { user: 'Ben@Example.org', location: 'nyc001' }

describe('can', () => {
  test.each([[], ['--consistency', 'strong'], ['--consistency', 'bounded']])('says yes, and exits with 0 %j', async (...flags) => {
    expect(await ask('can', { ...ada, page: 'dashboard' }, ...flags)).toEqual({ exit: 0, out: 'yes\n', err: '' })
    expect(await ask('can', { ...ada, page: 'dashboard' }, '--json', ...flags)).toEqual({ exit: 0, out: '{"allowed":true}\n', err: '' })
  })

  test('says no and why, and exits with 1', async () => {
    const { exit, out, err } = await ask('can', { ...ben, page: 'reports' })
    expect({ exit, err }).toEqual({ exit: 1, err: '' })
    expect(out).toMatch(/^no: .* \(NoGrant\)\n$/)
    const json = await ask('can', { ...ben, page: 'reports' }, '--json')
    expect(json.exit).toBe(1)
    expect(JSON.parse(json.out)).toEqual({ allowed: false, reason: { kind: 'policy', code: 'NoGrant', message: expect.any(String) } })
  })

  test.each([
    [{ ...ada, user: 'nobody@example.org', page: 'dashboard' }, 'UnknownUser'],
    [{ ...ada, location: 'ROM001', page: 'dashboard' }, 'UnknownLocation'],
    [{ ...ada, page: 'no page' }, 'UnknownPage'],
  ])('denies what is not there: %j', async (question, code) => {
    expect(await ask('can', question)).toMatchObject({ exit: 1, out: expect.stringContaining(`(${code})`) })
  })

  test.each([
    [{ ...ada }, 'page'],
    [{ ...ada, page: 7 }, 'page'],
    [{ ...ada, page: 'dashboard', colour: 'red' }, 'colour'],
    [{ ...ada, page: '' }, 'page'],
  ])('exits with 2 for a malformed question: %j', async (question, name) => {
    const { exit, out, err } = await ask('can', question)
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toContain(name)
    expect(err).toContain('(InvalidInput)')
  })

  test('exits with 2 where a stored record is malformed: that is no policy that denies', async () => {
    const broken = await sampleTable()
    await putItem(broken, { PK: 'PAGE#dashboard', SK: 'META', Type: 'Page', version: '1', createdAt: 'once' })
    const { exit, out } = await freehold(['can', 'rebac', JSON.stringify({ ...ada, page: 'dashboard' }), '--table', broken, '--json'])
    expect(exit).toBe(2)
    expect(JSON.parse(out)).toMatchObject({ allowed: false, reason: { kind: 'fault' } })
  })

  test('says that a table which was named was not there, as its name may be misspelled', async () => {
    const name = freshTable()
    const asked = ['can', 'rebac', JSON.stringify({ ...ada, page: 'dashboard' }), '--table', name]
    expect(await freehold(asked)).toMatchObject({ exit: 1, err: `Created the table ${name}, which did not exist.\n` })
    expect(await freehold(asked)).toMatchObject({ exit: 1, err: '' })
    expect(await freehold([...asked.slice(0, -1), freshTable(), '--json'])).toMatchObject({ exit: 1, err: '' })
  })

  test.each([
    [['can', 'rebac'], 'A question is missing'],
    [['can', 'rebac', '{}', '--batch', 'file.csv'], 'not both'],
    [['can', 'rebac', '{}', '--location', 'NYC001'], '--location goes with --batch'],
    [['can', 'rebac', '{}', '--client', 'x'], '--client goes with --batch'],
  ])('%j exits with 2', async (argv, sentence) => {
    expect(await freehold(argv)).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
  })
})

describe('why', () => {
  test('shows each chain of items that allows it', async () => {
    const { exit, out } = await ask('why', { ...ada, page: 'dashboard' })
    expect(exit).toBe(0)
    expect(out).toMatch(/^yes\n\nIt is allowed by:\nstep +state +in words +item\n/)
    expect(out).toMatch(/^group role +found .* GroupRole groupId \w{26}, roleName teacher$/m)
    const { out: json } = await ask('why', { ...ada, page: 'dashboard' }, '--json')
    expect(JSON.parse(json)).toMatchObject({ allowed: true, chains: [expect.any(Array)], missing: [] })
  })

  test('shows what was missing, and exits with 1', async () => {
    const { exit, out } = await ask('why', { ...ben, location: 'LON001', page: 'dashboard' })
    expect(exit).toBe(1)
    expect(out).toMatch(/^no: .* \(NoMembership\)\n\nMissing:\nstep +state/)
    expect(out).toMatch(/^membership +missing/m)
  })
})

describe('what, who and where', () => {
  const items = async (question: string, asked: object, name: string, ...flags: string[]) => {
    const { exit, out, err } = await ask(question, asked, '--json', ...flags)
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    const page: { readonly items: readonly Record<string, unknown>[]; readonly cursor?: string } = JSON.parse(out)
    return { names: page.items.map((item) => item[name]), cursor: page.cursor }
  }

  test('list what they are asked for', async () => {
    expect(await items('what', ada, 'page')).toEqual({ names: ['dashboard', 'lessons', 'reports'] })
    expect(await items('what', ben, 'page')).toEqual({ names: ['dashboard', 'lessons'] })
    expect((await items('who', { location: 'NYC001', page: 'lessons' }, 'displayName')).names.toSorted()).toEqual(['Ada', 'Ben'])
    const places = await items('where', { user: 'ada@example.org', page: 'dashboard' }, 'locationCode')
    expect(places.names.toSorted()).toEqual(['LON001', 'NYC001'])
    expect(await items('where', { user: 'ada@example.org', page: 'reports' }, 'locationCode', '--expand')).toEqual({ names: ['NYC001'] })
  })

  test('page by page, across commands', async () => {
    const first = await items('what', ada, 'page', '--limit', '2')
    expect(first.names).toEqual(['dashboard', 'lessons'])
    expect(await items('what', ada, 'page', '--limit', '2', '--cursor', first.cursor ?? '')).toEqual({ names: ['reports'] })
  })

  test('are a table for a person', async () => {
    const { out } = await ask('what', ben)
    expect(out).toMatch(/^page +grantedBy\n─+ +─+\ndashboard +groupId \w{26}, roleName helper\n/)
  })

  test.each([
    ['what', { ...ada, user: 'nobody@example.org' }, 'There is no user "nobody@example.org". (UnknownUser)'],
    ['what', { ...ada, location: 'ROM001' }, 'There is no location "ROM001". (UnknownLocation)'],
    ['who', { location: 'ROM001', page: 'lessons' }, 'There is no location "ROM001". (UnknownLocation)'],
    ['who', { location: 'NYC001', page: 'no page' }, 'There is no page "no page". (UnknownPage)'],
    ['where', { user: 'nobody@example.org', page: 'lessons' }, 'There is no user "nobody@example.org". (UnknownUser)'],
    ['where', { user: 'ada@example.org', page: 'no page' }, 'There is no page "no page". (UnknownPage)'],
  ])('say of a name that is not there that it is not, and exit with 1: %s %j', async (question, asked, sentence) => {
    expect(await ask(question, asked)).toEqual({ exit: 1, out: '', err: `${sentence}\n` })
    const { exit, out, err } = await ask(question, asked, '--json')
    expect({ exit, err }).toEqual({ exit: 1, err: '' })
    const reason = { kind: 'unknown', code: /\((\w+)\)/.exec(sentence)?.[1], message: sentence.replace(/ \(\w+\)$/, '') }
    expect(JSON.parse(out)).toEqual({ items: [], reason })
  })

  test('say that there are none where everything asked about is there, which is an answer', async () => {
    expect(await ask('what', { ...ben, location: 'LON001' })).toEqual({ exit: 0, out: '', err: 'There are none.\n' })
    expect(await ask('what', { ...ben, location: 'LON001' }, '--json')).toEqual({ exit: 0, out: '{"items":[]}\n', err: '' })
  })

  test('exit with 2 where what was asked about cannot be read', async () => {
    const broken = await sampleTable()
    await putItem(broken, { PK: 'PAGE#dashboard', SK: 'META', Type: 'Page', version: '1', createdAt: 'once' })
    const asked = JSON.stringify({ location: 'NYC001', page: 'dashboard' })
    const { exit, out, err } = await freehold(['who', 'rebac', asked, '--table', broken])
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toMatch(/\(MalformedItem\)\n/)
  })

  test('exit with 2 where what might have been listed cannot be read, and with 0 where something else was found', async () => {
    const broken = await sampleTable()
    await putItem(broken, { PK: 'ROLE#helper', SK: 'META', Type: 'Role', version: '1', createdAt: 'once' })
    const whatOf = (asked: object) => freehold(['what', 'rebac', JSON.stringify(asked), '--table', broken, '--json'])
    const nothing = await whatOf(ben)
    expect(nothing.exit).toBe(2)
    expect(JSON.parse(nothing.out)).toMatchObject({ items: [], malformed: [{ key: { PK: 'ROLE#helper' } }], reason: { kind: 'fault' } })
    const who = await freehold(['who', 'rebac', '{"location":"NYC001","page":"dashboard"}', '--table', broken])
    expect(who).toMatchObject({ exit: 0, err: 'The Role is malformed.\n' })
  })

  test.each([
    ['what', { user: 'ada@example.org' }, 'location'],
    ['who', { ...ada, page: 'lessons' }, 'user'],
    ['where', { user: 'ada@example.org', page: '' }, 'page'],
  ])('%s %j exits with 2', async (question, asked, name) => {
    const { exit, out, err } = await ask(question, asked)
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toContain(name)
  })
})
