import { designModules } from '@freehold/designs'
import { rebac } from '@freehold/designs/rebac'
import { connect } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import type { ApiDocument } from '../../test/documented.ts'
import { createService } from '../index.ts'

const module = designModules.get('rebac') ?? { design: rebac, summary: '' }
const table = connect(rebac, { dynamo: { endpoint: 'http://127.0.0.1:1' } })
const app = createService({
  tables: new Map([['rebac', { module, table }]]),
  keys: { verify: async () => undefined },
  log: () => undefined,
  pages: { viewer: async () => 'the viewer' },
})
const documentAt = async (path: string) => {
  const response = await app.request(path)
  expect(response.status).toBe(200)
  // Another test holds the document to OpenAPI.
  return (await response.json()) as ApiDocument
}

describe('the pages', () => {
  test.each([
    ['/docs', 'text/html; charset=utf-8', '<title>Freehold: the API</title>'],
    ['/docs/start.js', 'text/javascript; charset=utf-8', '/openapi.json?design=rebac'],
    ['/docs/viewer.js', 'text/javascript; charset=utf-8', 'the viewer'],
  ])('%s needs no key, and loads nothing from elsewhere', async (path, type, part) => {
    const response = await app.request(path)
    const policy = response.headers.get('content-security-policy')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/)
    const text = await response.text()
    expect(text).toContain(part)
    expect(text).not.toMatch(/https?:\/\//)
  })

  test('open the document, and nothing else', async () => {
    expect((await app.request('/v1')).status).toBe(401)
    expect((await app.request('/docs/other')).status).toBe(401)
    const { paths } = await documentAt('/openapi.json')
    const routes = app.routes.filter(({ path }) => !path.includes('*')).map(({ path }) => path)
    expect(Object.keys(paths).sort()).toEqual([...new Set(routes)].sort())
  })

  test('are not there unless they are wanted', async () => {
    const without = createService({ tables: new Map(), keys: { verify: async () => 'key' }, log: () => undefined })
    const statuses = ['/docs', '/docs/viewer.js'].map(
      async (path) => (await without.request(path, { headers: { Authorization: 'Bearer k' } })).status,
    )
    expect(await Promise.all(statuses)).toEqual([404, 404])
    expect((await without.request('/openapi.json')).status).toBe(401)
  })

  test('show one design at a time', async () => {
    const { paths } = await documentAt('/openapi.json?design=rebac')
    expect(Object.keys(paths)).toContain('/v1/rebac/can')
    expect((await app.request('/openapi.json?design=other')).status).toBe(400)
  })
})
