import { expect, test } from 'vitest'
import { recentlyUsed } from './recently-used.ts'

const kept = (values: { get(key: string): number | undefined }, ...keys: readonly string[]) =>
  keys.filter((key) => values.get(key) !== undefined)

test('the entry used longest ago is forgotten first: to get is to use, and so is to set again', () => {
  const values = recentlyUsed<number>(3)
  for (const [index, key] of ['a', 'b', 'c'].entries()) values.set(key, index)
  expect(values.get('a')).toBe(0)
  values.set('b', 10)
  values.set('d', 3)
  expect(kept(values, 'a', 'b', 'c', 'd')).toEqual(['a', 'b', 'd'])
  expect(values.get('b')).toBe(10)
})

test('a deleted entry makes room, and nothing is left after clearing', () => {
  const values = recentlyUsed<number>(2)
  values.set('a', 1)
  values.set('b', 2)
  values.delete('a')
  values.set('c', 3)
  expect(kept(values, 'a', 'b', 'c')).toEqual(['b', 'c'])
  values.clear()
  expect(kept(values, 'a', 'b', 'c')).toEqual([])
})
