import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { putItem, sampleTable } from '../../test/organisation.ts'
import { folder, freehold, freshTable, type Ran } from '../../test/recorded-shell.ts'

const ids = { ada: '01ARZ3NDEKTSV4RRFFQ69G5FAV', here: '01BX5ZZKBKACTAV9WEVGEMMVRZ' }

function at(table: string, files: Readonly<Record<string, string | Uint8Array>>, ...argv: string[]): Promise<Ran> {
  return freehold([...argv, '--table', table], { cwd: folder(files), env: { DYNAMODB_ENDPOINT: endpoint } })
}

const jsonLines = (...items: object[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('')

const items = jsonLines(
  { Type: 'UserLocationEdge', userId: ids.ada, locationId: ids.here },
  { Type: 'User', userId: ids.ada, displayName: 'Ada' },
  { Type: 'Location', locationId: ids.here, locationCode: 'NYC001', name: 'New York' },
)

describe('import of items', () => {
  test('adds them in any order, and changes nothing when run again', async () => {
    const table = freshTable()
    const first = await at(table, { 'items.jsonl': items }, 'import', 'rebac', 'items.jsonl', '--json')
    expect(first).toMatchObject({ exit: 0, err: '' })
    expect(JSON.parse(first.out)).toEqual({ rows: 3, written: 3, unchanged: 0, skipped: 0, failed: 0, failures: [] })
    const again = await at(table, { 'items.jsonl': items }, 'import', 'rebac', 'items.jsonl')
    expect(again).toEqual({ exit: 0, out: 'items.jsonl: 3 rows, 0 written, 3 unchanged, 0 failed.\n', err: '' })
    const { out } = await at(table, {}, 'query', 'rebac', 'locationsOfUser', `{"userId":"${ids.ada}"}`, '--json')
    expect(JSON.parse(out).items).toMatchObject([{ locationCode: 'NYC001' }])
  })

  test('reads CSV with a column Type, and JSON lines from stdin', async () => {
    const table = freshTable()
    const csv = 'Type,userId,displayName,isAdmin\nUser,01ARZ3NDEKTSV4RRFFQ69G5FAV,"Ada, L.",true\n'
    expect(await at(table, { 'users.csv': csv }, 'import', 'rebac', 'users.csv')).toMatchObject({ exit: 0 })
    const { out } = await at(table, {}, 'get', 'rebac', 'User', `{"userId":"${ids.ada}"}`, '--json')
    expect(JSON.parse(out)).toMatchObject({ displayName: 'Ada, L.', isAdmin: true })
    const stdin = jsonLines({ Type: 'Role', roleName: 'teacher' })
    expect(await freehold(['import', 'rebac', '-', '--table', table], { stdin })).toMatchObject({
      exit: 0,
      out: expect.stringContaining('1 written'),
    })
  })

  test('reads CSV of people without a column Type', async () => {
    const table = freshTable()
    const csv = 'email,displayName,location,group,role\nada@example.org,Ada,NYC001,Teachers,teacher\n'
    expect(await at(table, { 'people.csv': csv }, 'import', 'rebac', 'people.csv')).toMatchObject({ exit: 0 })
    const { out } = await at(table, {}, 'why', 'rebac', '{"user":"ada@example.org","location":"NYC001","page":"none"}')
    expect(out).toContain('(UnknownPage)')
  })

  test('lists the rows that fail, adds the others, and exits with 1', async () => {
    const table = freshTable()
    const rows = `{"Type":"Role","roleName":"good"}\nno json\n{"Type":"Rolle"}\n{"Type":"Role","roleName":""}\n`
    const ran = await at(table, { 'rows.jsonl': rows }, 'import', 'rebac', 'rows.jsonl')
    expect(ran).toMatchObject({ exit: 1, out: 'rows.jsonl: 4 rows, 1 written, 0 unchanged, 3 failed.\n' })
    expect(ran.err).toMatch(/^rows\.jsonl, line 2: .* \(InvalidInput\)$/m)
    expect(ran.err).toMatch(/^rows\.jsonl, line 3: .*'Rolle'.* \(UnknownName\)$/m)
    expect(ran.err).toMatch(/^rows\.jsonl, line 4: .*roleName/m)
    const json = await at(table, { 'rows.jsonl': rows }, 'import', 'rebac', 'rows.jsonl', '--json')
    expect(json).toMatchObject({ exit: 1, err: '' })
    expect(JSON.parse(json.out)).toMatchObject({
      unchanged: 1,
      failed: 3,
      failures: [{ line: 2, code: 'InvalidInput' }, { line: 3 }, { line: 4 }],
    })
  })

  test.each([
    [['import', 'rebac'], 'A file is missing'],
    [['import', 'rebac', 'items.txt'], 'is neither .jsonl nor .csv'],
    [['import', 'rebac', 'missing.jsonl'], 'The file missing.jsonl does not exist.'],
    [['import', 'rebac', 'missing.csv'], 'The file missing.csv does not exist.'],
    [['import', 'rebac', 'items.csv', '--location', 'X'], 'A role matrix needs --user-roles, --role-permissions and --location'],
    [
      ['import', 'rebac', '--user-roles', 'a.csv', '--location', 'X'],
      'A role matrix needs --user-roles, --role-permissions and --location',
    ],
    [['import', 'rebac', '--user-roles', 'a.csv', '--role-permissions', 'b.csv', '--location', 'X'], 'The file a.csv does not exist.'],
  ])('%j exits with 2', async (argv, sentence) => {
    const { exit, out, err } = await at(freshTable(), {}, ...argv)
    expect({ exit, out, err }).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
  })

  test('exits with 2 for a CSV with other columns', async () => {
    const { exit, err } = await at(freshTable(), { 'x.csv': 'first,second\n1,2\n' }, 'import', 'rebac', 'x.csv')
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining('email') })
    const lower = await at(freshTable(), { 'x.csv': 'type,roleName\nRole,r\n' }, 'import', 'rebac', 'x.csv')
    expect(lower).toMatchObject({ exit: 2, err: expect.stringContaining('needs the columns Type; write Type in place of type.') })
  })
})

describe('import of a role matrix', () => {
  const files = {
    'users.csv': 'user,role\nu1,r1\nu2,r2\nu2,r1\n',
    'permissions.csv': 'role,permission\nr1,p1\nr2,p2\n',
  }
  const matrix = ['import', 'rebac', '--user-roles', 'users.csv', '--role-permissions', 'permissions.csv', '--location', 'hc']

  test('makes it answerable, and changes nothing when run again', async () => {
    const table = freshTable()
    const first = await at(table, files, ...matrix, '--json')
    expect(first).toMatchObject({ exit: 0, err: '' })
    expect(JSON.parse(first.out)).toMatchObject({ rolePermissions: { rows: 2, written: 2 }, userRoles: { rows: 3, written: 3 } })
    const { out } = await at(table, {}, 'what', 'rebac', '{"user":"u2@import.example","location":"HC"}', '--json')
    expect(JSON.parse(out).items).toMatchObject([{ page: 'p1' }, { page: 'p2' }])
    const questions = { 'q.csv': 'user,permission\nu1,p1\nu1,p2\n' }
    const asked = await at(table, questions, 'can', 'rebac', '--batch', 'q.csv', '--location', 'HC', '--json')
    expect(asked.out.split('\n').map((line) => (line === '' ? '' : JSON.parse(line).allowed))).toEqual([true, false, ''])
    const again = await at(table, files, ...matrix)
    expect(again.out).toBe(
      'permissions.csv: 2 rows, 0 written, 2 unchanged, 0 failed.\nusers.csv: 3 rows, 0 written, 3 unchanged, 0 failed.\n',
    )
  })

  test('makes no two names one: rows of Windows-1252 fail, each with its line', async () => {
    const table = freshTable()
    const matrixes = {
      'users.csv': Buffer.from('user,role\nu1,M\xe4rz\nu2,M\xfcrz\n', 'latin1'),
      'permissions.csv': Buffer.from('role,permission\nM\xe4rz,lesen\nM\xfcrz,schreiben\nr1,p1\n', 'latin1'),
    }
    const ran = await at(table, matrixes, ...matrix)
    expect(ran).toMatchObject({ exit: 1, out: expect.stringContaining('permissions.csv: 3 rows, 1 written, 0 unchanged, 2 failed.') })
    expect(ran.err.match(/^.*line \d+: The row is not UTF-8: save the file as UTF-8\. \(InvalidInput\)$/gm)).toEqual([
      'permissions.csv, line 2: The row is not UTF-8: save the file as UTF-8. (InvalidInput)',
      'permissions.csv, line 3: The row is not UTF-8: save the file as UTF-8. (InvalidInput)',
      'users.csv, line 2: The row is not UTF-8: save the file as UTF-8. (InvalidInput)',
      'users.csv, line 3: The row is not UTF-8: save the file as UTF-8. (InvalidInput)',
    ])
    const asked = await at(table, {}, 'query', 'rebac', 'roles', '--all', '--json')
    expect(asked.out).not.toContain('M')
  })

  test('lists rows that fail by file and line, and exits with 1', async () => {
    const ran = await at(freshTable(), { ...files, 'users.csv': 'user,role\nu1,r1\nu2,\n' }, ...matrix)
    expect(ran).toMatchObject({ exit: 1, out: expect.stringContaining('users.csv: 2 rows, 1 written, 0 unchanged, 1 failed.') })
    expect(ran.err).toMatch(/^users\.csv, line 3: /)
  })

  test('of account-management is for a client', async () => {
    const table = freshTable()
    const { out } = await at(table, {}, 'do', 'account-management', 'createClient', '{"name":"HC"}', '--json')
    const { id } = JSON.parse(out)
    const files = { 'users.csv': 'user,role\nu1,r1\nu2,\n', 'permissions.csv': 'role,permission\nr1,p1\nr1,*\n' }
    const asked = ['import', 'account-management', '--user-roles', 'users.csv', '--role-permissions', 'permissions.csv', '--client', id]
    expect(await at(table, files, ...asked)).toEqual({
      exit: 1,
      out: 'permissions.csv: 2 rows, 1 written, 0 unchanged, 1 failed.\nusers.csv: 2 rows, 1 written, 0 unchanged, 1 failed.\n',
      err: 'permissions.csv, line 3: permission is a wildcard. (InvalidInput)\nusers.csv, line 3: role is missing. (InvalidInput)\n',
    })
    const again = await at(table, files, ...asked, '--json')
    expect(JSON.parse(again.out)).toMatchObject({ rolePermissions: { unchanged: 1, failed: 1 }, userRoles: { unchanged: 1, failed: 1 } })
    const elsewhere = await at(table, files, ...asked.slice(0, -1), '0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11')
    expect(elsewhere).toEqual({ exit: 1, out: '', err: expect.stringContaining('There is no Client') })
  })

  test('of account-management grants what is dangerous with --confirm-dangerous only', async () => {
    const table = freshTable()
    const doing = (flow: string, input: object) => at(table, {}, 'do', 'account-management', flow, JSON.stringify(input), '--json')
    const { id } = JSON.parse((await doing('createClient', { name: 'HC' })).out)
    await doing('createPermission', { module: 'imported', action: 'use', resource: 'p2', is_dangerous: true })
    const asked = ['import', 'account-management', ...matrix.slice(2, -2), '--client', id]
    const refused = await at(table, files, ...asked)
    expect(refused.exit).toBe(1)
    expect(refused.err).toBe(
      'permissions.csv, line 3: The row grants what is dangerous (imported:use:p2), which needs confirm_dangerous. (InvalidInput)\n',
    )
    expect(await at(table, files, ...asked, '--confirm-dangerous')).toEqual({
      exit: 0,
      out: 'permissions.csv: 2 rows, 1 written, 1 unchanged, 0 failed.\nusers.csv: 3 rows, 0 written, 3 unchanged, 0 failed.\n',
      err: '',
    })
  })

  test.each([
    ['account-management', ['--user-roles', 'users.csv', '--role-permissions', 'permissions.csv'], 'and --client, and no other file.'],
    ['account-management', ['--client', 'x'], 'and --client, and no other file.'],
    ['account-management', ['--user-roles', 'u', '--role-permissions', 'r', '--location', 'HC'], 'and --client, and no other file.'],
    ['account-management', ['--user-roles', 'u', '--role-permissions', 'r', '--client', 'x', '--location', 'HC'], 'and --client, and no'],
    ['account-management', ['--user-roles', 'users.csv', '--role-permissions', 'permissions.csv', '--client', 'x'], 'id is not a UUID'],
    ['account-management', ['--user-roles', 'users.csv', '--role-permissions', 'none.csv', '--client', 'x'], 'none.csv does not exist'],
    [
      'rebac',
      ['--user-roles', 'users.csv', '--role-permissions', 'permissions.csv', '--client', 'x'],
      'and --location, and no other file.',
    ],
    ['rebac', [...matrix.slice(2), '--confirm-dangerous'], 'leave --confirm-dangerous out'],
    ['account-management', ['items.csv', '--confirm-dangerous'], 'A role matrix needs'],
    ['platform', ['--user-roles', 'users.csv'], 'platform imports no role matrix. These designs do: rebac and account-management.'],
  ])('into %s with %j is malformed', async (design, flags, sentence) => {
    const { exit, out, err } = await at(freshTable(), files, 'import', design, ...flags)
    expect({ exit, out, err }).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
  })

  test('of account-management is answered by `can --batch`', async () => {
    const table = freshTable()
    const { id } = JSON.parse((await at(table, {}, 'do', 'account-management', 'createClient', '{"name":"HC"}', '--json')).out)
    await at(table, files, 'import', 'account-management', ...matrix.slice(2, -2), '--client', id)
    const can = async (csv: string, ...flags: string[]) => {
      const { exit, out } = await at(table, { 'q.csv': csv }, 'can', 'account-management', '--batch', 'q.csv', ...flags)
      return { exit, lines: out.trimEnd().split('\n') }
    }
    const answers = ['yes  u1@import.example', 'no   u1@import.example', 'yes  u2@import.example'].map((each) =>
      expect.stringContaining(each),
    )
    expect(await can('user,permission\nu1,p1\nu1,p2\nu2,p2\n', '--client', id)).toEqual({ exit: 0, lines: answers })
    const asText = 'user,permission,client,building\nu1@import.example,imported:use:p1,ID,\nu1@import.example,imported:use:p2,ID,\n'
    expect(await can(asText.replaceAll('ID', id))).toMatchObject({ exit: 0, lines: answers.slice(0, 2) })
    expect(await can('user,permission\nu1,p1\n')).toEqual({ exit: 2, lines: [''] })
    expect(await can('user,permission\nu1,p1\n', '--client', 'x')).toMatchObject({ exit: 2, lines: [expect.stringMatching(/^\?/)] })
  })

  test('takes another e-mail domain, and refuses one that is none', async () => {
    const table = freshTable()
    await at(table, files, ...matrix, '--email-domain', 'example.org')
    expect(await at(table, {}, 'get', 'rebac', 'EmailIdentity', '{"email":"u1@example.org"}')).toMatchObject({ exit: 0 })
    const changes = JSON.parse(
      (await at(table, {}, 'query', 'rebac', 'changesOfActor', '{"actor":"operator freehold import"}', '--json')).out,
    )
    expect(JSON.stringify(changes.items)).toContain('u1@example.org')
    expect(await at(freshTable(), files, ...matrix, '--email-domain', 'no domain')).toEqual({
      exit: 2,
      out: '',
      err: expect.stringContaining("--email-domain 'no domain' is no domain: give what follows the @ of an address"),
    })
  })
})

describe('export', () => {
  test('prints items that import takes into another table, where they say the same', async () => {
    const from = await sampleTable()
    const { exit, out, err } = await at(from, {}, 'export', 'rebac')
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    const exported = out.trimEnd().split('\n')
    expect(exported.flatMap((line) => Object.keys(JSON.parse(line)))).not.toContain('PK')
    const to = freshTable()
    const imported = await at(to, { 'all.jsonl': out }, 'import', 'rebac', 'all.jsonl')
    expect(imported).toMatchObject({ exit: 0, out: expect.stringContaining(`${exported.length} rows, ${exported.length} written`) })
    const [again, others] = [(await at(to, {}, 'export', 'rebac')).out.split('\n'), out.split('\n')]
    const own = again.filter((line) => !others.includes(line))
    expect(again.filter((line) => others.includes(line)).toSorted()).toEqual(others.toSorted())
    // The import itself is recorded.
    const records = own.map((line) => JSON.parse(line))
    expect(records.length).toBeGreaterThan(0)
    for (const record of records) expect(record).toMatchObject({ Type: 'Change', flow: 'import', actor: 'operator freehold import' })
  })

  test('reports what does not fit its entity, prints the rest, and exits with 1', async () => {
    const table = await sampleTable()
    await putItem(table, { PK: 'ROLE#odd', SK: 'META', Type: 'Role', version: '1', createdAt: 'once' })
    const { exit, out, err } = await at(table, {}, 'export', 'rebac')
    expect(exit).toBe(1)
    expect(err).toContain("'ROLE#odd' / 'META' is no Role")
    expect(out.split('\n').length).toBeGreaterThan(20)
  })
})
