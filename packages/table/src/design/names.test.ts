import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { untyped } from '../../test/untyped.ts'
import { cloudFormation } from '../publish/cloud-formation.ts'
import { describeDesign } from '../publish/page/describe-design.ts'
import { tableDefinition } from '../publish/table-definition.ts'
import { terraform } from '../publish/terraform.ts'
import { number, text, ulid } from './attributes.ts'
import { design } from './design.ts'
import { entity } from './entity.ts'
import { compileNames, namesProblems } from './names.ts'
import { query } from './pattern.ts'
import { without } from './without.ts'

const User = entity('User', {
  attributes: { id: ulid(), name: text(), email: text().was('mail') },
  key: ['USER#{id}', 'META'],
  indexes: { GSI1: ['EMAIL#{email}', 'META'] },
})
const Team = entity('Team', { attributes: { id: ulid(), name: text(), size: number() }, key: ['TEAM#{id}', 'META'] })

const designOf = (names: unknown) => untyped.design({ name: 'test', table: 'test', entities: { User, Team }, patterns: {}, names })

describe('names of a table are refused', () => {
  test.each([
    [{ partitionkey: 'pk' }, "'names' has no option 'partitionkey'. It has: partitionKey, sortKey, "],
    [{ indexes: { GSI1: { pk: 'x' } } }, "'names' of the index GSI1 has no option 'pk'. It has: name, "],
    [{ partitionKey: 'key', sortKey: 'key' }, "the attributes 'PK' and 'SK' have one name in the table, 'key'."],
    [{ partitionKey: 'GSI1PK' }, "the attributes 'PK' and 'GSI1PK' have one name in the table, 'GSI1PK'."],
    [{ type: 'name' }, "the attributes 'Type' and 'name' have one name in the table, 'name'."],
    [{ attributes: { id: 'name' } }, "the attributes 'id' and 'name' have one name in the table, 'name'."],
    [{ attributes: { id: 'mail' } }, "the attributes 'id' and 'mail' have one name in the table, 'mail'."],
    [{ attributes: { size: 'deleting' } }, "the attributes 'deleting' and 'size' have one name in the table, 'deleting'."],
    [{ attributes: { id: '' } }, "the attributes 'id' has '' for a name, which has from 1 to 255 characters."],
    [{ attributes: { age: 'a' } }, "names.attributes has 'age', which no entity has."],
    [{ indexes: { GSI2: { name: 'two' } } }, "names.indexes has 'GSI2', which no entity has."],
    [{ indexes: { GSI1: { name: 'x' } } }, "the index GSI1 is called 'x', which is not a name that DynamoDB gives an index."],
    [{ types: { Club: 'club' } }, "names.types has 'Club', which no entity has."],
    [{ types: { User: 'x', Team: 'x' } }, "the types 'User' and 'Team' have one name in the table, 'x'."],
    [{ types: { User: 'Team' } }, "the types 'User' and 'Team' have one name in the table, 'Team'."],
    [{ types: { User: 'Job' } }, "the types 'User' and 'Job' have one name in the table, 'Job'."],
  ])('%j', (names, message) => {
    expect(() => designOf(names)).toThrow(expect.objectContaining({ code: 'InvalidDesign', message: expect.stringContaining(message) }))
  })

  test('but two may change places', () => {
    expect(() => designOf({ attributes: { id: 'name', name: 'id' }, types: { User: 'Team', Team: 'User' } })).not.toThrow()
  })
})

test('whatever the names, each attribute has one of its own, also those that only the table knows', () => {
  const pool = ['PK', 'SK', 'Type', 'version', 'id', 'name', 'size', 'email', 'a', 'b', 'c']
  const names = fc.shuffledSubarray(pool, { minLength: 7, maxLength: 7 }).map(([partitionKey = '', type = '', version = '', ...rest]) => ({
    ...{ partitionKey, type, version },
    attributes: Object.fromEntries(rest.map((stored, index) => [['id', 'name', 'size', 'email'][index] ?? '', stored])),
  }))
  let valid = 0
  fc.assert(
    fc.property(names, (given) => {
      if ([...namesProblems(given, [User, Team])].length > 0) return
      valid++
      const { toTable, fromTable } = compileNames(given, [User, Team]).attributes
      const stored = pool.map((name) => toTable.get(name) ?? name)
      expect([...stored].sort()).toEqual([...pool].sort())
      expect(stored.map((name) => fromTable.get(name) ?? name)).toEqual(pool)
    }),
    { numRuns: 2_000 },
  )
  expect(valid).toBeGreaterThan(100)
})

test('a design without a feature keeps the names of what is left', () => {
  const whole = design({
    name: 'test',
    table: 'test',
    entities: { User, Team },
    patterns: { team: query('TEAM#{id}').returns(Team) },
    features: { users: [User] },
    names: {
      partitionKey: 'pk',
      indexes: { GSI1: { name: 'gsi1' } },
      attributes: { email: 'mail_', size: 'n' },
      types: { User: 'user', Team: 'team' },
    },
  })
  expect(without(whole, 'users').names).toEqual({
    partitionKey: 'pk',
    indexes: {},
    attributes: { size: 'n' },
    types: { Team: 'team' },
  })
})

test('the page and the templates of a design have the names of its table', () => {
  const named = design({
    name: 'test',
    table: 'test',
    entities: { User, Team },
    patterns: { team: query('TEAM#{id}').returns(Team) },
    names: {
      partitionKey: 'pk',
      ttl: 'ends',
      indexes: { GSI1: { name: 'gsi1', sortKey: 'gsi1sk' } },
      attributes: { email: 'mail_' },
      types: { User: 'user' },
    },
  })
  const page = describeDesign(named)
  for (const words of [
    'key `pk` and `SK`',
    'Global secondary indexes: `gsi1`',
    '| `PK` | attribute | `pk` |',
    '| `GSI1SK` | attribute | `gsi1sk` |',
    '| `email` | attribute | `mail_` |',
    '| `GSI1` | index | `gsi1` |',
    '| `User` | value of `Type` | `user` |',
    'a write that names a version is refused',
  ])
    expect(page).toContain(words)
  const definition = tableDefinition(named, 'test', { ttl: true })
  expect(definition).toMatchObject({ key: ['pk', 'SK'], indexes: [{ name: 'gsi1', key: ['GSI1PK', 'gsi1sk'] }], ttl: 'ends' })
  for (const template of [cloudFormation(named), terraform(named)]) {
    expect(JSON.stringify(template)).toContain('gsi1sk')
    expect(JSON.stringify(template)).not.toContain('GSI1SK')
  }
})
