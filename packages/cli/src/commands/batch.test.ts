import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { putItem, sampleTable } from '../../test/organisation.ts'
import { folder, freehold, type Ran } from '../../test/recorded-shell.ts'

const table: string = await sampleTable()

/** Asks the questions of a CSV with this text. */
function batch(csv: string | Uint8Array, ...flags: string[]): Promise<Ran> {
  return freehold(['can', 'rebac', '--batch', 'questions.csv', '--table', table, ...flags], {
    cwd: folder({ 'questions.csv': csv }),
    env: { DYNAMODB_ENDPOINT: endpoint },
  })
}

const answers = ({ out }: Ran): { readonly allowed?: boolean; readonly error?: { readonly line: number; readonly message: string } }[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const ada = 'ada@example.org'

describe('a batch of questions', () => {
  test('is answered a line each, in order, whatever the order of its columns', async () => {
    const ran = await batch(
      `page,user,location\ndashboard,${ada},NYC001\nreports,ben@example.org,NYC001\nlessons,${ada},nyc001\n`,
      '--json',
    )
    expect(ran.exit).toBe(0)
    expect(answers(ran)).toEqual([
      { allowed: true },
      { allowed: false, reason: { kind: 'policy', code: 'NoGrant', message: expect.any(String) } },
      { allowed: true },
    ])
    expect(ran.err).toMatch(/^\{"note":"3 questions: 2 yes, 1 no, 0 unanswered; \d+ round trips, \d+ requests, [\d.]+ request units"\}\n$/)
  })

  test('keeps its order over more questions than are asked at once', async () => {
    const rows = Array.from({ length: 1203 }, (_, index) => `${ada},NYC001,${index % 3 === 0 ? 'dashboard' : 'nothing'}`)
    const ran = await batch(`user,location,page\n${rows.join('\n')}\n`, '--json')
    expect(answers(ran).map(({ allowed }) => allowed)).toEqual(rows.map((_, index) => index % 3 === 0))
    expect(ran.err).toContain('1203 questions: 401 yes, 802 no, 0 unanswered')
  })

  test('of a matrix names users by e-mail and permissions by page', async () => {
    const matrix = 'user,permission\nada,dashboard\nben,reports\n'
    const ran = await batch(matrix, '--location', 'NYC001', '--email-domain', 'example.org', '--json')
    expect(answers(ran).map(({ allowed }) => allowed)).toEqual([true, false])
    const elsewhere = await batch(matrix, '--location', 'NYC001', '--json')
    expect(answers(elsewhere)).toMatchObject([{ reason: { code: 'UnknownUser' } }, { reason: { code: 'UnknownUser' } }])
  })

  test('takes the location that its rows lack', async () => {
    const ran = await batch(`user,page\n${ada},dashboard\n`, '--location', 'NYC001', '--json')
    expect(answers(ran)).toEqual([{ allowed: true }])
    const own = await batch(`user,page,location\n${ada},reports,LON001\n`, '--location', 'NYC001', '--json')
    expect(answers(own)).toMatchObject([{ allowed: false }])
  })

  test('is a line a question for a person too', async () => {
    const { out } = await batch(`user,location,page\n${ada},NYC001,dashboard\nben@example.org,NYC001,reports\n`)
    expect(out).toBe(`yes  ${ada}  NYC001  dashboard\nno   ben@example.org  NYC001  reports  NoGrant\n`)
  })

  test('reads quotes, a byte order mark, Windows lines and empty lines', async () => {
    const ran = await batch(`\ufeff"user","location","page"\r\n"${ada}", NYC001 ,"dashboard"\r\n\r\n`, '--json')
    expect(answers(ran)).toEqual([{ allowed: true }])
  })

  test('of no questions is answered', async () => {
    expect(await batch('user,location,page\n')).toMatchObject({ exit: 0, out: '', err: expect.stringContaining('0 questions') })
  })

  test('answers the others where rows are malformed, says which, and exits with 2', async () => {
    const ran = await batch(
      `user,location,page\n${ada},NYC001\n${ada},NYC001,dashboard\n${ada},NYC001,\n${ada},NYC001,lessons,x\n`,
      '--json',
    )
    expect(ran.exit).toBe(2)
    expect(answers(ran)).toEqual([
      { error: { code: 'InvalidInput', message: 'The row has 2 fields, but the first line 3.', line: 2 } },
      { allowed: true },
      { error: { code: 'InvalidInput', message: expect.stringContaining('page'), line: 4 } },
      { error: { code: 'InvalidInput', message: 'The row has 4 fields, but the first line 3.', line: 5 } },
    ])
    expect(ran.err).toContain('4 questions: 1 yes, 0 no, 3 unanswered')
    const person = await batch(`user,location,page\n${ada},NYC001\n`)
    expect(person.out).toBe('?    line 2: The row has 2 fields, but the first line 3.\n')
    const broken = await batch(`user,location,page\n"ada\nlovelace",NYC001\n`, '--json')
    expect(answers(broken)).toMatchObject([{ error: { line: 2 } }])
    const windows = Buffer.from(`user,location,page\nm\xfcller@example.org,NYC001,x\n${ada},NYC001,dashboard\n`, 'latin1')
    expect(answers(await batch(windows, '--json'))).toEqual([
      { error: { code: 'InvalidInput', message: 'The row is not UTF-8: save the file as UTF-8.', line: 2 } },
      { allowed: true },
    ])
  })

  test('exits with 2 where a stored record kept a question from being answered', async () => {
    const broken = await sampleTable()
    await putItem(broken, { PK: 'PAGE#dashboard', SK: 'META', Type: 'Page', version: '1', createdAt: 'once' })
    const cwd = folder({ 'questions.csv': `user,location,page\n${ada},NYC001,dashboard\n` })
    const ran = await freehold(['can', 'rebac', '--batch', 'questions.csv', '--table', broken], {
      cwd,
      env: { DYNAMODB_ENDPOINT: endpoint },
    })
    expect(ran).toMatchObject({ exit: 2, out: expect.stringMatching(/^\? {4}ada/), err: expect.stringContaining('1 unanswered') })
  })

  test.each<[string | Uint8Array, string[], string]>([
    ['', [], 'it is empty'],
    [Buffer.from('user,l\xe4nge\n', 'latin1'), [], 'line 1 is not UTF-8'],
    ['user;location;page\n', [], 'its columns are separated by semicolons: separate them by commas'],
    ['User,location,page\n', [], 'which has user, location, page; write user in place of User'],
    ['user,Permission\n', ['--location', 'NYC001'], 'write permission in place of Permission'],
    ['user,location\n', [], 'the column page is missing'],
    ['user,location,page,colour\n', [], "'colour' is not a field of a question, which has user, location, page"],
    ['user,user,page\n', [], 'two of its columns have the same name'],
    ['user,permission\nu,p\n', [], 'a matrix of user,permission needs --location'],
    [
      'user,permission\nu,p\n',
      ['--location', 'NYC001', '--client', 'x'],
      "leave --client out, since 'client' is not a field of a question",
    ],
    [
      'user,permission\nu,p\n',
      ['--location', 'NYC001', '--email-domain', 'no domain'],
      "--email-domain 'no domain' is no domain: give what",
    ],
    [`user,location,page\n"${'x'.repeat(70_000)}`, [], 'a quote is not closed, or a row is longer'],
  ])('exits with 2 for the file %j', async (csv, flags, sentence) => {
    expect(await batch(csv, ...flags)).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
  })

  test.each([
    ['missing.csv', 'The file missing.csv does not exist.'],
    ['.', 'The file . is a folder.'],
    ['a\u001bb', 'The file a\\u001bb does not exist.'],
  ])('exits with 2 for the path %j', async (path, sentence) => {
    const { exit, err } = await freehold(['can', 'rebac', '--batch', path, '--table', table])
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining(sentence) })
  })
})
