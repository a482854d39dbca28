import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const direct = /import \{[^}]*\bread(?:Item|Items|Range|Collection)\b[^}]*\} from '@freehold\/table/

test.each(['account-management', 'rebac'])('decisions of %s read within the tenant scope, and never around it', (design) => {
  const folder = new URL(`../../src/${design}/deciding/`, import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((name) => direct.test(readFileSync(new URL(name, folder), 'utf8')))).toEqual([])
})
