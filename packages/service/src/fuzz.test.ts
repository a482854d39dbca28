import { isDeepStrictEqual } from 'node:util'
import { rebacModule } from '@freehold/designs/rebac'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { deep } from '../../../test/properties/depth.ts'
import { bytesOf, type HostileRequest, hostileRequest } from '../test/hostile-request.ts'
import { startService } from '../test/serving.ts'
import { serveOnNode } from './serve-on-node.ts'

let byNode = 0
const ids: string[] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV']
// Without flows its entities are written, too.
const { flows: _, ...module } = rebacModule
const service = await startService({ module, limits: { body_bytes_max: 65_536, query_bytes_max: 4_096 } })
const { userId } = await service.table.User.create({ displayName: 'Ada' })
const { locationId } = await service.table.Location.create({ locationCode: 'HQ', name: 'Here' })
const { groupId } = await service.table.UserGroup.create({ locationId, name: 'Staff' })
await service.table.Role.create({ roleName: 'opener' })
await service.table.Page.create({ pageName: 'home' })
await service.table.UserLocationEdge.create({ userId, locationId })
await service.table.EmailIdentity.create({ email: 'ada@example.org', provider: 'google', userId })
const serving = await serveOnNode(service.app, { port: 0, grace_ms: 0 })
ids.push(userId, locationId, groupId, 'opener', 'home', 'HQ', 'ada@example.org')
afterAll(() => serving.close())

/** Sends a request by one of the faces. What no client of Node can send goes by fetch; a server waits for what a wrong length promises. */
async function send({ method, path, headers, body }: HostileRequest, isOverNode: boolean) {
  const bytes = bytesOf(body)
  const authorized = { ...headers, Authorization: `Bearer ${service.key}` }
  const init = { method, headers: authorized, ...(bytes === undefined ? {} : { body: bytes }) }
  const isSendable = isOverNode && /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) && !('Content-Length' in headers)
  const overNode = isSendable ? await fetch(serving.address + path, init).catch(() => undefined) : undefined
  if (overNode !== undefined) byNode++
  const response = overNode ?? (await service.app.request(path, init))
  return { response, text: await response.text() }
}

const counts = new Map<number, number>()

test('no request makes the service fail, none that is refused changes anything, and no answer tells of its insides', async () => {
  let before = await service.scan()
  await fc.assert(
    fc.asyncProperty(hostileRequest(ids), fc.boolean(), async (request, isOverNode) => {
      const { response, text } = await send(request, isOverNode)
      const { status } = response
      counts.set(status, (counts.get(status) ?? 0) + 1)
      expect(status).toBeLessThan(500)
      expect(text).not.toMatch(/\.(ts|js|mjs):\d+|node_modules|TypeError|RangeError|SyntaxError/)
      if (status >= 400) {
        expect(response.headers.get('content-type')).toBe('application/problem+json')
        if (text !== '')
          expect(JSON.parse(text)).toMatchObject({
            status,
            type: expect.stringMatching(/^urn:freehold:error:[A-Z]\w+$/),
            detail: expect.any(String),
          })
        // What reads changed would be found by the next of the others.
        if (!/^(get|head)$/i.test(request.method)) expect(isDeepStrictEqual(await service.scan(), before)).toBe(true)
      } else before = await service.scan()
    }),
    { numRuns: deep(600) },
  )
  expect(service.lines.filter(({ fault }) => fault !== undefined)).toEqual([])
  expect(byNode).toBeGreaterThan(deep(144))
  // A fuzz of which all or nothing is refused tests nothing.
  expect([...counts.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404, 405, 409, 415]))
})
