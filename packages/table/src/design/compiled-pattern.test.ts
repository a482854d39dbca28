import { describe, expect, test } from 'vitest'
import { catalogue } from '../../test/catalogue/design.ts'
import { depot } from '../../test/depot/design.ts'
import { atLeast, design, entity, get, instant, oneOf, query, text } from '../language.ts'
import type { CompiledPattern } from './compiled-pattern.ts'
import type { AnyDesign } from './design.ts'

function pattern({ form }: AnyDesign, name: string): CompiledPattern {
  const found = form.patterns.get(name)
  if (found === undefined) throw new Error(`no pattern ${name}`)
  return found
}

/** `scope_type: enum`, with `?` where it may be left out and `..` where less than a whole value may do. */
const parameters = (of: AnyDesign, name: string) =>
  pattern(of, name).parameters.map(
    ({ name: own, kind, isRequired, isBound }) => `${own}${isRequired ? '' : '?'}: ${kind.name}${isBound ? '..' : ''}`,
  )

const designs = { catalogue, depot }

describe('the parameters of a pattern', () => {
  test.each<[of: keyof typeof designs, pattern: string, parameters: string[]]>([
    ['depot', 'person', ['id: opaque id']],
    ['depot', 'teamOf', ['team: text']],
    ['depot', 'rankOfTeam', ['team: text', 'rank: enum']],
    ['depot', 'hiredBetween', ['team: text', 'rank: enum', 'from: day..', 'to: day..']],
    ['depot', 'cityFrom', ['city: text', 'first: email..']],
    ['depot', 'peopleOfSite', ['site: code', 'personRank?: enum']],
    ['depot', 'sensorsOfRoom', ['room: opaque id', 'part: opaque id..']],
    ['depot', 'sessionsSince', ['person: opaque id', 'since: instant..']],
    ['depot', 'systemLogs', []],
    ['catalogue', 'ofState', ['shelf: text', 'state: enum']],
    ['catalogue', 'stateOf', ['state: enum', 'genre: text']],
    ['catalogue', 'dueBy', ['desk: text', 'last: day..']],
  ])('in %s are of the kinds that stand at their places: %s', (of, name, expected) => {
    expect(parameters(designs[of], name)).toEqual(expected)
  })
})

test('a prefix of whole segments carries its delimiter, written or not', () => {
  const written = pattern(depot, 'roomsOfSite').sort
  const unwritten = pattern(depot, 'rankOfTeam').sort
  expect(written).toMatchObject({ operator: 'begins_with', endsWithDelimiter: true, templates: [{ source: 'ROOM' }] })
  expect(unwritten).toMatchObject({ endsWithDelimiter: true, templates: [{ source: 'PERSON#{rank}' }] })
  expect(pattern(catalogue, 'genrePart').sort).toMatchObject({ operator: 'begins_with_part', endsWithDelimiter: false })
})

test('the attributes of a key are named after its index', () => {
  expect(pattern(depot, 'site').keyNames).toEqual(['PK', 'SK'])
  expect(pattern(depot, 'cityOf')).toMatchObject({ index: 'GSI2', keyNames: ['GSI2PK', 'GSI2SK'] })
})

test('the last is first where a pattern says so', () => {
  expect(pattern(depot, 'sessionsSince').descending).toBe(true)
  expect(pattern(depot, 'sessionsUntil').descending).toBe(false)
})

test('only the end of a range may be less than a whole value, and a part that a key may lack may be left out', () => {
  const Reading = entity('Reading', {
    attributes: { sensor: text().optional(), kind: oneOf('heat', 'light'), at: instant() },
    key: ['SENSOR#{sensor}|NONE', '{kind}#{at}'],
  })
  const patterns = { since: query('SENSOR#{sensor}', atLeast('{kind}#{since}')).returns(Reading), reading: get(Reading) }
  const readings = design({ name: 'readings', table: 'readings', entities: { Reading }, patterns })
  expect(parameters(readings, 'since')).toEqual(['sensor: text', 'kind: enum', 'since: instant..'])
  expect(parameters(readings, 'reading')).toEqual(['sensor?: text', 'kind: enum', 'at: instant'])
})
