import { describe, expectTypeOf, test } from 'vitest'
import { entity, type Item, type New, number, opaqueId, text } from '../language.ts'

describe('an item of another program, or of a former version', () => {
  const Shop = entity('Shop', {
    attributes: {
      id: opaqueId(),
      name: text(),
      plan: text().default('free'),
      seats: number().addition('Counts them.', 'It gives none.'),
      code: text().mayBeAbsent('It has none.'),
      city: text().was('town'),
      note: text().addition('People read it.').optional(),
    },
    key: ['SHOP#{id}', 'META'],
  })

  test('lacks what says so, and has each default and each attribute under its present name', () => {
    type Read = Item<typeof Shop>
    expectTypeOf<Read['name']>().toEqualTypeOf<string>()
    expectTypeOf<Read['plan']>().toEqualTypeOf<string>()
    expectTypeOf<Read['city']>().toEqualTypeOf<string>()
    expectTypeOf<Read['seats']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Read['code']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Read['note']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Read>().not.toHaveProperty('town')
  })

  test('is created with all that it would not lack', () => {
    type Made = New<typeof Shop>
    expectTypeOf<Made['seats']>().toEqualTypeOf<number>()
    expectTypeOf<Made['code']>().toEqualTypeOf<string>()
    expectTypeOf<Made['plan']>().toEqualTypeOf<string | undefined>()
  })
})
