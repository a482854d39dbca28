import { describe, expect, test } from 'vitest'
import { readBody } from './body.ts'
import { entityTag, wantedVersions } from './if-match.ts'
import { isJson, parseBody } from './json-body.ts'
import { parseQuery } from './query-string.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('a body', () => {
  test('is the object that its JSON says', () => {
    expect(parseBody(bytes('{"a": [1, {"b": null}], "ä#/": "𝒏"}'))).toEqual({ a: [1, { b: null }], 'ä#/': '𝒏' })
  })

  test('may begin with a byte order mark', () => {
    expect(parseBody(bytes('\uFEFF{"a": 1}'))).toEqual({ a: 1 })
  })

  test.each([
    ['{"a": 1, "a": 2}', 'a'],
    ['{"a": 1, "\\u0061": 2}', 'a'],
    ['{"x": [{"b": 1}, {"b": 1, "c": "}{\\"", "b": 2}]}', 'b'],
  ])('%s names something twice, and is refused by that name', (body, name) => {
    const details = { issues: [{ path: [name], message: 'is given twice' }] }
    expect(() => parseBody(bytes(body))).toThrow(expect.objectContaining({ code: 'InvalidInput', details }))
  })

  test.each<[string, Uint8Array, string]>([
    ['that is not JSON', bytes('{"a": }'), 'is not JSON'],
    ['that is only a space', bytes(' '), 'is not JSON'],
    ['that is a list', bytes('[]'), 'is not a JSON object'],
    ['that is null', bytes('null'), 'is not a JSON object'],
    ['that is text', bytes('"{}"'), 'is not a JSON object'],
    ['that is not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 'is not UTF-8 (line 1)'],
    ['with half a surrogate pair', bytes('{"a": "\\ud83d"}'), 'holds an unpaired surrogate'],
    ['with half a surrogate pair in a name', bytes('{"\\udc00": 1}'), 'holds a name with an unpaired surrogate'],
    [
      'with a number that would be rounded',
      bytes('{"a": [9007199254740993]}'),
      'holds the number 9007199254740993, which would be rounded: write it as text',
    ],
    ['with a number beyond all', bytes('{"a": 1e400}'), 'holds a number that is too large'],
    ['that nests too deep', bytes(`{"a": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`), 'nests more than 64 deep'],
    [
      'with a thousand names and one',
      bytes(JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [at, at])))),
      'has more than 1000 names',
    ],
  ])('%s is refused', (_, body, message) => {
    expect(() => parseBody(body)).toThrow(expect.objectContaining({ code: 'InvalidInput', details: { issues: [{ path: [], message }] } }))
  })

  test.each(['{"__proto__": {"isAdmin": true}}', '{"a": [{"\\u005f_proto__": 1}]}'])('%s is refused by that name', (body) => {
    expect(() => parseBody(bytes(body))).toThrow(
      expect.objectContaining({ details: { issues: [expect.objectContaining({ path: ['__proto__'] })] } }),
    )
  })

  test('as large as allowed is read whole, and one byte more is not', async () => {
    const of = (size: number) => new Request('http://a/', { method: 'POST', body: 'x'.repeat(size) })
    expect((await readBody(of(100), 100)).byteLength).toBe(100)
    await expect(readBody(of(101), 100)).rejects.toMatchObject({
      code: 'TooLarge',
      details: { issues: [{ path: [], message: 'is larger than 100 bytes' }] },
    })
  })

  /** A body that comes in chunks, as from a client that has yet to make it. */
  const streamed = (pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void, headers: Record<string, string> = {}) => {
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
    return new Request('http://a/', { method: 'POST', body, headers, duplex: 'half' })
  }

  test('is refused for a Content-Length that is too large before any of it is read', async () => {
    const request = streamed(() => expect.unreachable('it was read'), { 'content-length': '101' })
    await expect(readBody(request, 100)).rejects.toMatchObject({ code: 'TooLarge' })
  })

  test.each(['0', '5', '-1', '1e1', 'a'])('with the Content-Length %s and more than is allowed is refused', async (length) => {
    const request = new Request('http://a/', { method: 'POST', body: 'x'.repeat(101), headers: { 'content-length': length } })
    await expect(readBody(request, 100)).rejects.toMatchObject({ code: 'TooLarge' })
  })

  test('that never ends is left as soon as it is too large', async () => {
    let chunks = 0
    const request = streamed((controller) => {
      chunks++
      controller.enqueue(new Uint8Array(50))
    })
    await expect(readBody(request, 100)).rejects.toMatchObject({ code: 'TooLarge' })
    expect(chunks).toBe(3)
  })

  test.each<Record<string, string>>([{}, { 'content-length': '50' }])('that breaks off is refused, with %j', async (headers) => {
    const request = streamed((controller) => controller.error(new Error('aborted')), headers)
    await expect(readBody(request, 100)).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test.each([
    ['application/json', true],
    ['Application/JSON; charset=UTF-8', true],
    ['application/json;charset="utf-8"', true],
    ['application/json; charset=latin1', false],
    ['application/x-www-form-urlencoded', false],
    ['text/plain', false],
    ['application/jsonp', false],
    ['text/html, application/json', false],
  ])('of type %s is JSON: %s', (type, expected) => {
    expect(isJson(new Headers({ 'content-type': type }))).toBe(expected)
  })

  test('that is compressed is not taken for JSON', () => {
    expect(isJson(new Headers({ 'content-type': 'application/json', 'content-encoding': 'gzip' }))).toBe(false)
    expect(isJson(new Headers({ 'content-type': 'application/json', 'content-encoding': 'identity' }))).toBe(true)
  })
})

describe('a query string', () => {
  const parse = (search: string) => Object.fromEntries(parseQuery(search, ['a', 'b c', 'ä'], 1000))

  test.each<[string, Record<string, string>]>([
    ['', {}],
    ['?', {}],
    ['?a', { a: '' }],
    ['?a=1&b+c=2%203', { a: '1', 'b c': '2 3' }],
    ['?a=x%23%2F%26%3D%2B&&', { a: 'x#/&=+' }],
    ['?a=x=y', { a: 'x=y' }],
    ['?%C3%A4=%F0%9D%92%8F', { ä: '𝒏' }],
    ['?a=%00', { a: '\0' }],
  ])('%s is read as forms are', (search, expected) => {
    expect(parse(search)).toEqual(expected)
  })

  test.each<[string, unknown]>([
    ['?d=1&a=2', { path: ['d'], message: 'is not a parameter of this request' }],
    ['?__proto__=1', { path: ['__proto__'], message: 'is not a parameter of this request' }],
    ['?a=1&%61=1', { path: ['a'], message: 'is given twice' }],
    ['?a=%ff', { path: ['a'], message: 'is not UTF-8 in percent-encoding' }],
    ['?a=%ED%A0%80', { path: ['a'], message: 'is not UTF-8 in percent-encoding' }],
    ['?a=100%', { path: ['a'], message: 'is not UTF-8 in percent-encoding' }],
    ['?%zz=1', { path: [], message: 'a name is not UTF-8 in percent-encoding' }],
  ])('%s is refused, and why', (search, issue) => {
    expect(() => parse(search)).toThrow(expect.objectContaining({ code: 'InvalidInput', details: { issues: [issue] } }))
  })

  test('that is too long is refused', () => {
    expect(() => parse(`?a=${'x'.repeat(1000)}`)).toThrow(expect.objectContaining({ code: 'TooLarge' }))
  })
})

describe('a version', () => {
  test.each<[string | undefined, string | undefined, readonly number[] | undefined]>([
    [undefined, undefined, undefined],
    ['"3"', undefined, [3]],
    [' "12" ', undefined, [12]],
    // RFC 9110, section 13.1.1: a list, of which a weak tag and one of somebody else are no item's.
    ['"3", "4"', undefined, [3, 4]],
    [' ,"3" ,, W/"9","a,b","3",', undefined, [3]],
    ['W/"3"', undefined, [Number.MAX_SAFE_INTEGER]],
    ['"00"', undefined, [Number.MAX_SAFE_INTEGER]],
    ['"three"', undefined, [Number.MAX_SAFE_INTEGER]],
    ['""', undefined, [Number.MAX_SAFE_INTEGER]],
    ['*', undefined, undefined],
    [undefined, '7', [7]],
    // An item that another program wrote.
    ['"0"', undefined, [0]],
    [undefined, '0', [0]],
  ])('of If-Match %j and version %j is %j', (ifMatch, version, expected) => {
    expect(wantedVersions(ifMatch, version)).toEqual(expected)
  })

  test.each<[string | undefined, string | undefined, string]>([
    ['3', undefined, 'If-Match'],
    ['w/"3"', undefined, 'If-Match'],
    ['"3" "4"', undefined, 'If-Match'],
    ['"3", *', undefined, 'If-Match'],
    ['"3', undefined, 'If-Match'],
    [Array(17).fill('"3"').join(), undefined, 'If-Match'],
    ['', undefined, 'If-Match'],
    [undefined, '01', 'version'],
    [undefined, '-1', 'version'],
    [undefined, '1e3', 'version'],
    [undefined, '', 'version'],
    ['"3"', '3', 'version'],
  ])('of If-Match %j and version %j is refused by the name %s', (ifMatch, version, name) => {
    expect(() => wantedVersions(ifMatch, version)).toThrow(
      expect.objectContaining({ details: { issues: [expect.objectContaining({ path: [name] })] } }),
    )
  })

  test('is an entity tag', () => {
    expect(entityTag({ version: 3 })).toEqual({ ETag: '"3"' })
    expect(entityTag(undefined)).toEqual({})
  })
})
