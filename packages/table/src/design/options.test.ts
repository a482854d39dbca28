import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../../test/engine/own-table.ts'
import { untyped } from '../../test/untyped.ts'
import { isFreeholdError } from '../errors.ts'
import { design, edge, entity, list, mirror, number, record, stamp, text, unique, verbatim } from '../language.ts'
import { describeDesign } from '../publish.ts'
import type { Attribute } from './attribute.ts'
import type { AnyDesign } from './design.ts'
import { textSet } from './set-attributes.ts'

const Team = entity('Team', { attributes: { id: text(), label: text() }, key: ['TEAM#{id}', 'META'] })

/** Each method of an attribute. They are called as a program without types calls them, in any order. */
const methods = {
  optional: (value: Attribute) => value.optional(),
  made: (value: Attribute) => value.made('by default'),
  secret: (value: Attribute) => value.secret(),
  from: (value: Attribute) => value.from('team', 'label'),
  addition: (value: Attribute) => value.addition('because we said so'),
}
type Method = keyof typeof methods

/** Each place where a design has an attribute. `path` leads from the item to the value. */
const places = {
  entity: (value: Attribute) =>
    untyped.entity('Thing', { attributes: { id: text(), team: text(), value }, key: ['THING#{id}', 'META'], refers: { team: Team } }),
  edge: (value: Attribute) =>
    untyped.edge({ ends: { team: Team }, attributes: { id: text(), value }, items: { Thing: ['THING#{id}', 'TEAM#{team}'] } }).Thing,
  record: (value: Attribute) =>
    untyped.entity('Thing', {
      attributes: { id: text(), team: text(), parts: record({ value }) },
      key: ['THING#{id}', 'META'],
      refers: { team: Team },
    }),
  list: (value: Attribute) =>
    untyped.entity('Thing', {
      attributes: { id: text(), team: text(), parts: list(value) },
      key: ['THING#{id}', 'META'],
      refers: { team: Team },
    }),
}
type Place = keyof typeof places

/** The loosely typed face of a table whose design is made in a test. */
type Loose = Readonly<Record<string, { create(values: object): Promise<unknown>; get(id: object, how?: object): Promise<unknown> }>>

/** The value of an item that was created without one, by the last presence of its attribute. */
const values: Partial<Record<Method, string | undefined>> = { optional: undefined, made: 'by default', from: 'copied' }

const given = (value: string | undefined) => (value === undefined ? {} : { value })

async function opened(Thing: AnyDesign['entities'][string]): Promise<{ table: Loose; whole: AnyDesign }> {
  const whole = design({ name: 'options', table: 'options', entities: { Team, Thing }, patterns: {} })
  const table = await ownTableOf(whole)
  await table.Team.create({ id: 'T', label: 'copied' })
  return { table: table as unknown as Loose, whole }
}

describe('every option of an attribute has its effect, or the design is refused', () => {
  const chains = fc.array(fc.constantFrom(...(Object.keys(methods) as Method[])), { minLength: 1, maxLength: 3 })

  test.each(Object.keys(places) as Place[])('in a place of the kind %s', async (place) => {
    await fc.assert(
      fc.asyncProperty(chains, async (chain) => {
        const declared = () => places[place](chain.reduce((value: Attribute, method) => methods[method](value), text()))
        let Thing: ReturnType<typeof declared>
        try {
          Thing = declared()
        } catch (error) {
          expect(isFreeholdError(error, 'InvalidDesign')).toBe(true)
          return
        }
        if (Thing === undefined) throw new Error('The edge has this item.')
        const { table, whole } = await opened(Thing)
        const isNested = place === 'record' || place === 'list'
        const id = { id: 'x', ...(place === 'edge' ? { team: 'T' } : {}) }
        const presence = chain.findLast((method) => method in values)
        const absent = presence !== undefined
        const holding = (value: string | undefined) =>
          place === 'list' ? { parts: [value] } : isNested ? { parts: given(value) } : given(value)
        await table.Thing?.create({ ...id, team: 'T', ...holding(absent ? undefined : 'given') })
        const expected = presence === undefined ? 'given' : values[presence]
        const seen = expected === undefined ? (isNested ? { parts: {} } : {}) : holding(expected)
        expect(await table.Thing?.get(id, { secrets: ['value'] })).toEqual(expect.objectContaining(seen))
        expect((await table.Thing?.get(id)) as object).not.toHaveProperty(
          chain.includes('secret') || expected === undefined ? 'value' : 'none',
        )
        if (chain.includes('addition')) expect(describeDesign(whole)).toContain('because we said so')
      }),
      { numRuns: 40 },
    )
  })
})

const stray = (attributes: object, more: object = {}) => untyped.entity('Thing', { attributes, key: ['THING#{id}', 'META'], ...more })
const id = text()

describe('an option that would do nothing is refused', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['an entity', () => stray({ id }, { expire: 'at' }), /^The entity Thing has no option 'expire'\. It has: attributes, key, /],
    [
      'a reference',
      () => stray({ id, team: text() }, { refers: { team: { to: Team, where: { label: 'x' } } } }),
      /Thing\.team has no option 'where'/,
    ],
    [
      'a reference of each',
      () => stray({ id, team: list(text(), { max: 2 }) }, { refers: { team: { each: Team, onRemove: 'keep' } } }),
      /'onRemove'/,
    ],
    [
      'an edge',
      () => untyped.edge({ ends: { team: Team }, attributes: {}, items: { A: ['A#{team}', 'M'] }, refers: {} }),
      /The edge of A has no option/,
    ],
    [
      'the additions of an edge',
      () => untyped.edge({ ends: { team: Team }, attributes: {}, items: { A: ['A#{team}', 'M'] }, additions: { B: 'x' } }),
      /B is not an item/,
    ],
    ['a guard', () => untyped.unique('Label', Team, ['LABEL#{label}', 'M'], ['lable']), /Label carries 'lable', which Team does not have/],
    ['a lookup item', () => untyped.mirror('Label', Team, ['LABEL#{label}', 'M'], [], { reason: 'x' }), /Label has no option 'reason'/],
    [
      'a design',
      () => untyped.design({ name: 'd', table: 'teams', entities: { Team }, patterns: {}, tenant: {} }),
      /The design d has no option 'tenant'/,
    ],
    [
      'tenants',
      () => untyped.design({ name: 'd', table: 'teams', entities: { Team }, patterns: {}, tenants: { by: 'id', share: [] } }),
      /no option 'share'/,
    ],
    [
      'the attribute of a tenant that an entity for all lacks',
      () =>
        untyped.design({
          name: 'd',
          table: 'teams',
          entities: { Team },
          patterns: {},
          tenants: { by: 'no', of: { Team: 'firm' }, shared: [Team] },
        }),
      /Team does not say whose it is: it has no 'firm'/,
    ],
    [
      'text',
      () => text({ maximum: 3 } as object),
      /^text\(\) has no option 'maximum'\. It has: max, pattern, saying, lookAlikes, otherSpellings\.$/,
    ],
    ['text without a pattern', () => text({ saying: 'is wrong' }), /has 'saying', the sentence for what does not match, but no 'pattern'/],
    ['verbatim text', () => verbatim({ lookAlikes: 'refused' } as object), /verbatim\(\) has no option 'lookAlikes'/],
    ['a number', () => number({ whole: true } as object), /number\(\) has no option 'whole'/],
    ['a list', () => list(text(), { min: 1 } as object), /list\(\) has no option 'min'/],
    ['a member of a set', () => stray({ id, tags: textSet(text().secret() as never) }), /Thing.tags: a text within a set cannot be secret/],
    ['a stamp', () => stamp.onCreate().made('now' as never), /An attribute of the kind instant is a stamp, so it cannot be made too/],
    [
      'what never changes',
      () => stray({ id }, { fixed: ['id'], appendOnly: true }),
      /Thing fixes 'id', but no update changes any of its items/,
    ],
    ['what is not there', () => stray({ id }, { fixed: ['name'] }), /Thing fixes 'name', which is not an attribute of it/],
    ['what each update makes', () => stray({ id, at: stamp.onWrite() }, { fixed: ['at'] }), /which each update makes again/],
  ])('of %s', (_, define, message) => {
    expect(define).toThrow(expect.objectContaining({ code: 'InvalidDesign', message: expect.stringMatching(message) }))
  })
})

test('an edge copies by its copies, and says so', () => {
  const define = () => edge({ ends: { team: Team }, attributes: { label: text().from('team') }, items: { A: ['A#{team}', 'M'] } })
  expect(define).toThrow(
    "A copy 'label' by from(). An edge says in 'copies' which of its items copies what: { A: { label: 'end.attribute' } }.",
  )
})

test('a guard carries what its owner has', () => {
  const Label = unique('Label', Team, ['LABEL#{label}', 'META'], ['id'])
  expect(Object.keys(mirror('ById', Team, ['BY_ID#{id}', 'META']).attributes)).toEqual(['id'])
  expect(Object.keys(Label.attributes)).toEqual(['id', 'label'])
})
