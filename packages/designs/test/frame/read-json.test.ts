import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemsOfCells } from '../../../frame/src/exchange/cells.ts'
import { numberProblem, readJson } from '../../../frame/src/reading/read-json.ts'
import { platform } from '../../src/platform/design.ts'

const rounded = (number: string) => ({ problem: `holds the number ${number}, which would be rounded: write it as text` })

test.each([
  ['9007199254740993', rounded('9007199254740993')],
  ['[-9007199254740993]', rounded('-9007199254740993')],
  ['{"a":{"b":[12345678901234567890]}}', rounded('12345678901234567890')],
  ['9007199254740992.5', rounded('9007199254740992.5')],
  ['[1e-400]', rounded('1e-400')],
  ['[1e400]', { problem: 'holds a number that is too large' }],
  ['{"a":1,"a":2}', { problem: 'names "a" twice', name: 'a' }],
  ['[{"x":{"a\\u0062":1,"ab":2}}]', { problem: 'names "ab" twice', name: 'ab' }],
  ['{', { problem: 'is not JSON', cause: expect.any(SyntaxError) }],
])('%s is refused: something would be dropped, or become another value', (text, refused) => {
  expect(readJson(text)).toEqual(refused)
})

test.each([
  ['9007199254740991', 9007199254740991],
  ['[9007199254740992, 1e20, 100000000000000000000, 1E+300]', [9007199254740992, 1e20, 1e20, 1e300]],
  ['0.10000000000000001', 0.1], // as a double is printed with 17 digits
  ['[0, -0, 0e5, 0.000]', [0, -0, 0, 0]],
  ['{"a":"9007199254740993 {\\"b\\":1,\\"b\\":2}","b":{"a":1}}', { a: '9007199254740993 {"b":1,"b":2}', b: { a: 1 } }],
])('%s is read', (text, value) => {
  expect(readJson(text)).toEqual({ value })
})

test('all that JavaScript writes is read as it was', () => {
  fc.assert(fc.property(fc.json(), (text) => void expect(readJson(text)).toEqual({ value: JSON.parse(text) })))
})

/** JSON as text, in which names are repeated and written in several ways, with spaces and numbers of every form. */
const written = fc.letrec<{ readonly value: string }>((tie) => {
  const space = fc.constantFrom('', '', '', ' ', '\n\t ')
  const text = fc.constantFrom('""', '"a"', '"\\u0061"', '"\\\\"', '"\\""', '"a\\\\\\":"', '"{"', '"1"', '"1e400"')
  const number = fc.constantFrom(
    '0',
    '-0',
    '1.5',
    '123456789012345',
    '9007199254740993',
    '-9007199254740993',
    '1e5',
    '1E+400',
    '0.1000000000000000055',
  )
  const list = fc
    .array(fc.tuple(space, tie('value'), space), { maxLength: 3 })
    .map((parts) => `[${parts.map((each) => each.join('')).join(',')}]`)
  const member = fc.tuple(space, text, space, tie('value'), space).map(([a, name, b, value, c]) => `${a}${name}${b}:${value}${c}`)
  const object = fc.array(member, { maxLength: 3 }).map((members) => `{${members.join(',')}}`)
  return { value: fc.oneof({ depthSize: 'small' }, text, number, fc.constantFrom('true', 'null'), list, object) }
}).value

test('a name twice and a number that is rounded are found wherever they stand, as a parser of tokens finds them', () => {
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|[{}[\]]/g
  const problemBy = (json: string): string | undefined => {
    const objects: Set<string>[] = []
    for (const [token, colon] of json.matchAll(tokens)) {
      if (token === '{' || token === '[') objects.push(new Set())
      else if (token === '}' || token === ']') objects.pop()
      else if (colon !== undefined) {
        const name: string = JSON.parse(token.slice(0, -colon.length))
        if (objects.at(-1)?.has(name)) return `names ${JSON.stringify(name)} twice`
        objects.at(-1)?.add(name)
      } else if (!token.startsWith('"') && numberProblem(token) !== undefined) return numberProblem(token)
    }
    return undefined
  }
  const found = new Set<boolean>()
  fc.assert(
    fc.property(written, (text) => {
      const { problem } = readJson(text)
      expect(problem).toBe(problemBy(text))
      found.add(problem === undefined)
    }),
    { numRuns: 2_000 },
  )
  expect(found.size).toBe(2)
})

test('a whole number is read as it is written, or refused', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 69n), max: 2n ** 69n }), (number) => {
      const read = readJson(`[${number}]`)
      if (read.problem === undefined) expect(BigInt(`${(read.value as number[])[0]}`)).toBe(number)
      else expect(number > 2n ** 53n || number < -(2n ** 53n)).toBe(true)
    }),
  )
})

test('a cell of a file is read so, too', async () => {
  const rows = async function* () {
    yield { line: 2, values: { Type: 'License', id: '9007199254740993', seats: '1' } }
    yield { line: 3, values: { Type: 'License', seats: '9007199254740993' } }
    yield { line: 4, values: { Type: 'NotificationAudit', metadata: '{"a":[9007199254740993]}' } }
    yield { line: 5, values: { Type: 'NotificationAudit', metadata: '{"a":1,"a":2}' } }
    yield { line: 6, values: { Type: 'License', id: '1', seats: '0x10' } }
    yield { line: 7, values: { Type: 'License', id: '1', seats: ' ' } }
    yield { line: 8, values: { Type: 'NotificationAudit', metadata: '{a' } }
  }
  const read: unknown[] = []
  for await (const row of itemsOfCells(platform, rows())) read.push(row.values ?? row.error.message)
  expect(read).toEqual([
    { Type: 'License', id: '9007199254740993', seats: 1 },
    'seats holds the number 9007199254740993, which would be rounded: write it as text.',
    'metadata holds the number 9007199254740993, which would be rounded: write it as text.',
    'metadata names "a" twice.',
    { Type: 'License', id: '1', seats: '0x10' },
    { Type: 'License', id: '1', seats: ' ' },
    { Type: 'NotificationAudit', metadata: '{a' },
  ])
})
