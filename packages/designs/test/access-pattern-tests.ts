import { type AnyDesign, isFreeholdError, type Page, type Reading } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownTableOf } from './own-table.ts'

/** A pattern, its parameters, spelled otherwise than stored where the kind allows, and `PK SK` of exactly what it finds, in its order. */
export type PatternCase = readonly [pattern: string, parameters: Readonly<Record<string, string>>, ...keys: readonly string[]]

const hidden = /^(?:(?:GSI\d+)?[PS]K|ttl)$/

/** Items as a caller sees them: without their keys, and without `ttl`, which stands for an attribute of theirs. */
function seen(items: readonly Stored[], keys: readonly string[]): unknown[] {
  return keys.map((key) => {
    const found = items.find(({ PK, SK }) => `${PK} ${SK}` === key)
    if (found === undefined) throw new Error(`no literal item at ${key}`)
    return Object.fromEntries(Object.entries(found).filter(([name]) => !hidden.test(name)))
  })
}

/** Runs each access pattern of a design on the engine, over items that are spelled out and not written by the code under test. */
export function testAccessPatterns(design: AnyDesign, items: readonly Stored[], cases: readonly PatternCase[]): void {
  const named = cases.map(([name, parameters, ...keys]) => ({ name, parameters, keys }))
  const lists = named.filter(({ name }) => design.form.patterns.get(name)?.operation === 'query')
  let ask: (name: string, parameters: unknown, reading?: Reading) => Promise<unknown>
  beforeAll(async () => {
    const table = await ownTableOf(design)
    await restoreItems(table.runtime, items)
    ask = (name, parameters, reading = {}) => {
      const isOnIndex = design.form.patterns.get(name)?.index !== undefined
      return table.patternNamed(name)(parameters, { consistent: !isOnIndex, ...reading })
    }
  })

  describe('each access pattern finds exactly its items among decoys', () => {
    test.each(named)('$name $parameters', async ({ name, parameters, keys }) => {
      const found = await ask(name, parameters)
      if (design.form.patterns.get(name)?.operation === 'get') expect(found).toEqual(seen(items, keys)[0])
      // No cursor, and nothing malformed: no decoy was even read.
      else expect(found).toEqual({ items: seen(items, keys) })
    })

    test.each(lists)('$name $parameters, one by one and the other way round', async ({ name, parameters, keys }) => {
      const order = design.form.patterns.get(name)?.descending === true ? 'ascending' : 'descending'
      const found: unknown[] = []
      let cursor: string | undefined
      do {
        // A query answers a page.
        const page = (await ask(name, parameters, { limit: 1, order, cursor })) as Page<unknown>
        expect(page.items.length).toBeLessThanOrEqual(1)
        found.push(...page.items)
        cursor = page.cursor
      } while (cursor !== undefined)
      expect(found).toEqual(seen(items, keys).reverse())
    })

    test('no pattern is left out', () => {
      expect([...new Set(named.map(({ name }) => name))].sort()).toEqual([...design.form.patterns.keys()].sort())
    })

    test('no literal item stands where another does', () => {
      expect(new Set(items.map(({ PK, SK }) => `${PK} ${SK}`)).size).toBe(items.length)
    })

    test.each(named)('$name $parameters refuses parameters that are not its own', async ({ name, parameters }) => {
      await expect(ask(name, { ...parameters, tenant: 'other' })).rejects.toSatisfy((error) => isFreeholdError(error, 'InvalidInput'))
    })
  })
}
