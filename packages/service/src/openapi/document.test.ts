import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { designModules } from '@freehold/designs'
import { wordsOf } from '@freehold/frame'
import { nameWords } from '@freehold/table/publish'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { shopsModule } from '../../../../test/docs/shops.ts'
import { type ApiDocument, type ToldOperation, takenBy } from '../../test/documented.ts'
import { startService } from '../../test/serving.ts'
import { pascal } from './pascal.ts'

interface Told {
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Told[]
  readonly $ref?: string
  readonly name?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Told>>
}

interface ToldWithParameters extends ToldOperation {
  readonly summary: string
  readonly parameters?: readonly Told[]
}

interface Document extends ApiDocument {
  readonly info: { readonly version: string }
}

const id = '0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11'
const ulid = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const search = {
  subject: { type: 'user' },
  action: { name: 'dashboard' },
  resource: { type: 'location', id: ulid },
}

const service = await startService({
  module: designModules.get('rebac') ?? {},
  outbox: { list: async () => [] },
  beside: [...designModules.values(), shopsModule].filter(({ design }) => design.name !== 'rebac'),
})
const { body } = await service.call('GET', '/openapi.json')
// The test below holds it to the schema of OpenAPI.
const document = body as unknown as Document
const isTaken = takenBy(document)

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, told]) => ({ method, path, ...told })))

describe('the document of the API', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate({ ...structuredClone(document) })
    expect(errors).toBeUndefined()
    expect([valid, validator.version]).toEqual([true, '3.1'])
  })

  test('has every route of the service, and no other', () => {
    const routes = service.app.routes.filter(({ path }) => !path.includes('*')).map(({ method, path }) => `${method} ${path}`)
    expect(
      operations()
        .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
        .sort(),
    ).toEqual([...new Set(routes)].sort())
  })

  test('is told of one design beside the whole, compressed for a client that takes that, and not again to one that has it', async () => {
    const path = '/openapi/rebac.json'
    const one = await service.call('GET', path)
    const paths = Object((await service.call('GET', '/openapi.json?design=rebac')).body.paths)
    // It is for a client of the design, which the routes of the service itself are no part of.
    const own = Object.keys(paths).filter((each) => each.includes('/rebac'))
    // A pattern of its own gets this lookup item by name, and each pattern is told once.
    const told = own.filter((each) => each !== '/v1/rebac/entities/LocationCodeLookup' && !each.includes('/patterns/'))
    expect([Object.keys(Object(one.body.paths)), told.length > 100]).toEqual([told, true])
    expect(own.length - told.length).toBe(told.filter((each) => each.includes('/query/')).length + 1)
    expect([one.headers.get('content-encoding'), one.headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
    const read = { br: brotliDecompressSync, gzip: gunzipSync }
    const codings = [
      ['gzip, br', 'br'],
      ['br;q=0, GZIP;q=0.5', 'gzip'],
      ['identity', null],
    ] as const
    for (const [accepted, coding] of codings) {
      const headers = { Authorization: `Bearer ${service.key}`, 'Accept-Encoding': accepted }
      const answer = await service.app.request(path, { headers })
      const bytes = Buffer.from(await answer.arrayBuffer())
      const text = coding === null ? bytes : read[coding](bytes)
      expect([answer.headers.get('content-encoding'), JSON.parse(text.toString())]).toEqual([coding, one.body])
      const tag = answer.headers.get('etag') ?? ''
      const again = await service.app.request(path, { headers: { ...headers, 'If-None-Match': tag } })
      expect([again.status, again.headers.get('etag'), again.headers.get('content-encoding')]).toEqual([304, tag, null])
      expect(again.headers.get('cache-control')).toBe('private, no-cache')
    }
    expect(one.headers.get('etag')).not.toBe((await service.call('GET', '/openapi/platform.json')).headers.get('etag'))
    expect((await service.call('GET', '/openapi/nothing.json')).status).toBe(404)
  })

  test('has no operation that is always refused, and one that a caller tries all the same names what to use', async () => {
    const told = operations().map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    const tried = [
      ['POST', '/v1/rebac/entities/Role', 403, 'Denied', 'use createRole'],
      ['POST', '/v1/rebac/entities/Role?roleName=trainer&consistent=true', 403, 'Denied', 'use createRole'],
      ['POST', '/v1/rebac/entities/Role/move', 403, 'Denied', 'renameRole'],
      ['DELETE', '/v1/rebac/entities/LocationCodeLookup', 403, 'Denied', 'Flows alone'],
      ['PATCH', '/v1/shops/entities/ShopName', 409, 'DerivedItem', 'update the Shop'],
    ] as const
    for (const [method, path, status, code, part] of tried) {
      expect(told).not.toContain(`${method} ${path}`)
      const { status: given, body } = await service.call(method, path, method === 'DELETE' ? undefined : {})
      expect([given, body.code, body.detail]).toEqual([status, code, expect.stringContaining(part)])
    }
    // What is wrong with the request itself comes first, as with other writes.
    expect((await service.call('POST', '/v1/rebac/entities/Role?colour=red', {})).status).toBe(400)
    expect((await service.app.request('/v1/rebac/entities/Role', { method: 'POST' })).status).toBe(401)
    const { text } = await service.keys.newKey('reads', { purpose: 'read' })
    const asReader = await service.call('POST', '/v1/rebac/entities/Role', {}, { Authorization: `Bearer ${text}` })
    expect([asReader.status, asReader.body.detail]).toEqual([403, expect.not.stringContaining('createRole')])
    expect((await service.call('PUT', '/v1/rebac/entities/Role', {})).status).toBe(405)
  })

  test('has no other designs for a caller that is limited to some', async () => {
    const { text } = await service.keys.newKey('limited', { purpose: 'read', designs: ['rebac', 'shops'] })
    const get = (path: string) => service.call('GET', path, undefined, { Authorization: `Bearer ${text}` })
    const { body } = await get('/openapi.json')
    const named = [...designModules.keys(), 'shops'].filter((name) => JSON.stringify(body).includes(`/${name}/`))
    expect(named.sort()).toEqual(['rebac', 'shops'])
    // What is not for it looks like what is not there.
    const [foreign, none] = await Promise.all([get('/openapi.json?design=platform'), get('/openapi.json?design=nothing')])
    expect([foreign.status, none.status, foreign.body.code]).toEqual([400, 400, none.body.code])
    expect(Object.keys((await get('/openapi.json?design=rebac')).body.paths ?? {})).toContain('/v1/rebac/can')
    // The operator's is as it was.
    expect((await service.call('GET', '/openapi.json')).body).toEqual(document)
  })

  test('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(document.info.version).toBe(version)
  })

  test('needs a body where an empty object would be refused', () => {
    const told = operations().filter(({ requestBody }) => requestBody !== undefined)
    const wrong = told.filter(({ method, path, requestBody }) => isTaken(method, path, {}) === requestBody?.required)
    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
    expect(new Set(told.map(({ requestBody }) => requestBody?.required))).toEqual(new Set([true, false]))
  })

  test('has patterns that the regular expressions of any language can tell', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text = '']) =>
      String(JSON.parse(text)),
    )
    expect(patterns.length).toBeGreaterThan(100)
    // Properties of Unicode, code points, groups with names, what looks ahead and behind, and references.
    expect(patterns.filter((each) => /\\[pPuUkK1-9]|\(\?(?!:)/.test(each))).toEqual([])
  })

  test.each([
    ['/v1/rebac/who', { location: 'L', page: 'p', limit: null, cursor: null, consistency: null }, true],
    ['/v1/rebac/patterns/pages', { limit: null, order: null, consistent: null }, true],
    ['/v1/rebac/flows/createRole', { roleName: 'r', session_id: null }, true],
    // Without `as` the caller is an operator, so null is none.
    ['/v1/rebac/flows/createRole', { roleName: 'r', as: null }, false],
    ['/authzen/rebac/access/v1/evaluations', { subject: { type: 'user', id: 'a' } }, false],
    ['/authzen/rebac/access/v1/evaluations', { evaluations: [] }, false],
    ['/authzen/rebac/access/v1/evaluations', { evaluations: [{}], options: { evaluations_semantic: 'most' } }, false],
    ['/authzen/rebac/access/v1/evaluations', { evaluations: [{}], options: { evaluations_semantic: 'execute_all' } }, true],
    ['/authzen/rebac/access/v1/evaluations', { evaluations: [{}], options: { evaluations_semantic: null } }, true],
    ['/authzen/rebac/access/v1/search/subject', { ...search, page: null }, true],
    ['/authzen/rebac/access/v1/search/subject', { ...search, page: { token: null, limit: null } }, true],
    ['/authzen/rebac/access/v1/search/subject', { ...search, page: { token: '' } }, false],
    ['/v1/account-management/why', { user: 'a@b.example', client: id, permission: 1 }, false],
    ['/v1/account-management/why', { user: 'a@b.example', client: id, permission: { module: 'm', action: 'a', resource: 'r' } }, true],
    ['/v1/rebac/flows/assignMany', { assignments: [1] }, false],
    ['/v1/rebac/patterns/user', { userId: 'no ULID' }, false],
    ['/v1/rebac/patterns/emailsOfUser', { userId: ` ${ulid.toLowerCase()}	` }, true],
  ])('says of %s with %j what the service does: %s', async (path, body, isGood) => {
    const { status, body: answer } = await service.call('POST', path, body)
    expect([isTaken('post', path, body), status === 400], JSON.stringify(answer)).toEqual([isGood, !isGood])
  })

  test.each([...designModules.keys()])(
    'says of each operation, property and parameter of %s more than its name, in 300 kB',
    async (name) => {
      const { body } = await service.call('GET', `/openapi/${name}.json`)
      const schemas: Readonly<Record<string, Told>> = Object(Object(body.components).schemas)
      // A value, or null.
      const ofReference = ({ $ref: own, anyOf: [{ $ref = own } = {}] = [] }: Told) =>
        schemas[String($ref).slice(String($ref).lastIndexOf('/') + 1)]?.description
      const properties = Object.entries(schemas).flatMap(([schema, told]) =>
        Object.entries<Told>(told.properties ?? {}).map(([each, part]) => [schema, each, part.description ?? ofReference(part)] as const),
      )
      const methods = Object.values<Readonly<Record<string, ToldWithParameters>>>(Object(body.paths)).flatMap((each) => Object.values(each))
      const parameters = methods.flatMap(({ operationId, parameters: all = [] }) =>
        all.filter((each) => each.name !== undefined).map((each) => [operationId, String(each.name), each.description] as const),
      )
      const isBare = ([, each, words]: readonly [string, string, string | undefined]) =>
        words === undefined || words.startsWith(nameWords(each))
      expect([properties.length > 400, parameters.length > 0, [...properties, ...parameters].filter(isBare)]).toEqual([true, true, []])
      expect(methods.filter(({ summary, description }) => description.startsWith(`${summary.slice(0, -1)}:`))).toEqual([])
      // Generators of Go have one name for a value of all enumerations that are components.
      const values = Object.values(schemas).flatMap(({ enum: all = [] }) => all)
      expect([values.length > 10, values.filter((each, at) => values.indexOf(each) !== at)]).toEqual([true, []])
      const text = JSON.stringify(body)
      expect(Buffer.byteLength(text)).toBeLessThan(300_000)
      // A sentence that nothing has is of something that is gone. Without policies authorization answers no questions.
      const module = name === 'authorization' ? undefined : designModules.get(name)
      const words = module === undefined ? [] : Object.entries(wordsOf(module))
      expect(words.filter(([, sentence]) => !text.includes(JSON.stringify(sentence).slice(1, -1))).map(([each]) => each)).toEqual([])
    },
  )

  test('has no component by the name that generators make of an enumeration within another one', () => {
    const schemas: Readonly<Record<string, Told>> = Object(Object(document.components).schemas)
    const within = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([each, part]) => ('enum' in part || 'const' in part ? [`${name}${pascal(each)}`] : [])),
    )
    expect([within.length > 100, within.filter((each) => schemas[each] !== undefined)]).toEqual([true, []])
  })

  test('has one component of objects that are told alike within others', () => {
    const schemas: Readonly<Record<string, Told>> = Object(Object(document.components).schemas)
    const within = Object.values(schemas).flatMap(({ properties = {} }) =>
      Object.values(properties).flatMap(({ $ref = '' }) => {
        const name = $ref.slice($ref.lastIndexOf('/') + 1)
        return schemas[name]?.properties === undefined ? [] : [name]
      }),
    )
    const told = [...new Set(within)].map((name) => JSON.stringify([/^[A-Z][a-z]+/.exec(name)?.[0], schemas[name]]))
    expect([told.length > 10, told.filter((each, at) => told.indexOf(each) !== at)]).toEqual([true, []])
    expect(within.filter((name) => name === 'AccountPermissionFields').length).toBeGreaterThan(4)
  })

  test('names each operation once', () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
