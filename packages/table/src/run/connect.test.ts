import { describe, expect, test } from 'vitest'
import { agency } from '../../test/agency/design.ts'
import { catalogue } from '../../test/catalogue/design.ts'
import { bookItem, catalogueOf, ownCatalogue } from '../../test/catalogue/table.ts'
import { type ConnectedTable, connect } from './connect.ts'
import { restoreItems } from './restore.ts'

test('an entity and an access pattern are found by names that come from outside, and work as they do by their own', async () => {
  const table = await ownCatalogue()
  await restoreItems(table.runtime, [bookItem('s', 'p', 'a')])
  const id = { shelf: 's', genre: 'p', id: 'a' }
  expect(await table.repositoryNamed('Book').get(id)).toEqual(await table.Book.get(id))
  expect(await table.patternNamed('shelf')({ shelf: 's' })).toEqual(await table.shelf({ shelf: 's' }))
})

test.each(['nothing', 'constructor', '__proto__', 'then', 'close', ''])('the name %j is neither an entity nor a pattern', (name) => {
  const table = catalogueOf('unasked')
  expect(() => table.repositoryNamed(name)).toThrowError(expect.objectContaining({ code: 'UnknownName' }))
  expect(() => table.patternNamed(name)).toThrowError(expect.objectContaining({ code: 'UnknownName' }))
})

test('an entity is no pattern, and a pattern no entity', () => {
  const table = catalogueOf('unasked')
  expect(() => table.patternNamed('Book')).toThrowError("has no access pattern 'Book'")
  expect(() => table.repositoryNamed('shelf')).toThrowError("has no entity 'shelf'")
})

describe('a tenant that is asked for and not named is refused, so that no lost id opens the whole table', () => {
  const lost = [
    ['undefined', undefined],
    ['null', null],
    ['no text', ''],
    ['a blank', ' \t'],
    ['a number', 7],
    ['a list', []],
  ] as const

  test.each(lost)('as %s, of a connection and of a table', (_name, tenant) => {
    const refused = expect.objectContaining({
      code: 'InvalidInput',
      message: expect.stringContaining('tenant names no tenant: leave it out'),
    })
    // What a program without types would pass.
    const named = tenant as unknown as string
    expect(() => connect(agency, { tenant: named })).toThrowError(refused)
    const operator: ConnectedTable = connect(agency)
    expect(() => operator.forTenant(named)).toThrowError(refused)
    const scoped = connect(agency, { tenant: '01J00000000000000000000000' })
    expect(() => scoped.forTenant(named)).toThrowError(
      expect.objectContaining({ code: expect.stringMatching(/^(?:Denied|InvalidInput)$/) }),
    )
  })

  test('in a design without tenants, as any', () => {
    const refused = expect.objectContaining({ code: 'InvalidInput', message: expect.stringContaining('has no tenants: leave it out') })
    expect(() => catalogueOf('unasked').forTenant('acme')).toThrowError(refused)
    expect(() => connect(catalogue, { tenant: 'acme' })).toThrowError(refused)
  })

  test('in types, too', () => {
    // @ts-expect-error: under exactOptionalPropertyTypes an option that is given names a tenant
    expect(() => connect(agency, { tenant: undefined })).toThrowError()
    // @ts-expect-error: a scope is of a tenant
    expect(() => connect(agency).forTenant(undefined)).toThrowError()
  })
})
