import { describe, expect, test } from 'vitest'
import { editDistance, nearest } from './nearest.ts'

describe('the distance of two texts', () => {
  test.each([
    ['keys', 'keys', 0],
    ['kesy', 'keys', 1],
    ['key', 'keys', 1],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
    ['😀', '', 1],
  ])('%j and %j is %i', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance)
    expect(editDistance(to, from)).toBe(distance)
  })
})

describe('the nearest name', () => {
  const names = ['User', 'UserGroup', 'UserGroupEdge', 'Role']

  test('is the one with the fewest differences, case aside', () => {
    expect(nearest('usr', names)).toBe('User')
    expect(nearest('usergroup', names)).toBe('UserGroup')
    expect(nearest('UserGruop', names)).toBe('UserGroup')
  })

  test('is none where too much differs', () => {
    expect(nearest('Location', names)).toBeUndefined()
    expect(nearest('', names)).toBeUndefined()
    expect(nearest('x'.repeat(100_000), names)).toBeUndefined()
  })
})
