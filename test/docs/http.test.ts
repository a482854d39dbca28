import { offers } from '@freehold/designs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, startService } from '../../packages/service/test/serving.ts'
import { masked } from './masked.ts'
import { loadExamples } from './organisation.ts'
import { blocksOf, pageAt, sectionOf } from './pages.ts'

// A block of the language `http`: method and path, headers, perhaps a body; an empty line; status, headers, perhaps a body. They are sent in
// their order, with a key unless they have one.

const page = pageAt('docs/reference/http.md')

interface Message {
  readonly start: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function messageOf(text: string): Message {
  const [start = '', ...lines] = text.split('\n')
  const headers = lines.filter((line) => /^[A-Za-z-]+: /.test(line)).map((line) => line.split(/: (.*)/s).slice(0, 2))
  return { start, headers: Object.fromEntries(headers), body: lines.find((line) => line.startsWith('{')) ?? '' }
}

const exchanges = blocksOf(page)
  .filter(({ language }) => language === 'http')
  .map(({ text, line }) => {
    const [request = '', response = ''] = text.split('\n\n')
    return { line, request: messageOf(request), response: messageOf(response), start: request.split('\n')[0] }
  })

describe('what http.md shows', () => {
  let service: ServiceUnderTest
  beforeAll(async () => {
    service = await startService({
      offer: offers.get('rebac') ?? {},
      beside: [...offers.values()].filter(({ design }) => design.name !== 'rebac'),
    })
    await loadExamples(service.table)
  })
  afterAll(() => service.close())

  test.each(exchanges)('$start, in line $line', async ({ request, response }) => {
    const [method = '', path = ''] = request.start.split(' ')
    const answer = await service.app.request(path, {
      method,
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json', ...request.headers },
      ...(request.body === '' ? {} : { body: request.body }),
    })
    const headers = Object.fromEntries(Object.keys(response.headers).map((name) => [name, answer.headers.get(name)]))
    expect({ status: String(answer.status), headers, body: masked(await answer.text()) }).toEqual({
      status: response.start,
      headers: response.headers,
      body: masked(response.body),
    })
  })

  test('every kind of route is listed, and no other', async () => {
    const rows = [...sectionOf(page, '## Routes').matchAll(/^\| `(\w+) (\S+)` \|/gm)].map(([, method, path]) => `${method} ${path}`)
    const kinds = new Map([
      [/^\/v1\/[\w-]+\/(can|why|what|who|where)$/, '/v1/{design}/{question}'],
      [/^\/v1\/[\w-]+\/entities\/\w+$/, '/v1/{design}/entities/{Entity}'],
      [/^\/v1\/[\w-]+\/entities\/\w+\/move$/, '/v1/{design}/entities/{Entity}/move'],
      [/^\/v1\/[\w-]+\/patterns\/\w+$/, '/v1/{design}/patterns/{pattern}'],
      [/^\/v1\/[\w-]+\/flows\/\w+$/, '/v1/{design}/flows/{name}'],
    ])
    const kindOf = (path: string) => [...kinds].find(([form]) => form.test(path))?.[1] ?? path
    const routes = service.app.routes.filter(({ path }) => !path.includes('*')).map(({ method, path }) => `${method} ${kindOf(path)}`)
    expect([...new Set(routes)].sort()).toEqual(rows.sort())
  })
})
