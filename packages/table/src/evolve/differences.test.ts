import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { both, listing, ofDesign, withAttributes } from '../../test/any/change.ts'
import { cases } from '../../test/any/changes.ts'
import { Any, type Choice, choices, type Twist } from '../../test/any/design.ts'
import { type AnyDesign, list, text, uuid } from '../index.ts'
import { differenceCodes, type Effect } from './difference.ts'
import { differences } from './differences.ts'
import { type Lock, lockOf, lockSchema } from './lock.ts'
import { lockText, readLock } from './lock-text.ts'

const severity: readonly Effect[] = ['compatible', 'backfill', 'breaking']
const again = (lock: Lock): Lock => readLock(JSON.parse(lockText(lock)))
const lockOfAny = (choice: Choice, twist: Twist = {}) => {
  const design: AnyDesign | undefined = Any.of(choice, twist)?.design
  return design && lockOf(design)
}

const told = new Map<string, ReadonlySet<string>>()

describe('one change of a random design', () => {
  test.each(cases)('%s is told, with what it means', (what, make) => {
    const codes = new Set<string>()
    fc.assert(
      fc.property(choices, fc.nat(2), (choice, index) => {
        const { code, at, before, after, within } = make(`N${index}`)
        const chosen = within?.(choice) ?? choice
        const [was, is] = [lockOfAny(chosen, before), lockOfAny(chosen, after)]
        if (was === undefined || is === undefined) return
        const found = differences(again(was), is)
        for (const each of found) codes.add(each.code)
        const worst = found.map((each) => severity.indexOf(each.effect))
        expect(found.filter((each) => each.at === at).map((each) => each.code)).toContain(code)
        expect({ found, worst: severity[Math.max(...worst)] }).toEqual({ found, worst: differenceCodes[code] })
        for (const each of found) {
          expect(each.effect).toBe(differenceCodes[each.code])
          expect(each.items !== undefined).toBe(each.effect === 'backfill')
          expect(each.deployments !== undefined).toBe(each.effect === 'breaking')
          expect(each.items?.query ?? 'Scan').toMatch(/^(Scan|Query)/)
        }
      }),
      { numRuns: 8 },
    )
    expect(codes.size).toBeGreaterThan(0)
    told.set(what, codes)
  })

  test('every kind of change is one of these', () => {
    expect(told.size).toBe(cases.length)
    const all = new Set([...told.values()].flatMap((codes) => [...codes]))
    expect(Object.keys(differenceCodes).filter((code) => !all.has(code))).toEqual([])
  })

  test('a change that breaks something has two deployments, and neither breaks anything', () => {
    const without = cases.filter(([, make]) => {
      const { code, deployments } = make('N0')
      return (differenceCodes[code] === 'breaking') !== (deployments !== undefined)
    })
    expect(without.map(([what]) => what)).toEqual([])
  })
})

describe('any two designs', () => {
  test('differ exactly if their locks do, and the text of a lock is read as what it was', () => {
    fc.assert(
      fc.property(choices, choices, (one, other) => {
        const [was, is] = [lockOfAny(one), lockOfAny(other)]
        if (was === undefined || is === undefined) return
        expect(again(was)).toEqual(was)
        expect(differences(again(was), was)).toEqual([])
        expect(differences(was, is).length > 0).toBe(lockText(was) !== lockText(is))
      }),
    )
  })

  test('have one lock, however their parts are ordered', () => {
    fc.assert(
      fc.property(choices, (choice) => {
        const reversed = (shape: unknown) => Object.fromEntries(Object.entries(Object(shape)).reverse())
        const twist = ofDesign((shape) => ({ ...shape, entities: reversed(shape.entities), patterns: reversed(shape.patterns) }))
        const [was, is] = [lockOfAny(choice), lockOfAny(choice, twist)]
        if (was !== undefined && is !== undefined) expect(lockText(is)).toBe(lockText(was))
      }),
    )
  })
})

/** Each text, number, flag and member of a lock, changed. */
function changesOf(value: unknown): unknown[] {
  if (typeof value === 'string') return [`${value}X`]
  if (typeof value === 'number') return [value + 1]
  if (typeof value === 'boolean') return [undefined]
  if (Array.isArray(value))
    return value.flatMap((each, at) => changesOf(each).map((changed) => value.map((other, index) => (index === at ? changed : other))))
  return Object.entries(Object(value)).flatMap(([name, each]) => changesOf(each).map((changed) => ({ ...Object(value), [name]: changed })))
}

test('nothing in a lock is overlooked', () => {
  const twist = both(withAttributes('N1', { x: list(text({ max: 3 })), y: uuid().made().secret() }), listing(true))
  let changed = 0
  fc.assert(
    fc.property(choices, (choice) => {
      const base = lockOfAny(choice, twist)
      if (base === undefined) return
      for (const change of changesOf(base)) {
        const { data } = lockSchema.safeParse(JSON.parse(JSON.stringify(change)))
        // Some members have few values: another one is no lock.
        if (data === undefined) continue
        changed++
        expect({ change: data, found: differences(base, data).length > 0 }).toEqual({ change: data, found: true })
        expect(differences(data, base).length).toBeGreaterThan(0)
      }
    }),
    { numRuns: 3 },
  )
  expect(changed).toBeGreaterThan(100)
})

test.each<[what: string, value: unknown, sentence: string]>([
  ['a list', [], 'It is no lock'],
  ['a lock without entities', { design: 'a', table: 'a', patterns: {} }, 'entities'],
  ['a lock with something that this version does not know', { design: 'a', table: 'a', entities: {}, patterns: {}, moons: 2 }, 'moons'],
])('%s is refused', (_, value, sentence) => {
  expect(() => readLock(value)).toThrow(sentence)
})
