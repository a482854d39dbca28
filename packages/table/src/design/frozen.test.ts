import { expect, test } from 'vitest'
import { accountManagement } from '../../test/hardest/account-management.ts'
import { authorization } from '../../test/hardest/authorization.ts'
import { edges } from '../../test/hardest/edges.ts'
import { platform } from '../../test/hardest/platform.ts'

/** Paths of everything reachable that could be changed. Zod's schemas are its own, functions and patterns hold no data of a design. */
function changeable(root: object): string[] {
  const seen = new Set<unknown>()
  const found: string[] = []
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || seen.has(value) || value instanceof RegExp) return
    seen.add(value)
    if (value instanceof Map) for (const [key, member] of value) visit(member, `${path}.${key}`)
    else {
      if (!Object.isFrozen(value)) found.push(path)
      for (const [name, member] of Object.entries(value)) if (name !== 'schema') visit(member, `${path}.${name}`)
    }
  }
  visit(root, '')
  return found
}

test.each([
  [accountManagement.name, accountManagement],
  [platform.name, platform],
  [authorization.name, authorization],
  [edges.name, edges],
])('the design %s is frozen, with everything in it', (_name, design) => {
  expect(changeable(design)).toEqual([])
})

test('what could be changed is found', () => {
  expect(changeable(Object.freeze({ a: Object.freeze([{}]), b: new Map([['c', []]]) }))).toEqual(['.a.0', '.b.c'])
})
