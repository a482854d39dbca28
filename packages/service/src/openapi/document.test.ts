import { readFileSync } from 'node:fs'
import { designModules } from '@freehold/designs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shopsModule } from '../../../../test/docs/shops.ts'
import { type ServiceUnderTest, startService } from '../../test/serving.ts'

interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly parameters?: readonly object[] }>>>
  >
}

let service: ServiceUnderTest
let document: Document
beforeAll(async () => {
  service = await startService({
    module: designModules.get('rebac') ?? {},
    outbox: { list: async () => [] },
    beside: [...designModules.values(), shopsModule].filter(({ design }) => design.name !== 'rebac'),
  })
  const { body } = await service.call('GET', '/openapi.json')
  // The test below holds it to the schema of OpenAPI.
  document = body as unknown as Document
})
afterAll(() => service.close())

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

  test('names each operation once', () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
