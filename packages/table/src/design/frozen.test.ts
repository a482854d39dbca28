import { expect, test } from 'vitest'
import { agency } from '../../test/agency/design.ts'
import { catalogue } from '../../test/catalogue/design.ts'
import { depot } from '../../test/depot/design.ts'
import { edges } from '../../test/edges.ts'

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

test.each([agency, catalogue, depot, edges])('the design $name is frozen, with everything in it', (design) => {
  expect(changeable(design)).toEqual([])
})

test('what could be changed is found', () => {
  expect(changeable(Object.freeze({ a: Object.freeze([{}]), b: new Map([['c', []]]) }))).toEqual(['.a.0', '.b.c'])
})
