import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../test/catalogue/design.ts'
import { bookItems, type Catalogue, catalogueOf, ownCatalogue } from '../../test/catalogue/table.ts'
import { codeOf } from '../../test/depot/refused.ts'
import { directSender } from '../../test/depot/table.ts'
import { design } from '../design/design.ts'
import { isFreeholdError } from '../errors.ts'
import { connect, tableOn } from './connect.ts'
import { type CursorBinding, openCursor, sealCursor } from './cursor.ts'
import { restoreItems } from './restore.ts'

const secret = new Uint8Array(32).fill(7)
const numRuns = 1_000
let table: Catalogue
let cursor: string
const list = { shelf: 's', state: 'in' } as const

/** The same table for a tenant: cursors are bound to it, also in a design whose items have none. */
const forTenant = <T extends Pick<Catalogue, 'runtime'>>(of: T, tenant: string) => tableOn({ ...of.runtime, tenant }) as unknown as T

beforeAll(async () => {
  table = forTenant(await ownCatalogue({ secret }), 'acme')
  await restoreItems(table.runtime, [...bookItems('s', 3, () => ({ state: 'in' })), ...bookItems('t', 3, () => ({ state: 'in' }))])
  cursor = await cursorOf(table)
})

async function cursorOf(place: Catalogue): Promise<string> {
  const { cursor: given = '' } = await place.ofState(list, { limit: 1 })
  return given
}

const goOn = (given: string, place = table) => place.ofState(list, { cursor: given })

describe('a cursor', () => {
  test('goes on with its list, in any spelling of its parameters, in another process of the same secret', async () => {
    expect((await goOn(cursor)).items.map(({ id }) => id)).toEqual(['000001', '000002'])
    const other = forTenant(catalogueOf(table.runtime.table, { secret: new Uint8Array(secret) }), 'acme')
    expect((await other.ofState({ state: 'in', shelf: ' s ' }, { cursor })).items).toHaveLength(2)
  })

  test('says nothing: neither what it names nor that two of them name the same', async () => {
    const bytes = Buffer.from(cursor, 'base64url')
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
    // Each of more than two letters: those stand in random text by chance.
    for (const word of ['SHELF', 'BOOK', '000000', '"PK"', 'acme'])
      expect([cursor.includes(word), bytes.includes(word)]).toEqual([false, false])
    expect(await cursorOf(table)).not.toBe(cursor)
  })

  test('is refused where any of its bytes is another', async () => {
    const bytes = Buffer.from(cursor, 'base64url')
    for (const [index, byte] of bytes.entries()) {
      for (const mask of [1, 128, 255]) {
        const forged = Buffer.from(bytes)
        forged[index] = byte ^ mask
        expect(await codeOf(goOn(forged.toString('base64url')))).toBe('InvalidCursor')
      }
    }
  })

  test('is refused cut short, at either end, and prolonged', async () => {
    for (let length = 0; length < cursor.length; length++) {
      expect(await codeOf(goOn(cursor.slice(0, length)))).toBe('InvalidCursor')
      expect(await codeOf(goOn(cursor.slice(cursor.length - length)))).toBe('InvalidCursor')
    }
    expect(await codeOf(goOn(cursor + cursor))).toBe('InvalidCursor')
    expect(await codeOf(goOn(`${cursor}AAAA`))).toBe('InvalidCursor')
  })

  test.each<[string, (given: string) => unknown]>([
    ['padding', (given) => `${given}=`],
    ['white space', (given) => `${given}\n`],
    ['white space before it', (given) => ` ${given}`],
    ['the other alphabet', (given) => Buffer.from(given, 'base64url').toString('base64').replace(/=*$/, '==')],
    ['hexadecimal', (given) => Buffer.from(given, 'base64url').toString('hex')],
    ['another type', () => 5],
    ['null', () => null],
    ['a list', (given) => [given]],
    ['bytes', (given) => Buffer.from(given, 'base64url')],
    ['a key', () => JSON.stringify({ PK: 'SHELF#s', SK: 'BOOK#x#000000' })],
  ])('is refused in another spelling: %s', async (_what, spell) => {
    expect(await codeOf(goOn(spell(cursor) as string))).toBe('InvalidCursor')
  })

  test('is refused by every other list', async () => {
    const refused = [
      table.ofState({ ...list, shelf: 't' }, { cursor }),
      table.ofState({ ...list, shelf: 'S' }, { cursor }),
      table.ofState({ ...list, state: 'out' }, { cursor }),
      table.ofState(list, { cursor, order: 'descending' }),
      table.perhapsOf(list, { cursor }),
      table.shelf({ shelf: 's' }, { cursor }),
    ]
    expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => 'InvalidCursor'))
    expect((await table.ofState(list, { cursor, order: 'ascending', limit: 1, consistent: true })).items).toHaveLength(1)
  })

  test('is refused for another tenant, table, design or secret', async () => {
    const name = table.runtime.table
    const other = design({ name: 'other', table: 'catalogue', entities: catalogue.entities, patterns: catalogue.patterns })
    const places: Catalogue[] = [
      forTenant(catalogueOf(name, { secret }), 'other'),
      catalogueOf(name, { secret }),
      forTenant(catalogueOf(`${name}-2`, { secret }), 'acme'),
      forTenant(catalogueOf(name, { secret: new Uint8Array(32).fill(8) }), 'acme'),
      forTenant(connect(other, { table: name, secret, sender: directSender() }), 'acme'),
    ]
    expect(await Promise.all(places.map((place) => codeOf(goOn(cursor, place))))).toEqual(places.map(() => 'InvalidCursor'))
  })

  test('is good for the process that gave it alone where no secret is given', async () => {
    const [one, two] = [catalogueOf(table.runtime.table), catalogueOf(table.runtime.table)]
    const given = await cursorOf(one)
    expect((await goOn(given, one)).items).toHaveLength(2)
    expect(await codeOf(goOn(given, two))).toBe('InvalidCursor')
  })

  test('asks for a secret of at least 16 bytes', () => {
    expect(() => catalogueOf('any', { secret: new Uint8Array(15) })).toThrow('15 bytes')
    expect(() => catalogueOf('any', { secret: new Uint8Array(16) })).not.toThrow()
  })
})

describe('sealing', () => {
  const word = fc.string({ maxLength: 4 })
  const binding: fc.Arbitrary<CursorBinding> = fc.record({
    kind: fc.constantFrom('pattern', 'question'),
    name: fc.constantFrom('a', 'b', ''),
    parameters: fc.dictionary(fc.constantFrom('a', 'b', 'ab'), fc.oneof(fc.constantFrom('a', 'b', ',', '"', '],['), fc.nat(2))),
    descending: fc.boolean(),
  })
  const place = fc.dictionary(word, fc.oneof(word, fc.nat()))
  const opened = (of: CursorBinding, given: string) => {
    try {
      return openCursor(table.runtime, of, given)
    } catch (error) {
      if (isFreeholdError(error, 'InvalidCursor')) return undefined
      throw error
    }
  }

  test('is undone by opening for the same list, in any order of its parameters', () => {
    fc.assert(
      fc.property(binding, place, (of, where) => {
        const turned = { ...of, parameters: Object.fromEntries(Object.entries(of.parameters).reverse()) }
        expect(opened(turned, sealCursor(table.runtime, of, where))).toEqual(where)
      }),
      { numRuns },
    )
  })

  test('is not undone for any other list', () => {
    const text = ({ kind, name, parameters, descending }: CursorBinding) =>
      JSON.stringify([kind, name, descending, parameters.a, parameters.b, parameters.ab].map((part) => part ?? null))
    fc.assert(
      fc.property(binding, binding, place, (one, two, where) => {
        fc.pre(text(one) !== text(two))
        expect(opened(two, sealCursor(table.runtime, one, where))).toBeUndefined()
      }),
      { numRuns },
    )
  })

  test('is not imitated: any other text is refused, whatever it is near to', () => {
    const own: CursorBinding = { kind: 'pattern', name: 'a', parameters: {} }
    const sealed = sealCursor(table.runtime, own, { PK: 'p', SK: 's' })
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= \n\u0000é']
    fc.assert(
      fc.property(fc.nat(sealed.length), fc.nat(2), fc.array(fc.constantFrom(...letters), { maxLength: 3 }), (at, gone, put) => {
        const forged = sealed.slice(0, at) + put.join('') + sealed.slice(at + gone)
        fc.pre(forged !== sealed)
        expect(opened(own, forged)).toBeUndefined()
      }),
      { numRuns },
    )
  })
})
