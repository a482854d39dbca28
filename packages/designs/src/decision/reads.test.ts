import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../account-management/deciding/', import.meta.url)
const direct = /import \{[^}]*\bread(?:Item|Items|Range|Collection)\b[^}]*\} from '@freehold\/table'/

test('decisions read through what hides other tenants, and never around it', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((name) => direct.test(readFileSync(new URL(name, folder), 'utf8')))).toEqual([])
})
