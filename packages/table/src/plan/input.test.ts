import { describe, expect, test } from 'vitest'
import { entity, list, record, text, ulid } from '../language.ts'
import { changedValues, createdValues, expectedValues } from './input.ts'

const Album = entity('Album', {
  attributes: { id: ulid(), songs: list(record({ title: text(), singer: text() })) },
  key: ['ALBUM#{id}', 'META'],
})

const songs = Array(100_000).fill({})

const making = { now: new Date(0), ulid: () => '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C', uuid: () => '' }

describe.each([
  ['a new item', () => createdValues(Album, { id: making.ulid(), songs }, making)],
  ['a change', () => changedValues(Album, { songs }, false)],
  ['what a check expects', () => expectedValues(Album, { songs })],
])('%s', (_what, read) => {
  test('of which nothing fits is refused in a few words, however much there is of it', () => {
    expect(read).toThrow(
      expect.objectContaining({ code: 'InvalidInput', details: { entity: 'Album', issues: expect.objectContaining({ length: 10 }) } }),
    )
  })
})

test.each(['singer', 'Type', 'version', 'deleting', 'ttl', 'constructor'])(
  'a change removes nothing but attributes of the entity, and not %s',
  (name) => {
    const message = 'is not an attribute of Album'
    expect(() => changedValues(Album, { [name]: null }, false)).toThrow(
      expect.objectContaining({ code: 'InvalidInput', details: expect.objectContaining({ issues: [{ path: [name], message }] }) }),
    )
  },
)
