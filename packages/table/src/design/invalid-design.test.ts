import { describe, expect, test } from 'vitest'
import { untyped } from '../../test/untyped.ts'
import {
  dependingOn,
  design,
  edge,
  entity,
  get,
  instant,
  list,
  mirror,
  number,
  oneOf,
  text,
  ulid,
  unique,
  unless,
  verbatim,
} from '../language.ts'
import type { Entity } from './form.ts'

const User = entity('User', {
  attributes: { id: ulid().made(), name: text(), team: text().optional(), joined: instant().made() },
  key: ['USER#{id}', 'META'],
  indexes: { GSI1: ['TEAM#{team}', 'JOINED#{joined}#{id}'] },
})
const Group = entity('Group', {
  attributes: { id: ulid().made(), org: ulid(), kind: oneOf('open', 'closed'), label: text() },
  key: ['ORG#{org}', 'GROUP#{kind}#{id}'],
})
const Pair = entity('Pair', { attributes: { left: ulid(), right: ulid() }, key: ['LEFT#{left}', 'RIGHT#{right}'] })
const { UserTag, TagUser } = edge({
  ends: { userId: User },
  attributes: { tag: text() },
  items: { UserTag: ['USER#{userId}', 'TAG#{tag}'], TagUser: ['TAG#{tag}', 'USER#{userId}'] },
})

function refused(define: () => unknown, message: string): void {
  expect(define).toThrow(expect.objectContaining({ name: 'InvalidDesign', code: 'InvalidDesign', category: 'invalid', message }))
}

describe('references of a list are refused', () => {
  const thing = (attribute: object, to: unknown) => () =>
    untyped.entity('Thing', { attributes: { id: ulid(), users: attribute }, key: ['THING#{id}', 'META'], refers: { users: to } })

  test.each([
    ['without a largest number', list(ulid()), { each: User }, /by a list without 'max'/],
    ['unless they say so', list(ulid(), { max: 5 }), User, /by a list: say so with 'each'/],
    ['by what is no list', ulid(), { each: User }, /by 'each', and is no list/],
    [
      'where the target lacks what it must have',
      list(ulid(), { max: 5 }),
      { each: User, where: { rank: 'high' } },
      /where 'rank' has a value/,
    ],
  ])('%s', (_, attribute, to, message) => {
    expect(thing(attribute, to)).toThrow(message)
  })

  test('as the source of a copy', () => {
    const copying = { id: ulid(), users: list(ulid(), { max: 5 }), name: text().from('users') }
    const define = () => untyped.entity('Thing', { attributes: copying, key: ['THING#{id}', 'META'], refers: { users: { each: User } } })
    expect(define).toThrow(/Thing.name is copied from 'users'/)
  })
})

describe('an entity is refused', () => {
  const thing = (shape: object) => () =>
    untyped.entity('Thing', { attributes: { id: ulid(), name: text() }, key: ['THING#{id}', 'META'], ...shape })

  test.each(['PK', 'SK', 'Type', 'version', 'deleting', 'ttl', 'GSI1PK', 'GSI12SK'])('that declares %s', (name) => {
    refused(thing({ attributes: { id: ulid(), [name]: text() } }), `Thing declares '${name}', which the runtime writes itself.`)
  })

  test.each(['constructor', 'toString', 'valueOf'])('that declares %s', (name) => {
    refused(
      thing({ attributes: { id: ulid(), [name]: text() } }),
      `Thing declares '${name}', which every object of JavaScript has: give it another name.`,
    )
  })

  test.each([
    ['whose placeholder names nothing', { key: ['THING#{id}', 'AT#{at}'] }, "{at} in 'AT#{at}' is not an attribute of Thing."],
    [
      'whose placeholder is named as what every object has',
      { key: ['THING#{constructor}', 'META'] },
      "{constructor} in 'THING#{constructor}' is not an attribute of Thing.",
    ],
    ['whose index placeholder names nothing', { indexes: { GSI1: ['X', 'Y#{at}'] } }, "{at} in 'Y#{at}' is not an attribute of Thing."],
    [
      'with a number in its key',
      { attributes: { id: ulid(), size: number() }, key: ['THING#{id}', 'SIZE#{size}'] },
      "{size} in 'SIZE#{size}' is a number; a key holds text that is normalised.",
    ],
    [
      'with a list in an index',
      { attributes: { id: ulid(), tags: list(text()) }, indexes: { GSI1: ['TAG#{tags}', 'X'] } },
      "{tags} in 'TAG#{tags}' is a list; a key holds text that is normalised.",
    ],
    [
      'with text that is kept as given in its key',
      { attributes: { id: ulid(), note: verbatim() }, key: ['THING#{id}', 'NOTE#{note}'] },
      "{note} in 'NOTE#{note}' is a verbatim; a key holds text that is normalised.",
    ],
    [
      'with a secret in its key',
      { attributes: { id: ulid(), token: text().secret() }, key: ['THING#{id}', 'TOKEN#{token}'] },
      "{token} in 'TOKEN#{token}' is secret; a key is shown and logged.",
    ],
    [
      'whose table key may be absent',
      { attributes: { id: ulid(), team: text().optional() }, key: ['TEAM#{team}', 'THING#{id}'] },
      "{team} in 'TEAM#{team}' may be absent, but Thing always needs its table key.",
    ],
    [
      'whose last alternative may be absent',
      { attributes: { id: ulid(), a: text().optional(), b: text().optional() }, key: ['A#{a}|B#{b}', 'THING#{id}'] },
      "{b} in 'A#{a}|B#{b}' may be absent, but Thing always needs its table key.",
    ],
    [
      'whose index has no name',
      { indexes: { '': ['X', 'Y'] } },
      "Thing has a key in '', which is not a name that DynamoDB gives an index.",
    ],
    ['that expires at what is no instant', { expires: 'name' }, "Thing expires at 'name', which is not an instant of it."],
    ['that expires at nothing', { expires: 'until' }, "Thing expires at 'until', which is not an instant of it."],
    [
      'that copies through what refers to nothing',
      { attributes: { id: ulid(), user: ulid(), name: text().from('user') } },
      "Thing.name is copied from 'user', which refers to nothing that has it.",
    ],
    [
      'that copies what its target lacks',
      { attributes: { id: ulid(), user: ulid(), label: text().from('user', 'title') }, refers: { user: User } },
      "Thing.label is copied from 'user', which refers to nothing that has it.",
    ],
    [
      'that refers without saying which part of the key it is',
      { attributes: { id: ulid(), pair: ulid() }, refers: { pair: Pair } },
      "Thing.pair refers to Pair, but which placeholder of 'LEFT#{left}' / 'RIGHT#{right}' it fills is not clear: say so with 'by'.",
    ],
    [
      'that lacks a part of the key it refers to',
      { attributes: { id: ulid(), groupId: ulid(), org: ulid() }, refers: { groupId: Group } },
      "Thing.groupId refers to Group, whose key needs {kind}; Thing has no attribute 'kind' to fill it.",
    ],
    [
      'that refers by what it lacks',
      { attributes: { id: ulid(), user: ulid() }, refers: { user: { to: User, by: { id: 'owner' } } } },
      "Thing.user refers to User, whose key needs {id}; Thing has no attribute 'owner' to fill it.",
    ],
    [
      'that refers by a placeholder that is not there',
      { attributes: { id: ulid(), user: ulid() }, refers: { user: { to: User, by: { userId: 'user' } } } },
      "Thing.user refers to User, whose key 'USER#{id}' / 'META' has no {userId}.",
    ],
    [
      'that refers depending on what is no enumeration',
      { attributes: { id: ulid(), name: text(), of: ulid() }, refers: { of: dependingOn('name', { a: User }) } },
      "Thing.of refers to something depending on 'name', which is no enumeration of Thing.",
    ],
    [
      'that refers to nothing in one case',
      { attributes: { id: ulid(), kind: oneOf('a', 'b'), of: ulid() }, refers: { of: dependingOn('kind', { a: User }) } },
      "Thing.of refers to something depending on 'kind', but to nothing where that is 'b'.",
    ],
    [
      'that refers to something in a case that never is',
      { attributes: { id: ulid(), kind: oneOf('a'), of: ulid() }, refers: { of: dependingOn('kind', { a: User, b: User }) } },
      "Thing.of refers to something where 'kind' is 'b', which it never is.",
    ],
    [
      'that copies what one of several targets lacks',
      {
        attributes: { id: ulid(), kind: oneOf('a', 'b'), of: ulid(), team: text().from('of') },
        refers: { of: dependingOn('kind', { a: User, b: { to: Group, by: { org: 'id', kind: 'kind', id: 'of' } } }) },
      },
      "Thing.team is copied from 'of', which refers to nothing that has it.",
    ],
    [
      'that refers unless an attribute that it lacks has a value',
      { attributes: { id: ulid(), user: ulid() }, refers: { user: { to: User, by: { id: unless('owner', 'NOBODY') } } } },
      "Thing.user refers to User, whose key needs {id}; Thing has no attribute 'owner' to fill it.",
    ],
    [
      'whose template is ambiguous',
      { key: ['{id}{id}', 'META'] },
      "The key template '{id}{id}' has '{id}{id}' between two '#', where a key has text and at most one placeholder in braces.",
    ],
  ])('%s', (_what, shape, message) => {
    refused(thing(shape), message)
  })

  test('where a kind that makes no values is to make one', () => {
    refused(() => text().made(), 'The kind text has no default of its own: give made() a value, or a function that makes one.')
  })
})

describe('a guard or mirror is refused', () => {
  test.each([
    ['whose placeholder is no attribute of its owner', ['CODE#{code}', 'META'], "{code} in 'CODE#{code}' is not an attribute of Further."],
    ['whose key is ambiguous', ['A##{name}', 'META'], "The key template 'A##{name}' has an empty segment."],
  ])('%s', (_what, key, message) => {
    refused(() => untyped.unique('Further', User, key), message)
    refused(() => untyped.mirror('Further', User, key, []), message)
  })

  test('that belongs to another one', () => {
    const UserName = unique('UserName', User, ['NAME#{name}', 'META'])
    refused(
      () => mirror('NameEntry', UserName, ['NAMES', 'NAME#{name}']),
      'NameEntry belongs to UserName, which is itself a guard of User.',
    )
  })

  test('but not one whose own key may be absent: then there is no such item', () => {
    expect(unique('UserTeam', User, ['TEAM#{team}', 'TEAM#{team}']).attributes.team.presence).toBe('given')
    expect(mirror('TeamEntry', User, ['TEAM#{team}|NO_TEAM', 'USER#{id}']).attributes.team.presence).toBe('optional')
  })
})

describe('an edge is refused', () => {
  const one = (shape: object) => () =>
    untyped.edge({ ends: { userId: User }, attributes: {}, items: { Side: ['USER#{userId}', 'SIDE'] }, ...shape })

  test.each([
    ['whose placeholder names nothing', { items: { Side: ['USER#{userId}', 'X#{x}'] } }, "{x} in 'X#{x}' is not an attribute of Side."],
    [
      'whose end fits no single part of a key',
      { ends: { pair: Pair }, items: { Side: ['PAIR#{pair}', 'SIDE'] } },
      "Side.pair refers to Pair, but which placeholder of 'LEFT#{left}' / 'RIGHT#{right}' it fills is not clear: say so with 'by'.",
    ],
    [
      'that lacks a part of the key of its end',
      { ends: { groupId: Group }, attributes: { org: ulid() }, items: { Side: ['GROUP#{groupId}', 'SIDE'] } },
      "Side.groupId refers to Group, whose key needs {kind}; Side has no attribute 'kind' to fill it.",
    ],
    [
      'that would outlive its end',
      { ends: { userId: { to: User, onRemove: 'keep' } } },
      'Side cannot outlive User: an end takes its edges with it, or refuses to go.',
    ],
    ['whose end is itself', { ends: { userId: { to: 'itself' } } }, 'Side.userId refers to itself, which an end of an edge cannot.'],
    ['that copies from no path', { copies: { Side: { name: 'name' } } }, "Side.name is copied from 'name', which is not 'end.attribute'."],
    [
      'that copies what its end lacks',
      { copies: { Side: { name: 'userId.title' } } },
      "Side.name is copied from 'userId.title', which does not exist.",
    ],
    [
      'that copies through no end',
      { copies: { Side: { name: 'groupId.name' } } },
      "Side.name is copied from 'groupId.name', which does not exist.",
    ],
    [
      'that copies over what is given',
      { attributes: { name: text() }, copies: { Side: { name: 'userId.name' } } },
      'Side.name is copied, and is also given.',
    ],
    ['that copies to an item it does not have', { copies: { Other: { name: 'userId.name' } } }, 'Other is not an item of this edge.'],
    ['that lies within what is no edge', { within: User }, 'Side lie within User, which is not an item of an edge.'],
    ['whose end is no part of any key', { ends: { userId: Everyone() } }, "The end 'userId' fills no placeholder of its entity's key."],
  ])('%s', (_what, shape, message) => {
    refused(one(shape), message)
  })

  function Everyone(): Entity {
    return entity('Everyone', { attributes: { name: text() }, key: ['EVERYONE', 'META'] }) as unknown as Entity
  }
})

describe('a design is refused', () => {
  const Tag = entity('Tag', { attributes: { id: ulid(), user: ulid() }, key: ['TAG#{id}', 'META'], refers: { user: User } })
  const UserName = unique('UserName', User, ['NAME#{name}', 'META'])
  const { Inner } = edge({ ends: { userId: User }, attributes: {}, items: { Inner: ['USER#{userId}', 'INNER'] }, within: UserTag })
  const Job = entity('Job', { attributes: { id: ulid() }, key: ['JOB#{id}', 'META'] })
  const Other = entity('User', { attributes: { id: ulid() }, key: ['USER#{id}', 'META'] })

  test.each<[what: string, entities: object, patterns: object, problem: string]>([
    ['that calls an entity by another name', { Person: User }, {}, `'Person' names the entity User; an entity goes by its own name`],
    ['that has an entity named as durable jobs are', { Job }, {}, `'Job' is the Type of durable jobs`],
    ['without the owner of a guard', { UserName }, {}, 'UserName needs User, which is not among its entities'],
    ['without what an entity refers to', { Tag }, {}, 'Tag needs User, which is not among its entities'],
    ['with another entity in its place', { Tag, User: Other }, {}, 'Tag needs User, which is not among its entities'],
    ['without the other item of an edge', { User, UserTag }, {}, 'UserTag needs TagUser, which is not among its entities'],
    [
      'without an end of an edge',
      { UserTag, TagUser },
      {},
      ['UserTag', 'TagUser'].map((name) => `${name} needs User, which is not among its entities`).join('; '),
    ],
    ['without the edge that an edge lies within', { User, Inner }, {}, 'Inner needs UserTag, which is not among its entities'],
    ['with a pattern named as an entity', { User }, { User: get(User) }, `the access pattern 'User' has a name that is already taken`],
    ...['design', 'runtime', 'transact', 'jobs', 'repositoryNamed', 'patternNamed', 'forTenant', 'close', 'then'].map(
      (name): [string, object, object, string] => [
        `with a pattern named ${name}`,
        { User },
        { [name]: get(User) },
        `the access pattern '${name}' has a name that is already taken`,
      ],
    ),
  ])('%s', (_what, entities, patterns, problem) => {
    refused(() => untyped.design({ name: 'test', table: 'test', entities, patterns }), `The design test: ${problem}.`)
  })

  test.each(['d', '', 'no table', 'tábla', 'x'.repeat(256)])('whose table is called %j', (table) => {
    const rule = 'which has from 3 to 255 letters, digits, underscores, hyphens and dots'
    refused(
      () => design({ name: 'test', table, entities: {}, patterns: {} }),
      `The design test: '${table}' is no name of a table, ${rule}.`,
    )
  })

  test('with all that is wrong at once', () => {
    const rule = 'which has from 3 to 255 letters, digits, underscores, hyphens and dots'
    refused(
      () =>
        untyped.design({
          name: 'test',
          table: 't',
          entities: { Tag, User },
          patterns: { close: get(User) },
          tenants: { by: 'org', crossing: ['x'] },
        }),
      [
        `The design test: 't' is no name of a table, ${rule}`,
        "the access pattern 'close' has a name that is already taken",
        "Tag does not say whose it is: it has no 'org'",
        "User does not say whose it is: it has no 'org'",
        "its tenants name the access pattern 'x', which it does not have.",
      ].join('; '),
    )
  })

  test('that declares to have no indexes, and has one', () => {
    refused(
      () => design({ name: 'test', table: 'test', noIndexes: true, entities: { User }, patterns: {} }),
      'The design test declares that it has no indexes, but has GSI1.',
    )
  })
})
