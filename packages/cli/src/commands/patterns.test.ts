import { atMost, beginsWithPart, between, design, entity, instant, queryOn, text } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { freehold } from '../../test/recorded-shell.ts'
import { type ListedPattern, listedPattern } from './patterns.ts'

async function patterns(): Promise<readonly ListedPattern[]> {
  const { exit, out, err } = await freehold(['patterns', 'rebac', '--json'], { env: {} })
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  return JSON.parse(out)
}

describe('patterns', () => {
  test('of the source document stand as it has them', async () => {
    const listed = new Map((await patterns()).map((pattern) => [pattern.name, pattern]))
    expect(listed.get('userIdOfEmail')).toEqual({
      name: 'userIdOfEmail',
      operation: 'GetItem',
      index: null,
      partition: 'EMAIL#{email}',
      sort: { operator: '=', value: 'META' },
      parameters: ['email'],
      entities: ['EmailIdentity'],
    })
    expect(listed.get('groupsOfUser')).toEqual({
      name: 'groupsOfUser',
      operation: 'Query',
      index: null,
      partition: 'USER#{userId}',
      sort: { operator: 'begins_with', value: 'GROUP#' },
      parameters: ['userId'],
      entities: ['UserGroupEdge'],
    })
    expect(listed.get('groupsOfUserAtLocation')).toEqual({
      name: 'groupsOfUserAtLocation',
      operation: 'Query',
      index: null,
      partition: 'USER#{userId}',
      sort: { operator: 'begins_with', value: 'GROUP#' },
      parameters: ['userId', 'locationId'],
      filter: ['locationId'],
      entities: ['UserGroupEdge'],
    })
    expect(listed.get('roleOfGroup')?.sort).toEqual({ operator: '=', value: 'ROLE#{roleName}' })
  })

  test('that are additions say why, and those of the document do not', async () => {
    const additions = (await patterns()).filter(({ addition }) => addition !== undefined)
    expect(additions.map(({ name }) => name)).toContain('users')
    expect(additions.map(({ name }) => name)).not.toContain('usersOfGroup')
    expect(additions.find(({ name }) => name === 'users')).toMatchObject({ partition: 'DIRECTORY#USER', sort: null, parameters: [] })
  })

  test('are a table for a person, with a line each', async () => {
    const { out } = await freehold(['patterns', 'rebac'], { env: {} })
    expect(out).toMatch(/^name +request +returns +addition\n─+ /)
    expect(out).toMatch(/^groupsOfUser +Query USER#\{userId\} \/ begins_with GROUP# +UserGroupEdge$/m)
    expect(out).toMatch(/^user +GetItem USER#\{userId\} \/ META +User$/m)
    expect(out).toMatch(/^groupsOfUserAtLocation +Query USER#\{userId\} \/ begins_with GROUP#, where locationId +UserGroupEdge$/m)
    expect(out).toMatch(/^users +Query DIRECTORY#USER +UserEntry +yes$/m)
    expect(out.trimEnd().split('\n')).toHaveLength((await patterns()).length + 2)
  })

  test('over an index and a range name both ends', () => {
    const Log = entity('Log', {
      attributes: { id: text(), client: text(), name: text(), at: instant() },
      key: ['LOG#{id}', 'META'],
      indexes: { GSI4: ['CLIENT#{client}', 'AUDIT#{at}'], GSI5: ['CLIENT#{client}', 'NAME#{name}'] },
    })
    const { form } = design({
      name: 'logs',
      table: 'logs',
      entities: { Log },
      patterns: {
        between: queryOn('GSI4', 'CLIENT#{client}', between('AUDIT#{from}', 'AUDIT#{to}')).optionally('name').descending().returns(Log),
        until: queryOn('GSI4', 'CLIENT#{client}', atMost('AUDIT#{at}')).returns(Log),
        named: queryOn('GSI5', 'CLIENT#{client}', beginsWithPart('NAME#{name}')).returns(Log),
      },
    })
    const [ranged, until, named] = [...form.patterns.values()].map(listedPattern)
    expect(ranged).toEqual({
      name: 'between',
      operation: 'Query',
      index: 'GSI4',
      partition: 'CLIENT#{client}',
      sort: { operator: 'between', value: ['AUDIT#{from}', 'AUDIT#{to}'] },
      parameters: ['client', 'from', 'to', 'name'],
      optional: ['name'],
      filter: ['name'],
      order: 'descending',
      entities: ['Log'],
    })
    expect(until?.sort).toEqual({ operator: '<=', value: 'AUDIT#{at}' })
    expect(named?.sort).toEqual({ operator: 'begins_with', value: 'NAME#{name}' })
  })
})
