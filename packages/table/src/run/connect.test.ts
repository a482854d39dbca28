import { expect, test } from 'vitest'
import { bookItem, catalogueOf, ownCatalogue } from '../../test/catalogue/table.ts'
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
