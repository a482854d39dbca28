import { rebac } from '@freehold/designs/rebac'
import type { Attributes, Entity } from '@freehold/table'
import fc from 'fast-check'

/** A request as hostile or as well-meant as it comes. */
export interface HostileRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

const patterns = [...rebac.form.patterns.values()]
const paths = [
  ...Object.keys(rebac.entities).flatMap((name) => [`/v1/rebac/entities/${name}`, `/v1/rebac/entities/${name}/move`]),
  ...patterns.map(({ name }) => `/v1/rebac/patterns/${name}`),
  ...['can', 'why', 'what', 'who', 'where'].map((question) => `/v1/rebac/${question}`),
  '/v1',
  '/health',
]
const names = [
  ...new Set([
    ...Object.values(rebac.entities).flatMap(({ attributes }) => Object.keys(attributes)),
    ...['user', 'location', 'page', 'limit', 'cursor', 'order', 'consistent', 'consistency', 'expand', 'questions', 'version', 'secrets'],
    ...['__proto__', 'constructor', 'toString', 'PK', 'SK', 'Type', 'deleting', 'ttl', '', '#', 'ä', '\0', '\ud800'],
  ]),
]

/** Texts that mean something to a key, to JSON, to UTF-8, to HTTP or to JavaScript. */
const texts = [
  ...[
    '',
    ' ',
    '#',
    'a#b',
    '#a',
    'USER#',
    '/',
    '..',
    '%',
    '%00',
    '\0',
    '\n',
    '\u001f',
    '\u007f',
    '\ud800',
    '\udfff',
    '\u{10ffff}',
    '\ufeff',
  ],
  ...[
    'null',
    'undefined',
    '[object Object]',
    '__proto__',
    'NaN',
    '1e400',
    '-1',
    '0',
    'true',
    '*',
    '{{a}}',
    "' OR 1=1",
    '{userId}',
    '𝒏',
    'e\u0301',
    'ſ',
    'İ',
  ],
  ...[
    'ALLOW',
    'DENY',
    'google',
    'import',
    'LEAD',
    'ascending',
    'strong',
    'x'.repeat(1025),
    'ä'.repeat(2000),
    'ada@example.org',
    'A@B',
    'ſ@example.org',
  ],
]

const text = (ids: readonly string[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...texts) },
    { weight: 4, arbitrary: fc.constantFrom(...ids) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  )

/** A value of a body: text that means something to someone, the names of what is there, and what no attribute holds. */
export const hostileValue = (ids: readonly string[]) =>
  fc.oneof(
    { weight: 8, arbitrary: text(ids) },
    { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, 0, -0, 1, -1, 1.5, 2 ** 53, 1e300, 5e-324, [], {}) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  )

/** Objects of the names that some route knows, and one in which everything is. */
const object = (ids: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), hostileValue(ids), { maxKeys: 5, noNullPrototype: true })

/** Values of an entity's attributes as they should be, for the most part. */
const attributesOf = ({ attributes }: { readonly attributes: Attributes }, ids: readonly string[]) => {
  const given = Object.entries(attributes).filter(([, { presence }]) => presence === 'given')
  return fc.record(
    Object.fromEntries(
      given.map(([name, { kind }]) => {
        const fitting = [...(kind.domain?.values ?? []), ...ids].filter((id) => kind.schema.safeParse(id).success)
        return [name, fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: text(ids) })]
      }),
    ),
  )
}

const encoder = new TextEncoder()
const rawBody = fc.oneof(
  fc.constantFrom(
    '{',
    '}',
    '[]',
    'null',
    '"a"',
    '{"a":1e999}',
    '{"a":1,}',
    "{'a':1}",
    '\ufeff{}',
    '{"__proto__":{"x":1}}',
    '{"displayName":"\\ud800"}',
    '{"\\u0000":1}',
  ),
  fc.integer({ min: 1, max: 60_000 }).map((depth) => `{"displayName":${'['.repeat(depth)}${']'.repeat(depth)}}`),
  fc.integer({ min: 1, max: 60_000 }).map((depth) => '{"a":'.repeat(depth)),
  fc.bigInt({ min: 10n ** 30n, max: 10n ** 60n }).map((number) => `{"displayName":"Ada","isAdmin":${number},"limit":${number}}`),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Uint8Array.from(bytes)),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constant('x'.repeat(70_000)),
)

const json = (ids: readonly string[]) => object(ids).map((body) => JSON.stringify(body))

/** The creation of something that the design has. */
const creation = (ids: readonly string[]): fc.Arbitrary<HostileRequest> =>
  fc.constantFrom(...Object.values<Entity>(rebac.entities)).chain((entity) =>
    attributesOf(entity, ids).map((body) => ({
      method: 'POST',
      path: `/v1/rebac/entities/${entity.name}`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })),
  )

/** A question of the right fields. */
const question = (ids: readonly string[]): fc.Arbitrary<HostileRequest> =>
  fc.tuple(fc.constantFrom('can', 'why', 'what', 'who', 'where'), text(ids), text(ids), text(ids)).map(([name, user, location, page]) => ({
    method: 'POST',
    path: `/v1/rebac/${name}`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...(name === 'who' ? {} : { user }),
      ...(name === 'where' ? {} : { location }),
      ...(name === 'what' ? {} : { page }),
    }),
  }))

const query = (ids: readonly string[]) =>
  fc.array(fc.tuple(fc.constantFrom(...names), text(ids), fc.boolean()), { maxLength: 3 }).map((pairs) => {
    // Half of them as an honest client encodes them, half as they are.
    const parts = pairs.map(([name, each, isEncoded]) => (isEncoded ? new URLSearchParams([[name, each]]).toString() : `${name}=${each}`))
    return parts.length === 0 ? '' : `?${parts.join('&')}`
  })

/** The keys of the items that there are, so that many requests find what they name. */
const address = (ids: readonly string[]) =>
  fc.constantFrom(...Object.values(rebac.entities)).chain(({ name, key }) => {
    const placeholders = [...key.join('').matchAll(/\{(\w+)\}/g)].map(([, placeholder = '']) => placeholder)
    return fc
      .tuple(...placeholders.map(() => text(ids)))
      .map(
        (values) =>
          `/v1/rebac/entities/${name}?${new URLSearchParams(placeholders.map((placeholder, index): [string, string] => [placeholder, values[index] ?? '']))}`,
      )
  })

const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ 'Content-Type': 'application/json' }) },
  { weight: 2, arbitrary: fc.record({ 'Content-Type': fc.constant('application/json'), 'If-Match': fc.constantFrom('"1"', '"2"', '*') }) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        'Content-Type': fc.constantFrom(
          'application/json',
          'text/plain',
          'application/json; charset=utf-16',
          'multipart/form-data',
          'a',
          '',
        ),
        'If-Match': fc.constantFrom('1', 'W/"1"', '"999999999999999999999"', ''),
        'Content-Encoding': fc.constantFrom('identity', 'gzip', 'br'),
        'Content-Length': fc.constantFrom('0', '1', '99999999', '-1', 'a'),
      },
      { requiredKeys: [] },
    ),
  },
)

/**
 * Random requests, most of them nearly right.
 * @param ids of items that are there
 */
export function hostileRequest(ids: readonly string[]): fc.Arbitrary<HostileRequest> {
  const path = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...paths), query(ids)).map(([known, search]) => known + search) },
    { weight: 4, arbitrary: address(ids) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...paths), text(ids)).map(([known, more]) => `${known}/${more}`) },
    { weight: 1, arbitrary: text(ids).map((each) => `/${each}`) },
  )
  const body = fc.oneof(
    { weight: 4, arbitrary: json(ids) },
    { weight: 1, arbitrary: rawBody },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
  const method = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('POST', 'GET', 'PATCH', 'DELETE') },
    { weight: 1, arbitrary: fc.constantFrom('PUT', 'HEAD', 'OPTIONS', 'PURGE', 'get', 'M-SEARCH', '__proto__') },
  )
  const anything = fc.record({ method, path, headers, body }).map((request) => ({
    ...request,
    // A Request refuses to have one with these.
    body: /^(get|head)$/i.test(request.method) ? undefined : request.body,
  }))
  return fc.oneof({ weight: 4, arbitrary: anything }, { weight: 1, arbitrary: creation(ids) }, { weight: 1, arbitrary: question(ids) })
}

/** The bytes of a text body, in which unpaired surrogates are no UTF-8. */
export const bytesOf = (body: HostileRequest['body']) => (typeof body === 'string' ? encoder.encode(body) : body)
