import { describe, expect, expectTypeOf, test } from 'vitest'
import { Room } from '../../test/depot/design.ts'
import { UserGroupEdge } from '../../test/edges.ts'
import { email, entity, flag, instant, list, oneOf, phone, stamp, text, ulid, uuid, type Value } from '../language.ts'

const id = '3F2504E0-4F89-41D3-9A0C-0305E82C3301'
const User = entity('User', {
  attributes: {
    id: uuid().made(),
    client_id: uuid().optional(),
    email: email(),
    user_type: oneOf('internal', 'external'),
    phone: phone().optional(),
    mfa_enabled: flag().made(false),
    created_at: stamp.onCreate(),
  },
  key: ['USER#{id}', 'METADATA'],
})
const refusals = (of: { schema: typeof User.schema | typeof Room.schema }, input: unknown) => {
  const result = of.schema.safeParse(input)
  return result.success ? [] : result.error.issues.map(({ path, message }) => [...path, message].join(' '))
}

describe('the schema of an entity', () => {
  test('is of what a caller gives: normalised, an absent optional left out or null, made values left to the runtime', () => {
    const given = User.schema.parse({ email: ' Ada@Example.com ', user_type: 'internal', client_id: null, phone: '+49 30 123456' })
    expect(given).toEqual({ email: 'ada@example.com', user_type: 'internal', client_id: undefined, phone: '+4930123456' })
    expectTypeOf(given.email).toEqualTypeOf<string>()
    expectTypeOf(given.client_id).toEqualTypeOf<string | undefined>()
  })

  test('takes made values where the caller has them', () => {
    expect(User.schema.parse({ id, email: 'a@b', user_type: 'internal', mfa_enabled: true })).toMatchObject({
      id: id.toLowerCase(),
      mfa_enabled: true,
    })
  })

  test('names everything that does not fit', () => {
    expect(refusals(User, { user_type: 'boss', phone: 7, name: 'x', id: 'y', mfa_enabled: null })).toEqual([
      'id is not a UUID',
      'email is missing',
      'user_type is not one of internal, external',
      'phone is not text',
      'mfa_enabled is not true or false',
      `has no attribute 'name'`,
    ])
  })

  test('takes no copies: they come from what they are copied from', () => {
    expect(refusals(Room, { site: 'HQ', name: 'Hall', region: 'north' })).toEqual([`has no attribute 'region'`])
    expect(
      UserGroupEdge.schema.safeParse({ userId: '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C', groupId: '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C', groupName: 'x' })
        .success,
    ).toBe(false)
  })

  test.each(['version', 'Type', 'PK', 'ttl', '__proto__', 'constructor', 'toString'])('does not know %s', (name) => {
    const input: unknown = JSON.parse(`{"email": "a@b", "user_type": "internal", "${name}": "x"}`)
    expect(refusals(User, input)).toEqual([`has no attribute '${name}'`])
  })

  test.each([null, 'text', 7, [[]]])('refuses %j', (input) => {
    expect(refusals(User, input)).toEqual(['is not an object of attributes'])
  })
})

describe('attributes', () => {
  const making = { now: new Date('2026-01-31T09:30:00Z'), ulid: () => '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C', uuid: () => id }

  test('are made by their kind, a value or a function, and from what is injected alone', () => {
    expect(ulid().made().make?.(making)).toBe('01J8Z0E2Z8D2A3J7A7Y2H9GQ9C')
    expect(oneOf('a', 'b').made('b').make?.(making)).toBe('b')
    const tomorrow = ({ now }: { readonly now: Date }) => new Date(now.getTime() + 86_400_000).toISOString()
    expect(instant().made(tomorrow).make?.(making)).toBe('2026-02-01T09:30:00.000Z')
    const empty = list(text()).made(() => [])
    expect(empty.make?.(making)).toEqual([])
  })

  test('of a stamp are made on each write, or on the first', () => {
    expect(stamp.onWrite()).toMatchObject({ presence: 'made', madeOnWrite: true })
    expect(stamp.onCreate()).toMatchObject({ presence: 'made', madeOnWrite: false })
    expect(stamp.onWrite().make?.(making)).toBe('2026-01-31T09:30:00.000Z')
  })

  test('keep what was said of them before, whatever the order', () => {
    expect(text().secret().optional()).toMatchObject({ presence: 'optional', isSecret: true })
    expect(text().optional().secret()).toMatchObject({ presence: 'optional', isSecret: true })
    expect(text().from('user', 'name')).toMatchObject({ presence: 'copied', source: { through: 'user', attribute: 'name' } })
    expect(ulid().made().optional().make).toBeUndefined()
  })

  test('give other attributes, and never change', () => {
    const given = text()
    given.optional()
    given.secret()
    expect(given).toMatchObject({ presence: 'given', isSecret: false })
    expect(Object.isFrozen(given) && Object.isFrozen(given.kind) && Object.isFrozen(given.kind.domain)).toBe(true)
    expectTypeOf<Value<typeof given>>().toEqualTypeOf<string>()
  })

  test('of an entity are found by their declared names only', () => {
    const Thing = entity('Thing', { attributes: { id: ulid() }, key: ['THING#{id}', 'META'] })
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      expect(Reflect.get(Thing.attributes, name)).toBeUndefined()
  })
})
