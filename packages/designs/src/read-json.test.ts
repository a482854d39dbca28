import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemsOfCells } from './exchange/cells.ts'
import { platform } from './platform/design.ts'
import { readJson } from './read-json.ts'

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
  }
  const read: unknown[] = []
  for await (const row of itemsOfCells(platform, rows())) read.push(row.values ?? row.error.message)
  expect(read).toEqual([
    { Type: 'License', id: '9007199254740993', seats: 1 },
    'seats holds the number 9007199254740993, which would be rounded: write it as text.',
    'metadata holds the number 9007199254740993, which would be rounded: write it as text.',
    'metadata names "a" twice.',
  ])
})
