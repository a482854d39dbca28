import { describe, expect, test } from 'vitest'
import { editDistance, hintOf, nearest } from './nearest.ts'

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

describe('the nearest names', () => {
  const names = ['User', 'UserGroup', 'UserGroupEdge', 'Role', 'Rule', 'Roles', 'Ruler']

  test.each<[string, string[]]>([
    ['usr', ['User']],
    ['usergroup', ['UserGroup']],
    ['UserGruop', ['UserGroup']],
    ['Roler', ['Role', 'Roles', 'Ruler']],
    ['Ru', []],
    ['Location', []],
    ['', []],
    ['x'.repeat(100_000), []],
  ])('of %s are those with hardly more differences than the nearest, case aside', (name, near) => {
    expect(nearest(name, names)).toEqual(near)
  })

  test('stand in a hint, with the command that lists all', () => {
    expect(hintOf('Roler', ['Role', 'Roles'], 'freehold x')).toBe('Did you mean Role or Roles? `freehold x` lists all.')
    expect(hintOf('Location', names, 'freehold x')).toBe('`freehold x` lists all.')
  })
})
