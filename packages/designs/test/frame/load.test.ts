import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const direct = /import \{[^}]*\bread(?:Item|Items|Range|Collection)\b[^}]*\} from '@freehold\/table/

test.each([
  ['access at scopes', '../../../frame/src/access/scopes/'],
  ['declared access', '../../../frame/src/access/'],
])('decisions of %s read within the tenant scope, and never around it', (_, path) => {
  const folder = new URL(path, import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((name) => direct.test(readFileSync(new URL(name, folder), 'utf8')))).toEqual([])
})
