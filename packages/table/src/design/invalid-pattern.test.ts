import { describe, expect, test } from 'vitest'
import { untyped } from '../../test/untyped.ts'
import {
  atLeast,
  atMost,
  beginsWith,
  beginsWithPart,
  between,
  edge,
  entity,
  equals,
  instant,
  number,
  oneOf,
  text,
  ulid,
} from '../language.ts'

const User = entity('User', {
  attributes: { id: ulid().made(), name: text(), team: text().optional(), joined: instant().made() },
  key: ['USER#{id}', 'META'],
  indexes: { GSI1: ['TEAM#{team}', 'JOINED#{joined}#{id}'] },
})
const Group = entity('Group', {
  attributes: { id: ulid().made(), org: ulid(), kind: oneOf('open', 'closed'), label: text() },
  key: ['ORG#{org}', 'GROUP#{kind}#{id}'],
})
const { UserTag, TagUser } = edge({
  ends: { userId: User },
  attributes: { tag: text() },
  items: { UserTag: ['USER#{userId}', 'TAG#{tag}'], TagUser: ['TAG#{tag}', 'USER#{userId}'] },
})

const filtered = (how: 'where' | 'optionally', attribute: string) => untyped.query('USER#{id}')[how](attribute).returns(User)

function refused(define: () => unknown, message: string): void {
  expect(define).toThrow(expect.objectContaining({ name: 'InvalidDesign', code: 'InvalidDesign', category: 'invalid', message }))
}

describe('an access pattern is refused', () => {
  const Team = entity('Team', {
    attributes: { id: ulid(), status: oneOf('active', 'gone'), size: number() },
    key: ['STATUS#{status}', 'TEAM#{id}'],
  })
  const Room = entity('Room', { attributes: { id: ulid(), seat: text() }, key: ['ROOM#id_{id}', '{seat}.seat'] })
  const within = (pattern: unknown) => () =>
    untyped.design({ name: 'test', table: 'test', entities: { User, Group, Team, Room, UserTag, TagUser }, patterns: { find: pattern } })

  test.each([
    ['that returns nothing', untyped.query('USER#{id}').returns(), 'names no entity that it returns'],
    ['that reads two partitions', untyped.query('USER#{id}|SYSTEM').returns(User), "has '|' in a key: a query reads one partition"],
    [
      'that reads two ranges',
      untyped.query('USER#{id}', beginsWith('TAG#{a}|TAG#{b}#{c}')).returns(User),
      "has '|' in a key: a query reads one partition",
    ],
    ['on an index that its result lacks', untyped.queryOn('GSI2', 'TEAM#{team}').returns(User), 'User has no key in GSI2'],
    [
      'whose result lies elsewhere',
      untyped.query('TAG#{tag}').returns(UserTag),
      "UserTag is not in partition 'TAG#{tag}': its partition key is 'USER#{userId}'",
    ],
    [
      'with more segments than the partition has',
      untyped.query('USER#{id}#X').returns(User),
      "User is not in partition 'USER#{id}#X': its partition key is 'USER#{id}'",
    ],
    [
      'with fewer segments than the partition has',
      untyped.query('USER').returns(User),
      "User is not in partition 'USER': its partition key is 'USER#{id}'",
    ],
    [
      'with a value that the attribute never has',
      untyped.query('STATUS#activ').returns(Team),
      "Team is not in partition 'STATUS#activ': its partition key is 'STATUS#{status}'",
    ],
    [
      'one of whose results lies elsewhere',
      untyped.query('USER#{id}').returns(User, TagUser),
      "TagUser is not in partition 'USER#{id}': its partition key is 'TAG#{tag}'",
    ],
    [
      'whose result is never in its range',
      untyped.query('USER#{id}', beginsWith('GROUP#')).returns(UserTag),
      "'GROUP' is not the beginning of the sort key 'TAG#{tag}' of UserTag",
    ],
    [
      'whose prefix ends within a segment',
      untyped.query('USER#{id}', beginsWith('TA')).returns(UserTag),
      "'TA' is not the beginning of the sort key 'TAG#{tag}' of UserTag",
    ],
    [
      'whose prefix is the whole key',
      untyped.query('USER#{id}', beginsWith('TAG#{tag}')).returns(UserTag),
      "'TAG#{tag}' is the whole sort key of UserTag: use equals, or beginsWithPart",
    ],
    [
      'that equals a part of the key only',
      untyped.query('ORG#{org}', equals('GROUP#{kind}')).returns(Group),
      "'GROUP#{kind}' is not the beginning of the sort key 'GROUP#{kind}#{id}' of Group",
    ],
    [
      'whose range is longer than the key',
      untyped.query('USER#{id}', between('TAG#{from}#{more}', 'TAG#{to}')).returns(UserTag),
      "'TAG#{from}#{more}' is not the beginning of the sort key 'TAG#{tag}' of UserTag",
    ],
    [
      'whose second end is elsewhere',
      untyped.query('USER#{id}', between('TAG#{from}', 'GROUP#{to}')).returns(UserTag),
      "'GROUP#{to}' is not the beginning of the sort key 'TAG#{tag}' of UserTag",
    ],
    [
      'without the text around a placeholder of its result',
      untyped.query('ROOM#{id}').returns(Room),
      "Room is not in partition 'ROOM#{id}': its partition key is 'ROOM#id_{id}'",
    ],
    [
      'whose range ends before the text behind a placeholder',
      untyped.query('ROOM#id_{id}', atLeast('{seat}.seat')).returns(Room),
      "compares '{seat}.seat', where text behind a placeholder changes the order of its values",
    ],
    ['that filters by what none of its results has', filtered('where', 'colour'), "filters by 'colour', which User does not have"],
    ['that may filter by what none of its results has', filtered('optionally', 'colour'), "filters by 'colour', which User does not have"],
    ['that filters by the name of what every object has', filtered('where', 'toString'), "filters by 'toString', which User does not have"],
  ])('%s', (_what, pattern, problem) => {
    refused(within(pattern), `The access pattern find: ${problem}.`)
  })

  test('where the same holds for what is in range', () => {
    for (const pattern of [
      untyped.query('STATUS#active').returns(Team),
      untyped.query('USER#{id}', beginsWithPart('TAG#{prefix}')).returns(UserTag),
      untyped.query('ORG#{org}', beginsWith('GROUP#open')).returns(Group),
      untyped.query('ROOM#id_{room}', equals('{seat}.seat')).returns(Room),
      untyped.query(`ROOM#id_01ARZ3NDEKTSV4RRFFQ69G5FAV`).returns(Room),
      untyped.query('ORG#{org}', atMost('GROUP#{kind}')).returns(Group),
    ])
      expect(within(pattern)).not.toThrow()
  })
})
