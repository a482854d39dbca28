import { readAuthorizerMap } from '@freehold/authorizer'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { localEngine } from '@freehold/frame/cedar'
import { expect, test } from 'vitest'
import { ticketApi } from '../../docs/concepts/example-authorizing.ts'
import { sources } from '../sources.ts'
import { pageAt, sectionOf } from './pages.ts'

const of = (end: string) => Object.entries(starterFiles).filter(([name]) => name.endsWith(end))
const policies = await localEngine({ policies: new Map(of('.cedar')), schema: starterFiles['schema.cedarschema'] ?? '' })
const page = pageAt('docs/reference/authorizer.md')

/** The codes that the authorizer gives, in its source. */
const given = sources()
  .filter((source) => source.package === 'authorizer' && !source.isTest)
  .flatMap(({ text }) => [
    ...text.matchAll(/(?:tokenDenial|requestDenial)\(\s*'(\w+)'/g),
    ...text.matchAll(/new Denial\(\s*'\w+',\s*'(\w+)'/g),
  ])
  .map(([, code = '']) => code)

test('the page has each code of the log, and no other', () => {
  const rows = sectionOf(page, '## The log').match(/^\| `.*? \|/gm) ?? []
  const told = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, code]) => code))
  expect(told.sort()).toEqual([...new Set(given)].sort())
  expect(told.length).toBeGreaterThan(15)
})

const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(page.text) ?? []

test('the map of the page is read, and its actions are those of the starter', () => {
  const map = readAuthorizerMap(text)
  const all = [...map.routes, ...map.fields.values()]
  expect(all.filter(({ action, resource }) => !policies.actionsOn(resource.type).includes(action))).toEqual([])
  expect(all.length).toBe(3)
})

test('the variables of a deployed authorizer stand on the page', () => {
  const { text = '' } = sources().find(({ path }) => path === 'packages/authorizer/src/environment.ts') ?? {}
  const names = [...text.matchAll(/'(FREEHOLD_\w+)'/g)].map(([, name]) => name)
  const told = [...sectionOf(page, '## A function').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(told.sort()).toEqual(names.sort())
})

test('the program of the page refuses a request without a token', async () => {
  const response = await ticketApi(text, policies).request('/tenants/t/tickets', { method: 'POST' })
  expect([response.status, await response.json()]).toEqual([401, { message: 'Unauthorized' }])
})
