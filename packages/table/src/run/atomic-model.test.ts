import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { ownShop, shopOf, ware } from '../../test/shop/table.ts'
import {
  above,
  add,
  addTo,
  and,
  append,
  attribute,
  below,
  contains,
  entry,
  exists,
  ifAbsent,
  isOneOf,
  not,
  or,
  removeFrom,
  subtract,
} from '../atomic.ts'
import { isFreeholdError } from '../errors.ts'
import { atLeast, atMost, beginsWith, between, equals } from '../index.ts'
import { faultySender } from '../testing/faulty-sender.ts'

// Random atomic changes under random conditions, over the real engine, leave what a model of plain values has after them.

interface Model {
  stock: number
  sold?: number
  tags: string[]
  sizes?: number[]
  log?: string[]
  first?: string
  label?: string
  counters: Record<string, number>
}
/** `apply`: false if the change is not allowed. */
type Part = readonly [name: keyof Model, change: unknown, apply: (model: Model) => boolean]
type Condition = readonly [where: object, holds: (model: Model) => boolean]

const amounts = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(999, 1000, Number.MAX_SAFE_INTEGER))
const words = fc.constantFrom('a', 'b', 'B', 'ab', 'é', '\u{1F600}', '\uFFFF')
const some = <T>(one: fc.Arbitrary<T>) => fc.uniqueArray(one, { minLength: 1, maxLength: 3 })
const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
const sorted = (members: Iterable<string>) => [...new Set(members)].sort(bytes)
const numbered = (members: Iterable<number>) => [...new Set(members)].sort((a, b) => a - b)

function set<N extends keyof Model>(model: Model, name: N, value: Model[N]): boolean {
  model[name] = value
  return true
}

function summed(model: Model, name: 'stock' | 'sold', amount: number, max: number): boolean {
  const sum = BigInt(model[name] ?? 0) + BigInt(amount)
  const min = name === 'stock' ? 0n : -BigInt(Number.MAX_SAFE_INTEGER)
  if (sum < min || sum > BigInt(max)) return false
  model[name] = Number(sum)
  return true
}

const part: fc.Arbitrary<Part> = fc.oneof(
  fc
    .tuple(fc.constantFrom(1, -1), amounts)
    .map(
      ([sign, amount]): Part => [
        'stock',
        sign > 0 ? add(amount) : subtract(amount),
        (model) => summed(model, 'stock', sign * amount, Number.MAX_SAFE_INTEGER),
      ],
    ),
  fc
    .tuple(fc.constantFrom(1, -1), amounts)
    .map(
      ([sign, amount]): Part => ['sold', sign > 0 ? add(amount) : subtract(amount), (model) => summed(model, 'sold', sign * amount, 1000)],
    ),
  some(words).map((members): Part => ['tags', addTo(...members), (model) => set(model, 'tags', sorted([...model.tags, ...members]))]),
  some(words).map(
    (members): Part => [
      'tags',
      removeFrom(...members),
      (model) =>
        set(
          model,
          'tags',
          model.tags.filter((tag) => !members.some((member) => member === tag)),
        ),
    ],
  ),
  some(amounts).map(
    (members): Part => ['sizes', addTo(...members), (model) => set(model, 'sizes', numbered([...(model.sizes ?? []), ...members]))],
  ),
  some(amounts).map(
    (members): Part => [
      'sizes',
      removeFrom(...members),
      (model) => {
        const left = (model.sizes ?? []).filter((size) => !members.includes(size))
        delete model.sizes
        if (left.length > 0) model.sizes = left
        return true
      },
    ],
  ),
  some(words).map(
    (elements): Part => [
      'log',
      append(elements),
      (model) => {
        const log = [...(model.log ?? []), ...elements]
        if (log.length > 6) return false
        model.log = log
        return true
      },
    ],
  ),
  words.map((word): Part => ['first', ifAbsent(word), (model) => set(model, 'first', model.first ?? word)]),
  fc.option(words).map(
    (word): Part => [
      'label',
      word,
      (model) => {
        delete model.label
        if (word !== null) model.label = word
        return true
      },
    ],
  ),
  fc.tuple(fc.constantFrom('x', 'y.z', 'none'), fc.integer({ min: -3, max: 3 })).map(
    ([name, amount]): Part => [
      'counters',
      entry(name, add(amount)),
      (model) => {
        const before = model.counters[name]
        if (before === undefined) return false
        model.counters[name] = before + amount
        return true
      },
    ],
  ),
)

const orders = (value: number | string | undefined, bound: number | string) =>
  typeof value === 'number' && typeof bound === 'number'
    ? value - bound
    : typeof value === 'string' && typeof bound === 'string'
      ? bytes(value, bound)
      : undefined

const ordered = <V extends number | string>(name: 'stock' | 'sold' | 'label', bounds: fc.Arbitrary<V>): fc.Arbitrary<Condition> =>
  fc.tuple(bounds, bounds, fc.constantFrom('<', '<=', '>', '>=', 'between', '=', 'in')).map(([bound, other, operator]): Condition => {
    const [low, high] = (orders(bound, other) ?? 0) <= 0 ? [bound, other] : [other, bound]
    const tests = {
      '<': [below(bound), (order: number) => order < 0],
      '<=': [atMost(bound), (order: number) => order <= 0],
      '>': [above(bound), (order: number) => order > 0],
      '>=': [atLeast(bound), (order: number) => order >= 0],
      between: [between(low, high), () => true],
      '=': [equals(bound), (order: number) => order === 0],
      in: [isOneOf(bound, other), () => true],
    } as const
    const [test, isSo] = tests[operator as keyof typeof tests]
    return [
      { [name]: test },
      (model) => {
        const value = model[name]
        const order = orders(value, bound)
        if (order === undefined || value === undefined) return false
        if (operator === 'in') return value === bound || value === other
        if (operator === 'between') return (orders(value, low) ?? -1) >= 0 && (orders(value, high) ?? 1) <= 0
        return isSo(order)
      },
    ]
  })

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  ordered('stock', fc.integer({ min: 0, max: 12 })),
  ordered('sold', fc.integer({ min: 0, max: 12 })),
  ordered('label', words),
  words.map((word): Condition => [{ tags: contains(word) }, ({ tags }) => tags.includes(word)]),
  words.map((word): Condition => [{ label: contains(word) }, ({ label }) => label?.includes(word) === true]),
  words.map((word): Condition => [{ label: beginsWith(word) }, ({ label }) => label?.startsWith(word) === true]),
  words.map((word): Condition => [{ log: contains(word) }, ({ log }) => log?.includes(word) === true]),
  fc.array(words, { maxLength: 2 }).map((tags): Condition => [{ tags }, (model) => isDeepStrictEqual(model.tags, sorted(tags))]),
  fc
    .constantFrom('first', 'sizes', 'sold')
    .chain((name) =>
      fc.boolean().map((is): Condition => [{ [name]: is ? exists() : null }, (model) => (model[name as 'first'] !== undefined) === is]),
    ),
  fc.constant<Condition>([{ stock: below(attribute('sold')) }, ({ stock, sold }) => sold !== undefined && stock < sold]),
  fc
    .integer({ min: -2, max: 3 })
    .map((bound): Condition => [{ counters: entry('x', above(bound)) }, ({ counters }) => Number(counters.x) > bound]),
)

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    leaf.map(([where, holds]): Condition => {
      const [name, test] = Object.entries(where)[0] ?? []
      return name === undefined || test === null ? [where, holds] : [{ [name]: not(test) }, (model) => !holds(model)]
    }),
    tie('condition').map(([where, holds]): Condition => [not(where), (model) => !holds(model)]),
    fc
      .array(tie('condition'), { minLength: 1, maxLength: 3 })
      .map((all): Condition => [and(...all.map(([where]) => where)), (model) => all.every(([, holds]) => holds(model))]),
    fc
      .array(tie('condition'), { minLength: 1, maxLength: 3 })
      .map((all): Condition => [or(...all.map(([where]) => where)), (model) => all.some(([, holds]) => holds(model))]),
  ),
}))

const change = fc.record({
  parts: fc.uniqueArray(part, { minLength: 1, maxLength: 4, selector: ([name]) => name }),
  asked: fc.option(condition),
  isExact: fc.boolean(),
})

test('an item is what a model is, after each of hundreds of random changes under random conditions', async () => {
  let applied = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 25, size: 'max' }), async (changes) => {
      const table = await ownShop()
      let model: Model = { stock: 5, tags: ['a', 'b'], counters: { x: 1, 'y.z': 0 } }
      await table.Ware.update(ware, { counters: model.counters })
      for (const { parts, asked, isExact } of changes) {
        const next = structuredClone(model)
        const isAsked = asked === null || asked[1](model)
        // Every part is applied to the item as it was.
        const isAllowed = parts.map(([, , apply]) => apply(next)).every((is) => is)
        const how = { ...(asked === null ? {} : { where: asked[0] }), exact: isExact }
        const given = Object.fromEntries(parts.map(([name, value]) => [name, value]))
        const update = table.Ware.update as (id: object, change: object, how: object) => Promise<unknown>
        const code = await update(ware, given, how).then(
          () => 'done',
          (error: unknown) => (isFreeholdError(error) ? error.code : String(error)),
        )
        expect({ given, where: asked?.[0], model, code }).toMatchObject({ code: isAsked && isAllowed ? 'done' : 'CheckFailed' })
        if (isAsked && isAllowed) {
          model = next
          applied++
        } else refused++
        const { stock, sold, tags, sizes, log, first, label, counters } = (await table.Ware.get(ware, { consistent: true })) ?? {}
        const found = Object.fromEntries(
          Object.entries({ stock, sold, tags, sizes, log, first, label, counters }).filter(([, value]) => value !== undefined),
        )
        expect(found).toEqual(model)
      }
    }),
    { numRuns: 60 },
  )
  expect(applied).toBeGreaterThan(200)
  expect(refused).toBeGreaterThan(100)
})

describe('under faults', () => {
  const kinds = ['throttle', 'conflict', 'fail', 'lose-request', 'lose-answer'] as const

  test.each([false, true])('no change is lost or done twice, unless its error is uncertain (exact: %s)', async (exact) => {
    let uncertain = 0
    const direct = await ownShop()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.constantFrom(...kinds)), { minLength: 20, maxLength: 60 }), async (faults) => {
        const rules = faults.flatMap((kind, after) =>
          kind === null ? [] : [{ operation: exact ? 'TransactWriteItems' : 'UpdateItem', after, fault: { kind } } as const],
        )
        const table = shopOf(direct.runtime.table, { sender: faultySender(engineSender(), rules) })
        const { stock: before = 0 } = (await direct.Ware.get(ware, { consistent: true })) ?? {}
        const outcomes = await Promise.all(
          Array.from({ length: 24 }, () =>
            table.Ware.update(ware, { stock: add(1) }, { exact }).then(
              () => 'done',
              (error: unknown) => (isFreeholdError(error) && error.details.uncertain === true ? 'uncertain' : 'failed'),
            ),
          ),
        )
        const of = (outcome: string) => outcomes.filter((each) => each === outcome).length
        uncertain += of('uncertain')
        const added = ((await direct.Ware.get(ware, { consistent: true }))?.stock ?? 0) - before
        expect(of('failed')).toBe(0)
        expect(added).toBeGreaterThanOrEqual(of('done'))
        expect(added).toBeLessThanOrEqual(of('done') + of('uncertain'))
      }),
      { numRuns: 25 },
    )
    if (exact) expect(uncertain).toBe(0)
    else expect(uncertain).toBeGreaterThan(0)
  })
})
