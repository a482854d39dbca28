import * as rebacEntities from '@freehold/designs/rebac'
import { describe, expect, test } from 'vitest'
import { takeApart } from './item-argument.ts'

const { GroupRole, User } = rebacEntities

describe('an argument that names an item', () => {
  test('is taken apart into key, change and version', () => {
    const argument = { Type: 'User', userId: '1', displayName: 'Ada', address: null, version: 3 }
    expect(takeApart(User, argument)).toEqual({ id: { userId: '1' }, change: { displayName: 'Ada', address: null }, version: 3 })
    expect(takeApart(GroupRole, { roleName: 'r', groupId: 'g' }, 2)).toEqual({
      id: { roleName: 'r', groupId: 'g' },
      change: {},
      version: 2,
    })
    expect(takeApart(User, {})).toEqual({ id: {}, change: {} })
  })

  test.each([
    [{ version: '3' }, undefined, 'version is not a whole number from 0'],
    [{ version: -1 }, undefined, 'version is not a whole number from 0'],
    [{ version: 1.5 }, undefined, 'version is not a whole number from 0'],
    [{ version: null }, undefined, 'version is not a whole number from 0'],
    [{ version: 3 }, 4, 'version is 3 here and 4 in --version'],
    [{ Type: 'Role' }, undefined, 'Type is not User'],
  ])('%j with --version %s is refused', (argument, option, sentence) => {
    expect(() => takeApart(User, argument, option)).toThrow(sentence)
  })
})
