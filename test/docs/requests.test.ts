import { designModules } from '@freehold/designs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, startService } from '../../packages/service/test/serving.ts'
import { blocksOf, docs, pages } from './pages.ts'

/** Pages whose blocks of the language `http` a test of their own sends. */
const withOwnTest = ['docs/reference/http.md', 'docs/reference/authzen.md', 'docs/guides/own-design.md']

test('each request on a page is sent: beside the commands of its page, or by a test of its own', () => {
  const languagesOf = (page: Parameters<typeof blocksOf>[0]) => blocksOf(page).map(({ language }) => language)
  const alone = docs().filter((page) => languagesOf(page).includes('http') && !languagesOf(page).includes('console'))
  expect(alone.map(({ path }) => path).sort()).toEqual([...withOwnTest].sort())
})

test.each(
  docs().flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language === 'json')
      .map(({ text, line }) => ({ where: `${page.path}:${line}`, text })),
  ),
)('the JSON at $where is some', ({ text }) => {
  expect(() => JSON.parse(text)).not.toThrow()
})

/** A line of curl, as a request. The key of the environment is the given one. */
function requestOf(line: string, key: string): { readonly path: string; readonly init: RequestInit } {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, plain]) =>
    (one ?? two ?? plain ?? '').replaceAll('$FREEHOLD_API_KEY', key),
  )
  const after = (...flags: readonly string[]) => words.flatMap((word, index) => (flags.includes(word) ? [words[index + 1] ?? ''] : []))
  const headers = after('-H', '--header').map((header) => header.split(/: (.*)/s).slice(0, 2))
  const [body] = after('-d', '--data', '--json')
  const [method = body === undefined ? 'GET' : 'POST'] = after('-X', '--request')
  const url = new URL(words.find((word) => word.startsWith('http://')) ?? '')
  return {
    path: `${url.pathname}${url.search}`,
    init: { method, headers: Object.fromEntries(headers), ...(body === undefined ? {} : { body }) },
  }
}

describe('a line of curl on a page', () => {
  // The guide of a protected route asks its own program, as test/packages does.
  const ofService = pages().filter(({ path }) => path !== 'docs/guides/protected-route.md')
  const lines = ofService.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (line.startsWith('curl ') ? [{ where: `${path}:${index + 1}`, line }] : [])),
  )
  let service: ServiceUnderTest
  beforeAll(async () => {
    const beside = [...designModules.values()].filter(({ design }) => design.name !== 'rebac')
    service = await startService({ module: designModules.get('rebac') ?? {}, beside })
  })

  test('is there', () => {
    expect(lines.length).toBeGreaterThan(1)
  })

  test.each(lines)('at $where is answered', async ({ line }) => {
    const { path, init } = requestOf(line, service.key)
    expect((await service.app.request(path, init)).status).toBe(200)
  })
})
