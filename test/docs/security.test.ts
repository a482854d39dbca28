import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageAt, root } from './pages.ts'

// Each test and folder that the page on security names is there: the page gives the end of a path.

const filesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((path) =>
    /(^|\/)(node_modules|dist)\//.test(path) ? [] : [`${folder}/${path}`],
  )
const files = [...filesBelow('packages'), ...filesBelow('test')].map((path) => path.replace(/^packages\//, '/'))
const named = [...pageAt('docs/concepts/security.md').text.matchAll(/`([\w./-]*\/[\w./-]+|[\w-]+\.test\.ts)`/g)].flatMap(([, path = '']) =>
  // A path of the service, and a media type, are none of these.
  path.startsWith('/') || path === 'application/json' ? [] : [path],
)

test('it names tests', () => expect(named.length).toBeGreaterThan(30))

test.each([...new Set(named)])('%s is there', (path) => {
  expect(files.filter((file) => file === path || file.endsWith(`/${path}`))).not.toEqual([])
})
