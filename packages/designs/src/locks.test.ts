import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { differences, lockOf, lockText, readLock } from '@freehold/table/publish'
import { expect, test } from 'vitest'
import { designModules } from './design-modules.ts'

// What differs from a lock is a change for every table of the design: see `freehold diff`, then write the locks anew by `npm run locks`.

test.each([...designModules])('the lock of %s is the design as it is', (name, { design }) => {
  const text = readFileSync(join(import.meta.dirname, name, `${name}.lock.json`), 'utf8')
  expect(differences(readLock(JSON.parse(text)), lockOf(design))).toEqual([])
  expect(text).toBe(lockText(lockOf(design)))
})
