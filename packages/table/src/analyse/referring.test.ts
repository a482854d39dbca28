import { describe, expect, test } from 'vitest'
import { type AnyDesign, code, dependingOn, design, edge, entity, get, instant, mirror, oneOf, opaqueId, unless } from '../index.ts'
import { prove } from '../prove.ts'

// Designs whose items could not be kept true for ever, as what they refer to comes and goes.

function errorsOf(entities: AnyDesign['entities']): readonly (readonly [code: string, subject: string])[] {
  const patterns = Object.fromEntries(Object.values(entities).map((each) => [`get${each.name}`, get(each)]))
  const { findings } = prove(design({ name: 'small', table: 'small', entities, patterns }))
  return findings.filter(({ severity }) => severity === 'error').map(({ code: found, subject }) => [found, subject])
}

const Zone = entity('Zone', { attributes: { zone: code(), region: code() }, key: ['ZONE#{zone}', 'META'], fixed: ['region'] })

describe('a copy of what never changes, which may outlive its original', () => {
  const memo = { memoId: opaqueId(), zone: code(), region: code().from('zone') }

  test('is found from the next item with the key', () => {
    const Memo = entity('Memo', { attributes: memo, key: ['MEMO#{memoId}', 'META'], refers: { zone: { to: Zone, onRemove: 'keep' } } })
    expect(errorsOf({ Zone, Memo })).toEqual([['CopyNotFollowed', 'Memo']])
    expect(errorsOf({ Zone, Memo, MemoOfZone: mirror('MemoOfZone', Memo, ['MEMOS#{zone}', 'MEMO#{memoId}']) })).toEqual([])
  })

  test('is in no table key', () => {
    const keyed = (to: typeof Zone, onRemove: 'keep' | 'cascade') => {
      const Memo = entity('Memo', { attributes: memo, key: ['REGION#{region}', 'MEMO#{memoId}'], refers: { zone: { to, onRemove } } })
      return errorsOf({ Zone: to, Memo, MemoOfZone: mirror('MemoOfZone', Memo, ['MEMOS#{zone}', 'MEMO#{memoId}']) })
    }
    const Expiring = entity('Zone', {
      attributes: { zone: code(), region: code(), until: instant() },
      key: ['ZONE#{zone}', 'META'],
      fixed: ['region'],
      expires: 'until',
    })
    expect(keyed(Zone, 'keep')).toEqual([['CopyInKey', 'Memo']])
    expect(keyed(Expiring as never, 'cascade')).toEqual([['CopyInKey', 'Memo']])
    expect(keyed(Zone, 'cascade')).toEqual([])
  })

  test('stays what it is where no other item takes the key, or has another value', () => {
    const Once = entity('Once', {
      attributes: { id: opaqueId().made(), zone: code(), region: code() },
      key: ['ZONE#{zone}', 'ONCE#{id}'],
      fixed: ['region'],
    })
    const Memo = entity('Memo', {
      attributes: { memoId: opaqueId(), zone: code(), once: opaqueId(), region: code().from('once') },
      key: ['MEMO#{memoId}', 'META'],
      refers: { once: { to: Once, onRemove: 'keep' } },
    })
    expect(errorsOf({ Once, Memo })).toEqual([])
  })
})

describe('a lookup item whose key has a copy', () => {
  const findable = (region: 'given' | 'optional') => {
    const Land = entity('Land', {
      attributes: { land: code(), region: region === 'given' ? code() : code().optional() },
      key: ['LAND#{land}', 'META'],
      fixed: ['region'],
    })
    const Town = entity('Town', {
      attributes: { town: opaqueId(), land: code(), region: code().from('land') },
      key: ['TOWN#{town}', 'META'],
      refers: { land: Land },
    })
    return errorsOf({ Land, Town, TownOfLand: mirror('TownOfLand', Town, ['LAND_TOWNS#{land}', 'TOWN#{region}#{town}']) })
  }

  test('does not find those that lack it', () => {
    expect(findable('given')).toEqual([])
    expect(findable('optional')).toEqual([['NotEnumerable', 'Land']])
  })
})

describe('a lookup item whose key has what its target may lack', () => {
  const findable = (partition: 'GRANTS#{client}#{project}' | 'GRANTS#{client}#{project}|GRANTS#{client}') => {
    const Scope = entity('Scope', { attributes: { client: code(), project: code().optional() }, key: ['C#{client}', 'P#{project}|META'] })
    const Grant = entity('Grant', {
      attributes: { id: opaqueId(), client: code(), project: code().optional() },
      key: ['GRANT#{id}', 'META'],
      refers: { client: Scope },
    })
    return errorsOf({ Scope, Grant, GrantOf: mirror('GrantOf', Grant, [partition, 'GRANT#{id}'], ['client']) })
  }

  test('finds those that lack it with the target by another alternative alone', () => {
    expect(findable('GRANTS#{client}#{project}')).toEqual([['NotEnumerable', 'Scope']])
  })
})

describe('an edge within another', () => {
  const within = (fixed: readonly 'zone'[]) => {
    const User = entity('User', { attributes: { user: opaqueId() }, key: ['USER#{user}', 'META'] })
    const Team = entity('Team', { attributes: { team: opaqueId(), zone: code() }, key: ['TEAM#{team}', 'META'], fixed })
    const { Member, MemberOf } = edge({
      ends: { user: User, zone: Zone },
      attributes: {},
      items: { Member: ['USER#{user}', 'IN#{zone}'], MemberOf: ['ZONE#{zone}', 'IN#{user}'] },
    })
    const { Mate, MateOf } = edge({
      ends: { user: User, team: Team },
      within: Member,
      attributes: {},
      items: { Mate: ['USER#{user}', 'MATE#{team}'], MateOf: ['TEAM#{team}', 'MATE#{user}'] },
      copies: { Mate: { zone: 'team.zone' } },
    })
    return errorsOf({ User, Zone, Team, Member, MemberOf, Mate, MateOf })
  }

  test('never comes to lie within one that nobody has made', () => {
    expect(within(['zone'])).toEqual([])
    expect(within([])).toEqual([['CopyInKey', 'Mate']])
  })
})

describe('a reference', () => {
  const Place = entity('Place', { attributes: { region: code(), place: code() }, key: ['REGION#{region}', 'PLACE#{place}'] })
  const land = (fixed: readonly ('region' | 'kind')[]) =>
    entity('Land', {
      attributes: { land: code(), region: code(), kind: oneOf('a', 'b') },
      key: ['LAND#{land}', 'META'],
      fixed,
    })
  const attributes = { id: opaqueId(), land: code(), region: code().from('land'), kind: oneOf('a', 'b').from('land'), place: code() }
  test.each<[fixed: readonly ('region' | 'kind')[], found: readonly string[]]>([
    [['region', 'kind'], []],
    [['kind'], ['CopyInKey']],
  ])('is filled by no copy that may change, since nothing would check the new target; fixed: %j', (fixed, found) => {
    const Land = land(fixed)
    const Trip = entity('Trip', { attributes, key: ['TRIP#{id}', 'META'], refers: { land: Land, place: Place } })
    const TripOfLand = mirror('TripOfLand', Trip, ['LAND_TRIPS#{land}', 'TRIP#{id}'])
    const TripOfPlace = mirror('TripOfPlace', Trip, ['PLACE_TRIPS#{place}', 'TRIP#{region}#{id}'])
    expect([...new Set(errorsOf({ Land, Place, Trip, TripOfLand, TripOfPlace }).map(([each]) => each))]).toEqual(found)
  })

  test.each<[fixed: readonly ('region' | 'kind')[], found: readonly string[]]>([
    [['region', 'kind'], []],
    [['region'], ['CopyInKey']],
  ])('depends on no copy that may change; fixed: %j', (fixed, found) => {
    const Land = land(fixed)
    const Trip = entity('Trip', {
      attributes,
      key: ['TRIP#{id}', 'META'],
      refers: { land: Land, place: dependingOn('kind', { a: Zone, b: Zone }) },
    })
    const PlaceTrip = mirror('PlaceTrip', Trip, ['PLACE_TRIPS#{place}', 'TRIP#{kind}#{id}'])
    const TripOfLand = mirror('TripOfLand', Trip, ['LAND_TRIPS#{land}', 'TRIP#{id}'])
    expect([...new Set(errorsOf({ Zone, Land, Trip, TripOfLand, PlaceTrip }).map(([each]) => each))]).toEqual(found)
  })

  test('always has the attribute that may say that a part of the key is absent', () => {
    const Scope = entity('Scope', { attributes: { client: code(), project: code().optional() }, key: ['C#{client}', 'P#{project}|META'] })
    const grant = (isOptional: boolean) => () =>
      entity('Grant', {
        attributes: { id: opaqueId(), client: code(), project: isOptional ? code().optional() : code() },
        key: ['GRANT#{id}', 'META'],
        refers: { client: { to: Scope, by: { project: unless('project', 'ALL') } } },
      })
    expect(grant(false)).not.toThrow()
    expect(grant(true)).toThrow(/may be absent/)
  })
})
