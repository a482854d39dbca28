import { designModules } from '@freehold/designs'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../config/settings.ts'
import type { Shell } from '../shell.ts'
import { readJsonObject } from './json-object.ts'

function shellWith(...chunks: readonly (string | Uint8Array)[]): Shell {
  return {
    designs: designModules,
    settings: defaultSettings,
    env: {},
    cwd: '/',
    stdin: (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk)
    })(),
    out: async () => {},
    err: () => {},
    isInteractive: false,
    now: () => new Date(0),
  }
}

const read = (json: string | undefined) => readJsonObject(shellWith(), json, 'The question')

describe('a JSON argument', () => {
  test('is an object', async () => {
    expect(await read(' {"a": 1, "b": {"a": [1, {"a": 2}]}} ')).toEqual({ a: 1, b: { a: [1, { a: 2 }] } })
  })

  test.each([
    ['', 'is not JSON: it ends too early or is not JSON at all'],
    ['{', 'is not JSON'],
    ["{'a': 1}", 'is not JSON: the error is at character 2'],
    ['{"a": 1,}', 'is not JSON'],
    ['[]', `is JSON, but not an object. Write it like '{"name":"value"}', in single quotes.`],
    ['null', 'is JSON, but not an object'],
    ['"text"', 'is JSON, but not an object'],
    ['7', 'is JSON, but not an object'],
    ['{"a":[9007199254740993]}', 'holds the number 9007199254740993, which would be rounded: write it as text'],
  ])('%j is refused', async (json, sentence) => {
    await expect(read(json)).rejects.toMatchObject({ code: 'InvalidInput', message: expect.stringContaining(`The question ${sentence}`) })
  })

  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"x":{"b":1,"b":1}}', 'b'],
    ['{"x":[{"b":1},{"b":1,"c":"}{\\"","b":2}]}', 'b'],
    ['{"a\\"":1,"a\\"" : 2}', 'a"'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('%s is refused, as it names something twice', async (json, name) => {
    await expect(read(json)).rejects.toThrow(`The question names '${name}' twice.`)
  })

  test.each(['{"a":{"a":1}}', '{"a":"a","b":"a"}', '[{"a":1},{"a":1}]', '{"a":["a","a"],"b":"{\\"a\\":1,\\"a\\":2}"}'])(
    'the same name in different places is no name twice: %s',
    async (json) => {
      expect(await readJsonObject(shellWith(), `{"in":${json}}`, 'It')).toEqual({ in: JSON.parse(json) })
    },
  )

  test('may name __proto__, which is then a name like others', async () => {
    const value = await read('{"__proto__":{"isAdmin":true}}')
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
    expect(Reflect.get(value, 'isAdmin')).toBeUndefined()
  })

  test('does not repeat what a person typed in its error', async () => {
    await expect(read('{"secret":"hunter2" x')).rejects.not.toThrow('hunter2')
  })
})

describe('- as JSON argument', () => {
  test('is read from stdin, in any pieces', async () => {
    const bytes = Buffer.from('{"name":"東京"}')
    expect(await readJsonObject(shellWith(bytes.subarray(0, 11), bytes.subarray(11)), '-', 'It')).toEqual({ name: '東京' })
  })

  test('is refused where stdin is empty, no UTF-8, or has no end', async () => {
    await expect(readJsonObject(shellWith(), '-', 'It')).rejects.toThrow('It is not JSON')
    await expect(readJsonObject(shellWith(Buffer.from([0x7b, 0xff])), '-', 'It')).rejects.toThrow('It on stdin is not UTF-8 (line 1).')
    const endless: Shell = {
      ...shellWith(),
      stdin: (async function* () {
        for (;;) yield Buffer.alloc(65_536, ' ')
      })(),
    }
    await expect(readJsonObject(endless, '-', 'It')).rejects.toThrow('It on stdin is longer than 1048576 bytes.')
  })
})
