import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endpoint } from '../../../test/engine/endpoint.ts'
import { sampleTable } from '../test/organisation.ts'
import { folder, freehold, type Ran } from '../test/recorded-shell.ts'

const ulid = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const oddTexts = [
  '',
  ' ',
  '-',
  '--',
  '*',
  '#',
  'null',
  '__proto__',
  'constructor',
  '\u0000',
  '\u001b[31m',
  '\ud800',
  '\u{10ffff}',
  'a'.repeat(3000),
  '{}',
  '[]',
  '../..',
]
const odd = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary', maxLength: 20 }))

const attributes = [
  'userId',
  'displayName',
  'userType',
  'isAdmin',
  'locationId',
  'locationCode',
  'name',
  'groupId',
  'roleName',
  'pageName',
  'permission',
  'email',
  'provider',
  'Type',
  'version',
  'PK',
  'user',
  'location',
  'page',
]
const values = fc.oneof(
  odd,
  fc.constantFrom(ulid, 'teacher', 'dashboard', 'NYC001', 'ada@example.org', 'ALLOW', 1, 0, -1, 1e308, true, null),
  fc.jsonValue({ maxDepth: 3 }),
)
const document = fc.dictionary(fc.oneof(fc.constantFrom(...attributes), odd), values, { maxKeys: 5 }).map((value) => JSON.stringify(value))
/** What would do for one command or another. */
const fitting = fc.constantFrom(
  `{"userId":"${ulid}"}`,
  '{"roleName":"teacher"}',
  '{"pageName":"lessons","version":1}',
  '{"roleName":"helper","description":"x"}',
  '{"locationCode":"NYC001"}',
  '{"email":"ben@example.org"}',
  '{"user":"ben@example.org","location":"NYC001","page":"reports"}',
  '{"user":"ada@example.org","location":"NYC001"}',
  '{}',
)
const deep = fc.constantFrom(
  '['.repeat(50_000),
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '{"a":1,"a":2}',
  '{"a":1e999}',
  '{"userId":"\\ud800"}',
  `{"userId":"${'x'.repeat(100_000)}"}`,
)
const json = fc.oneof(
  { weight: 6, arbitrary: document },
  { weight: 9, arbitrary: fitting },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: odd },
  { weight: 1, arbitrary: deep },
)

const entities = [
  'User',
  'Location',
  'Role',
  'Page',
  'UserGroup',
  'GroupRole',
  'RolePagePermission',
  'EmailIdentity',
  'LocationCodeLookup',
  'UserEntry',
  'Job',
]
const patterns = ['user', 'users', 'groupsOfUser', 'permissionsOfRole', 'locationIdOfCode', 'rolesOfGroup']
const design = fc.oneof({ weight: 8, arbitrary: fc.constant('rebac') }, { weight: 1, arbitrary: odd })
const named = (names: readonly string[]) => fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: odd })

const oddFlags = fc.array(
  fc.oneof(
    fc.constantFrom(
      ['--nonsense'],
      ['--table', ''],
      ['--table', 'no table!'],
      ['--version', '1'],
      ['--batch', 'q.csv'],
      ['--location', 'NYC001'],
    ),
    fc.tuple(
      fc.constantFrom('--limit', '--cursor', '--consistency', '--secret', '--batch', '--email-domain', '--user-roles', '--nonsense'),
      odd,
    ),
  ),
  { maxLength: 2 },
)

/** Words of a command, with flags that it knows or others. */
function withFlags(words: fc.Arbitrary<readonly string[]>, ...known: readonly string[][]): fc.Arbitrary<string[]> {
  const flags = fc.oneof({ weight: 6, arbitrary: fc.subarray([...known]) }, { weight: 1, arbitrary: oddFlags })
  return fc.tuple(words, flags).map(([first, then]) => [...first, ...then.flat()])
}

/** Stands for the table's name, which the test makes. */
const placeholder = 'the table'
const onTable = [fc.constant('--table'), fc.constant(placeholder)] as const
const command = fc.oneof(
  { weight: 2, arbitrary: withFlags(fc.tuple(fc.constant('keys'), design, named(entities), json), ['--json']) },
  { weight: 4, arbitrary: withFlags(fc.tuple(fc.constantFrom('create', 'remove'), design, named(entities), json, ...onTable), ['--json']) },
  {
    weight: 4,
    arbitrary: withFlags(fc.tuple(fc.constant('get'), design, named(entities), json, ...onTable), ['--json'], ['--consistent']),
  },
  {
    weight: 3,
    arbitrary: withFlags(fc.tuple(fc.constant('update'), design, named(entities), json, ...onTable), ['--json'], ['--version', '1']),
  },
  {
    weight: 3,
    arbitrary: withFlags(fc.tuple(fc.constant('move'), design, named(entities), json, json, ...onTable), ['--json'], ['--version', '1']),
  },
  {
    weight: 5,
    arbitrary: withFlags(
      fc.tuple(fc.constant('query'), design, named(patterns), json, ...onTable),
      ['--json'],
      ['--plan'],
      ['--all'],
      ['--limit', '2'],
    ),
  },
  {
    weight: 4,
    arbitrary: withFlags(fc.tuple(fc.constantFrom('can', 'why'), design, json, ...onTable), ['--json'], ['--consistency', 'strong']),
  },
  {
    weight: 4,
    arbitrary: withFlags(fc.tuple(fc.constantFrom('what', 'who', 'where'), design, json, ...onTable), ['--json'], ['--limit', '2']),
  },
  {
    weight: 1,
    arbitrary: withFlags(fc.tuple(fc.constant('import'), design, fc.oneof(odd, fc.constantFrom('rows.jsonl', 'people.csv')), ...onTable), [
      '--json',
    ]),
  },
  { weight: 1, arbitrary: withFlags(fc.tuple(fc.constantFrom('patterns', 'prove'), design), ['--json']) },
  { weight: 1, arbitrary: withFlags(fc.tuple(fc.constantFrom('export', 'jobs', 'setup'), design, ...onTable), ['--json']) },
  { weight: 1, arbitrary: fc.array(odd, { maxLength: 4 }) },
)

/** Rows of files that hold nothing that can be imported. */
const files = {
  'q.csv': 'user,location,page\n"\n',
  'rows.jsonl': '{"Type":"User"}\n\u0000\n{"Type":"__proto__"}\n',
  'people.csv': 'email,role\n,x\nnobody,\n',
}

test('whatever it is given, the command ends with 0, 1 or 2 and a sentence, and what is refused changes nothing', async () => {
  const table = await sampleTable()
  const cwd = folder(files)
  const env = { DYNAMODB_ENDPOINT: endpoint, FREEHOLD_SECRET: 'a secret that is long enough' }
  const run = (argv: readonly string[], stdin = ''): Promise<Ran> => freehold(argv, { cwd, env, stdin })
  const everything = async () => (await run(['export', 'rebac', '--table', table])).out
  let kept = await everything()
  expect(kept.split('\n').length).toBeGreaterThan(20)
  const exits = [0, 0, 0]
  let refused = 0

  await fc.assert(
    fc.asyncProperty(command, json, async (words, stdin) => {
      const argv = words.map((word) => (word === placeholder ? table : word))
      const { exit, out, err } = await run(argv, stdin)
      expect([0, 1, 2]).toContain(exit)
      exits[exit] = (exits[exit] ?? 0) + 1
      expect(err).not.toMatch(/Unexpected|\n\s+at |node:internal|\.ts:\d/)
      expect(out + err).not.toMatch(/(?![\n\t])\p{Cc}/u)
      if (exit !== 0) expect(out + err).not.toBe('')
      if (exit === 0) kept = await everything()
      else if (refused++ % 50 === 0) expect(await everything()).toBe(kept)
    }),
    { numRuns: 3000 },
  )
  expect(await everything()).toBe(kept)
  // Otherwise it was not the command that was tried, but its first check.
  for (const count of exits) expect(count).toBeGreaterThan(50)
})
