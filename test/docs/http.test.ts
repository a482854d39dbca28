import { designModules } from '@freehold/designs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, startService } from '../../packages/service/test/serving.ts'
import { exchangeOf, sent, shownAnswer } from './exchange.ts'
import { loadExamples } from './organisation.ts'
import { blocksOf, pageAt, sectionOf } from './pages.ts'
import { shopsModule } from './shops.ts'

// Its blocks of the language `http` are sent in their order.

const page = pageAt('docs/reference/http.md')

const exchanges = blocksOf(page)
  .filter(({ language }) => language === 'http')
  .map(exchangeOf)

describe('the examples of http.md', () => {
  let service: ServiceUnderTest
  beforeAll(async () => {
    service = await startService({
      module: designModules.get('rebac') ?? {},
      outbox: { list: async () => [] },
      beside: [...designModules.values(), shopsModule].filter(({ design }) => design.name !== 'rebac'),
    })
    await loadExamples(service.table)
  })

  test.each(exchanges)('$start, in line $line', async (exchange) => {
    expect(await sent(exchange, service.app, service.key)).toEqual(shownAnswer(exchange))
  })

  test('every kind of route is listed, and no other', async () => {
    const rows = [...sectionOf(page, '## Routes').matchAll(/^\| `(\w+) (\S+)` \|/gm)].map(([, method, path]) => `${method} ${path}`)
    const kinds = new Map([
      [/^\/v1\/[\w-]+\/(can|why|what|who|where)$/, '/v1/{design}/{question}'],
      [/^\/v1\/[\w-]+\/can\/many$/, '/v1/{design}/can/many'],
      [/^\/v1\/[\w-]+\/access$/, '/v1/{design}/access'],
      [/^\/v1\/[\w-]+\/entities\/\w+$/, '/v1/{design}/entities/{Entity}'],
      [/^\/v1\/[\w-]+\/entities\/\w+\/move$/, '/v1/{design}/entities/{Entity}/move'],
      [/^\/v1\/[\w-]+\/query\/\w+$/, '/v1/{design}/query/{pattern}'],
      [/^\/v1\/[\w-]+\/patterns\/\w+$/, '/v1/{design}/patterns/{pattern}'],
      [/^\/v1\/[\w-]+\/flows\/\w+$/, '/v1/{design}/flows/{name}'],
      [/^\/v1\/[\w-]+\/permitted$/, '/v1/{design}/permitted'],
      [/^\/v1\/[\w-]+\/design$/, '/v1/{design}/design'],
      [/^\/openapi\/[\w-]+\.json$/, '/openapi/{design}.json'],
      [/^\/authzen\/[\w-]+\/access\/v1\/(evaluations?|search\/\w+)$/, '/authzen/{design}/access/v1/{endpoint}'],
      [/^\/\.well-known\/authzen-configuration\/authzen\/[\w-]+$/, '/.well-known/authzen-configuration/authzen/{design}'],
    ])
    const kindOf = (path: string) => [...kinds].find(([form]) => form.test(path))?.[1] ?? path
    const routes = service.app.routes.filter(({ path }) => !path.includes('*')).map(({ method, path }) => `${method} ${kindOf(path)}`)
    expect([...new Set(routes)].sort()).toEqual(rows.sort())
  })
})
