import { expect, test } from 'vitest'
import { readCsv } from './read-csv.ts'
import { readJsonLines } from './read-json-lines.ts'

/** A file whose `\xfc` and the like are Windows-1252. */
const inWindows = (text: string) => Buffer.from(text, 'latin1')

async function* pieces(text: string | Uint8Array, size: number) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
async function collected<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}
const shown = (rows: readonly { line: number; values?: unknown; error?: Error | undefined }[]) =>
  rows.map(({ line, values, error }) => [line, values ?? error?.message])

test.each([1, 3, 1000])(
  'a CSV file is read in pieces of %i bytes: quotes, line ends, a byte order mark, empty cells and lines',
  async (size) => {
    const text = '\uFEFFname,note\r\nÄda,"a ""b"",\nc"\r\n\r\nBo,\r\n'
    expect(shown(await collected(readCsv(pieces(text, size))))).toEqual([
      [2, { name: 'Äda', note: 'a "b",\nc' }],
      [5, { name: 'Bo' }],
    ])
  },
)

test('a broken row of a CSV file is reported with its line, and the rest is read', async () => {
  const rows = await collected(readCsv(pieces('a,b\n1\n2,2\n3,a"b\n4,4,4\n5,5\n', 64)))
  expect(shown(rows)).toEqual([
    [2, 'The row has 1 cell, and the header 2.'],
    [3, { a: '2', b: '2' }],
    [4, { a: '3', b: 'a"b' }],
    [5, 'The row has 3 cells, and the header 2.'],
    [6, { a: '5', b: '5' }],
  ])
})

test.each([1, 1000])('a row whose bytes are not UTF-8 is reported with its line, in pieces of %i bytes', async (size) => {
  const csv = inWindows('name,note\nM\xfcller,a\nBo,"c\nd"\nEve,\xe4\nMia,\xc3\xa9\n')
  expect(shown(await collected(readCsv(pieces(csv, size))))).toEqual([
    [2, 'The row is not UTF-8: save the file as UTF-8.'],
    [3, { name: 'Bo', note: 'c\nd' }],
    [5, 'The row is not UTF-8: save the file as UTF-8.'],
    [6, { name: 'Mia', note: 'é' }],
  ])
  const lines = inWindows('{"a":"M\xfcller"}\n\n{"\xe4":1}\n{"a":"\xc3\xa9"}\n{"a":"\xc3')
  expect(shown(await collected(readJsonLines(pieces(lines, size))))).toEqual([
    [1, 'The row is not UTF-8: save the file as UTF-8.'],
    [3, 'The row is not UTF-8: save the file as UTF-8.'],
    [4, { a: 'é' }],
    [5, 'The row is not UTF-8: save the file as UTF-8.'],
  ])
  await expect(collected(readCsv(pieces(inWindows('\n\nl\xe4nge\n1\n'), size)))).rejects.toThrow(
    'This CSV file is not UTF-8 (line 3): save it as UTF-8.',
  )
})

test('rows without any content are left out', async () => {
  expect(shown(await collected(readCsv(pieces('a,b\n,\n  , \n1,\n" ",""\n', 9))))).toEqual([[4, { a: '1' }]])
})

test('a column that is missing, unknown or there twice is an error of the file', async () => {
  await expect(collected(readCsv(pieces('a\n1\n', 9), { must: ['a', 'b'] }))).rejects.toThrow('needs the columns a, b; it has no b')
  await expect(collected(readCsv(pieces('a,c\n1,2\n', 9), { must: ['a'], may: ['b'] }))).rejects.toThrow("has a column 'c'; known are a, b")
  const columns = { must: ['a', 'b'], may: ['c'] }
  for (const [header, hint] of [
    ['a;b;c', 'needs the columns a, b; its columns are separated by semicolons: separate them by commas'],
    ['a\tb', 'its columns are separated by tabs'],
    ['A,b', 'needs the columns a, b; write a in place of A.'],
    ['a,b,C', "has a column 'C'; write c in place of C."],
  ] as const)
    await expect(collected(readCsv(pieces(`${header}\n1,2\n`, 9), columns)), header).rejects.toThrow(hint)
  await expect(collected(readCsv(pieces('a,a\n1,2\n', 9)))).rejects.toThrow("has the column 'a' twice")
  await expect(collected(readCsv(pieces('', 9)))).rejects.toThrow('has no header')
})

test('a quote that does not end is an error of the file', async () => {
  await expect(collected(readCsv(pieces('a,b\n1,1\n2,"2\n3,3\n', 9)))).rejects.toThrow(
    'is broken: Quote Not Closed: the parsing is finished with an opening quote',
  )
})

test('a file that cannot be read to its end is an error', async () => {
  async function* failing() {
    yield 'a\n1\n'
    throw new Error('the disk is gone')
  }
  await expect(collected(readCsv(failing()))).rejects.toThrow('the disk is gone')
})

test('who stops reading early lets go of the file', async () => {
  let isOpen = true
  async function* file() {
    try {
      for (;;) yield 'a\n1\n'
    } finally {
      isOpen = false
    }
  }
  for await (const row of readCsv(file())) {
    expect(row.line).toBe(2)
    break
  }
  expect(isOpen).toBe(false)
})

test.each([1, 5, 1000])('JSON Lines are read in pieces of %i bytes, and a line that is no object is reported', async (size) => {
  const text = '{"a":"x\u2028y"}\r\n\n[1]\n{"b":\n{"c":{"d":[1]}}\n{"e":1,"e":2}'
  expect(shown(await collected(readJsonLines(pieces(text, size))))).toEqual([
    [1, { a: 'x\u2028y' }],
    [3, 'The row is not a JSON object of attributes.'],
    [4, 'The row is not JSON.'],
    [5, { c: { d: [1] } }],
    [6, 'The row names "e" twice.'],
  ])
})

test('a line without end is reported, and does not fill the memory', async () => {
  async function* endless() {
    for (let piece = 0; piece < 100; piece++) yield 'x'.repeat(100_000)
    yield '\n{"a":1}\n'
  }
  expect(shown(await collected(readJsonLines(endless())))).toEqual([
    [1, 'The row has more than 4194304 bytes.'],
    [2, { a: 1 }],
  ])
})
