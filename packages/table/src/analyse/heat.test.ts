import { describe, expect, test } from 'vitest'
import { type AnyDesign, day, design, type Entity, entity, mirror, oneOf, text, ulid } from '../index.ts'
import { prove } from '../prove.ts'

const designOf = (...entities: Entity[]): AnyDesign =>
  design({ name: 'small', table: 'small', entities: Object.fromEntries(entities.map((each) => [each.name, each])), patterns: {} })

const heatOf = (...entities: Entity[]) =>
  prove(designOf(...entities)).partitions.map(({ partition, heat, index }) => [index, partition, heat])

const id = () => ulid().made()

describe('a partition is', () => {
  test('spread where it holds a fixed number of items', () => {
    const User = entity('User', { attributes: { userId: id(), kind: oneOf('a', 'b') }, key: ['USER#{userId}', 'META#{kind}'] })
    expect(heatOf(User)).toEqual([[undefined, 'USER#{userId}', 'spread']])
  })

  test('bounded where it holds a collection of one thing', () => {
    const Post = entity('Post', { attributes: { userId: ulid(), at: day(), postId: id() }, key: ['USER#{userId}', 'POST#{at}#{postId}'] })
    expect(heatOf(Post)).toEqual([[undefined, 'USER#{userId}', 'bounded']])
  })

  test('hot where it holds the items of all things, or of all with one of few values', () => {
    const User = entity('User', {
      attributes: { userId: id(), status: oneOf('active', 'inactive') },
      key: ['USER#{userId}', 'META'],
      indexes: { GSI1: ['STATUS#{status}', 'USER#{userId}'] },
    })
    expect(heatOf(User, mirror('UserEntry', User, ['DIRECTORY', 'USER#{userId}']))).toEqual([
      ['GSI1', 'STATUS#{status}', 'hot'],
      [undefined, 'DIRECTORY', 'hot'],
      [undefined, 'USER#{userId}', 'spread'],
    ])
  })

  test('one for entities that name its placeholder differently', () => {
    const User = entity('User', { attributes: { userId: id() }, key: ['USER#{userId}', 'META'] })
    const Post = entity('Post', { attributes: { author: ulid(), postId: id() }, key: ['USER#{author}', 'POST#{postId}'] })
    expect(prove(designOf(User, Post)).partitions.map(({ partition, entities }) => [partition, entities])).toEqual([
      ['USER#{userId}', ['User', 'Post']],
    ])
  })
})

test('a write in a transaction counts twice, a write of an index once', () => {
  const Log = entity('Log', { attributes: { logId: id() }, key: ['LOG', '{logId}'] })
  const User = entity('User', {
    attributes: { userId: id(), name: text() },
    key: ['USER#{userId}', 'META'],
    indexes: { GSI1: ['ALL', '{name}'] },
  })
  const partitions = prove(designOf(Log, User, mirror('UserEntry', User, ['DIRECTORY', '{userId}']))).partitions
  const reasonOf = (partition: string) => partitions.find((each) => each.partition === partition)?.reason
  expect(reasonOf('LOG')).toContain('at most 1,000 a second')
  expect(reasonOf('DIRECTORY')).toContain('at most 500 a second')
  expect(reasonOf('ALL')).toContain('at most 1,000 a second')
})
