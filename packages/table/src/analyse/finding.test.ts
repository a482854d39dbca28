import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findingCodes } from './finding.ts'

test('the reference explains every finding, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/findings.md'), 'utf8')
  const documented = [...page.matchAll(/^## (\w+)\n\*\*(\w+)\*\* · (.+)\n\n\S/gm)].map(([, code, severity, says]) => [
    code,
    { severity, says },
  ])
  expect(Object.fromEntries(documented)).toEqual(findingCodes)
  expect(page.match(/^## /gm)?.length).toBe(documented.length)
})
