import { rebac } from '@freehold/designs/rebac'
import { describe, expect, test } from 'vitest'
import type { Entry, Outcome } from '../record.ts'
import { checkAudit } from './check-audit.ts'
import { boundOf, checkBounds, slack_ms } from './check-bounds.ts'
import { checkCounts } from './check-counts.ts'
import { checkOrder } from './check-order.ts'
import { checkPresence } from './check-presence.ts'
import { checkSeats } from './check-seats.ts'
import { checkTraces } from './check-traces.ts'
import { checkVersions } from './check-versions.ts'
import { type Compared, type Finding, lineOf } from './finding.ts'
import { compared, made, ok, place, refused, unsure } from './made-calls.ts'

const create = (from: number, until: number, outcome: Outcome = ok({ version: 1 })) => made('create', [from, until], outcome)
const update = (from: number, until: number, outcome: Outcome) => made('update', [from, until], outcome)
const remove = (from: number, until: number, outcome: Outcome = ok()) => made('remove', [from, until], outcome)
/** The item as a call has left it behind. */
const leftBy = ({ marker }: Entry, version: number) => ({ name: marker, version })

type Case = readonly [what: string, compared: Compared]

function holdsTo(check: (compared: Compared) => readonly Finding[], violating: readonly Case[], possible: readonly Case[]): void {
  test.each(violating)('finds: %s', (_, given) => {
    expect(check(given)).not.toEqual([])
  })
  test.each(possible)('allows: %s', (_, given) => {
    expect(check(given)).toEqual([])
  })
}

describe('items that are there, and items that are gone', () => {
  const one = create(0, 1)
  holdsTo(
    (given) => checkPresence(rebac, given),
    [
      ['a creation that was acknowledged, and is not there', compared([one])],
      ['a removal of what was refused is no reason to be gone', compared([one, remove(2, 3, refused('VersionConflict'))])],
      ['what was there before, and is gone without a removal', compared([], undefined, { version: 1 })],
      ['a creation that was refused for certain, and is there', compared([create(0, 1, refused('MalformedItem'))], { version: 1 })],
      ['two creations without a removal between', compared([one, create(2, 3)], { version: 1 })],
      ['two removals without a creation between', compared([one, remove(2, 3), remove(2, 4)])],
      ['a removal before there was a creation', compared([remove(0, 1), create(2, 3)], { version: 1 })],
      ['a removal of what nothing created', compared([remove(0, 1)])],
      ['what is there after its removal', compared([one, remove(2, 3)], { version: 1 })],
    ],
    [
      ['a creation that is there', compared([one], { version: 1 })],
      ['a creation that an uncertain removal may have taken', compared([one, remove(2, 3, unsure)])],
      ['a removal that goes on after its call', compared([one, remove(2, 3, ok({ pending: true }))])],
      ['a creation after a removal', compared([one, remove(2, 3), create(4, 5)], { version: 1 })],
      ['two removals with an uncertain creation beside them', compared([one, remove(2, 3), create(2, 6, unsure), remove(5, 6)])],
      ['what an uncertain creation has made anew', compared([one, remove(4, 5), create(2, 3, unsure)], { version: 1 })],
    ],
  )

  test.each([
    ['at the same time', [3, 6], 0],
    ['one after the other', [5, 6], 1],
  ] as const)('a durable job may be told as done to several calls: %s', (_, [from, until], findings) => {
    const user = { entity: 'User', place: 'USER#U1 / META', isShared: true }
    const there = made('create', [0, 1], ok(), { touch: { ...user, values: { userId: 'U1', displayName: 'Ada' } } })
    const entries = [there, made('remove', [2, 4], ok(), { touch: user }), made('remove', [from, until], ok(), { touch: user })]
    expect(checkPresence(rebac, { before: new Map(), after: new Map(), entries })).toHaveLength(findings)
  })

  test('an item goes with what it refers to', () => {
    const [user, location] = [
      { userId: 'U1', displayName: 'Ada' },
      { userId: 'U1', locationId: 'L1' },
    ]
    const edge = 'USER#U1 / LOCATION#L1'
    const joined = made('ensure', [2, 3], ok(), { touch: { entity: 'UserLocationEdge', place: edge, values: location, isAlone: false } })
    const there = made('create', [0, 1], ok(), { touch: { entity: 'User', place: 'USER#U1 / META', values: user } })
    const gone = made('remove', [4, 5], ok(), { touch: { entity: 'User', place: 'USER#U1 / META' } })
    const empty = { before: new Map(), after: new Map() }
    expect(checkPresence(rebac, { ...empty, entries: [there, joined, gone] })).toEqual([])
    expect(checkPresence(rebac, { ...empty, entries: [joined] })).toHaveLength(1)
  })
})

describe('versions', () => {
  const one = create(0, 1)
  const second = [update(2, 3, ok({ version: 2 })), remove(4, 5), update(6, 7, ok({ version: 2 }))]
  holdsTo(
    checkVersions,
    [
      ['a version of an item that was removed', compared([create(0, 1, ok({ version: 1 })), ...second], { version: 2 })],
      [
        'the same, beside an uncertain creation of another time',
        compared([create(0, 1, ok({ version: 1 })), create(2, 3, unsure), ...second], { version: 2 }),
      ],
      [
        'two updates that were told one version',
        compared([one, update(2, 3, ok({ version: 2 })), update(2, 3, ok({ version: 2 }))], { version: 3 }),
      ],
      ['an update that is lost', compared([one, update(2, 3, ok({ version: 2 }))], { version: 1 })],
      ['an update that was applied twice', compared([one, update(2, 3, ok({ version: 2 }))], { version: 3 })],
      ['a refused update that was applied', compared([one, update(2, 3, refused('Busy'))], { version: 2 })],
    ],
    [
      ['each update once', compared([one, update(2, 3, ok({ version: 2 })), update(2, 3, ok({ version: 3 }))], { version: 3 })],
      ['an uncertain update that was applied', compared([one, update(2, 3, unsure)], { version: 2 })],
      ['an uncertain update that was not', compared([one, update(2, 3, unsure)], { version: 1 })],
      [
        'two incarnations of one millisecond, the second by a creation that is uncertain',
        compared([create(0, 1, ok({ version: 1 })), create(0, 2, unsure), ...second], { version: 2 }),
      ],
      ['another incarnation', compared([one, update(2, 3, ok({ version: 2, born: 'earlier' }))], { version: 1 })],
    ],
  )
})

describe('the order of calls', () => {
  const one = create(0, 1)
  const changed = update(2, 3, ok({ version: 2 }))
  const later = update(4, 5, ok({ version: 2 }))
  const changedLate = update(1, 9, ok({ version: 2 }))
  const [third, thirdLong] = [update(2, 3, ok({ version: 3 })), update(2, 9, ok({ version: 3 }))]
  const [maybe, maybeLate, made] = [update(2, 3, unsure), update(9, 10, unsure), create(2, 3, unsure)]
  holdsTo(
    (given) => checkOrder(given).findings,
    [
      ['a creation that was acknowledged though the item was there', compared([one, create(2, 3)], leftBy(one, 1))],
      [
        'an update that was told of another incarnation than the one it changed',
        compared([one, remove(2, 3), create(4, 5, ok({ version: 1, born: 'later' })), changedLate], {
          ...leftBy(changedLate, 2),
          createdAt: 'later',
        }),
      ],
      ['an update of what was removed before', compared([one, remove(2, 3), later], leftBy(later, 2))],
      ['another incarnation than the one that was created last', compared([one], { ...leftBy(one, 1), createdAt: 'earlier' })],
      ['an update that does not lie there', compared([one, changed], leftBy(one, 2))],
      ['an update that is lost', compared([one, changed], leftBy(one, 1))],
      ['versions against the order of calls', compared([one, third, later], leftBy(third, 3))],
      ['an item that is said to be missing while it is there', compared([one, update(2, 3, refused('NotFound'))], leftBy(one, 1))],
      ['an item that is said to be there while it is not', compared([create(2, 3, refused('AlreadyExists'))])],
      ['a removal that was refused, and done', compared([one, remove(2, 3, refused('Unavailable'))])],
      ['an uncertain update that was applied before it was asked for', compared([one, third, maybeLate], leftBy(third, 3))],
      [
        'an uncertain update that was applied long after',
        compared([one, maybe, update(20_000, 20_001, ok({ version: 2 }))], leftBy(maybe, 3)),
      ],
    ],
    [
      ['one after the other', compared([one, changed], leftBy(changed, 2))],
      ['side by side, in the order that the versions say', compared([one, thirdLong, later], leftBy(thirdLong, 3))],
      ['an uncertain update, applied', compared([one, maybe], leftBy(maybe, 2))],
      ['an uncertain update, not applied', compared([one, maybe], leftBy(one, 1))],
      ['an uncertain update, applied later', compared([one, maybe, later], leftBy(maybe, 3))],
      ['an uncertain creation after a removal', compared([one, made, remove(4, 5)], leftBy(made, 1))],
      [
        'an item that is going while its removal goes on',
        compared([one, remove(2, 3, ok({ pending: true })), update(4, 5, refused('BeingDeleted'))]),
      ],
      ['a removal that is refused since the item is in use', compared([one, remove(2, 3, refused('InUse'))], leftBy(one, 3))],
      ['a removal whose job found it in use', compared([one, remove(2, 3, ok({ pending: true }))], leftBy(one, 3))],
    ],
  )

  test('of many uncertain calls on one item is found, or given up, in the end', () => {
    const many = Array.from({ length: 40 }, (_, index) => update(index, index + 1, unsure))
    expect(checkOrder(compared([one, ...many, remove(50, 51)])).findings).toEqual([])
  })
})

describe('traces', () => {
  const no = update(2, 3, refused('NotFound'))
  const maybe = update(2, 3, refused('NotFound', true))
  holdsTo(
    checkTraces,
    [['of a call that was refused for certain', compared([no], { description: `by ${no.marker}` })]],
    [
      ['of an uncertain call', compared([maybe], { description: `by ${maybe.marker}` })],
      ['of another call whose number begins alike', compared([no], { description: `${no.marker.slice(0, -2)}9-m` })],
    ],
  )
})

describe('counts', () => {
  const counting = { place, path: ['quota', 'calls'], by: -1 }
  const used = (outcome: Outcome) => made('update', [0, 1], outcome, { counting })
  const left = (calls: number) => ({ quota: { calls } })
  holdsTo(
    checkCounts,
    [
      ['two that were told the same is left', compared([used(ok({ count: 9 })), used(ok({ count: 9 }))], left(8), left(10))],
      ['less used than was acknowledged', compared([used(ok({ count: 9 })), used(ok({ count: 8 }))], left(9), left(10))],
      ['more used than anybody asked for', compared([used(ok({ count: 9 }))], left(8), left(10))],
      ['a refused one that was used', compared([used(refused('Busy'))], left(9), left(10))],
      ['a number that is gone', compared([used(ok({ count: 9 }))], {}, left(10))],
    ],
    [
      ['each once', compared([used(ok({ count: 9 })), used(ok({ count: 8 }))], left(8), left(10))],
      ['uncertain ones, used or not', compared([used(unsure), used(unsure)], left(9), left(10))],
    ],
  )
})

describe('the audit', () => {
  const audited = { action: 'updateRole', entity_id: 'R1' }
  const told = (marker: string, count: number) =>
    new Map(
      Array.from({ length: count }, (_, index) => [
        `AUDIT / ${index}`,
        { Type: 'AuditLog', status: 'success', user_agent: marker, ...audited },
      ]),
    )
  const of = (outcome: Outcome, count: number): Compared => {
    const entry = made('update', [0, 1], outcome, { audited })
    return { entries: [entry], before: new Map(), after: told(entry.marker, count) }
  }
  holdsTo(
    checkAudit,
    [
      ['nothing of what was done', of(ok(), 0)],
      ['twice of what was done once', of(ok(), 2)],
      ['of what was refused', of(refused('NotFound'), 1)],
      ['twice of what is uncertain', of(unsure, 2)],
    ],
    [
      ['once of what was done', of(ok(), 1)],
      ['nothing of what was refused', of(refused('NotFound'), 0)],
      ['once, or nothing, of what is uncertain', of(unsure, 1)],
    ],
  )
})

describe('the seats of a licence', () => {
  const license = (seatsUsed: number, holders: readonly string[]): Compared => ({
    ...compared([]),
    after: new Map<string, Readonly<Record<string, unknown>>>([
      ['license', { Type: 'License', id: 'L1', seats: 2, seatsUsed }],
      ...holders.map((userId): [string, Readonly<Record<string, string>>] => [userId, { Type: 'LicenseSeat', licenseId: 'L1', userId }]),
      ['other', { Type: 'LicenseSeat', licenseId: 'L2', userId: 'u1' }],
    ]),
  })
  holdsTo(
    checkSeats,
    [
      ['a seat that is counted, and nobody has', license(1, [])],
      ['a seat that is taken, and not counted', license(1, ['u1', 'u2'])],
      ['more seats than there are', license(3, ['u1', 'u2', 'u3'])],
    ],
    [['as many as are taken', license(2, ['u1', 'u2'])]],
  )
})

describe('bounds', () => {
  const bounds = { patience_ms: 1500, attempt_ms: 400, wait_ms: 3000 }
  const long = (took_ms: number) => compared([update(0, took_ms, ok({ version: 2 }))])
  holdsTo(
    ({ entries }) => checkBounds(entries, bounds),
    [
      ['a call that goes on', long(1900 + slack_ms + 1)],
      ['an error that is none of ours', compared([update(0, 1, refused('thrown'))])],
    ],
    [['a call on a slow machine', long(1900 + slack_ms)]],
  )

  test('are those of each step, and of the job that is waited for', () => {
    expect(boundOf({ steps: 2, waits: false }, bounds)).toBe(3800)
    expect(boundOf({ steps: 1, waits: true }, bounds)).toBe(6800)
  })
})

test('a call is one line', () => {
  const line = lineOf(update(1, 2.25, refused('Busy', true)))
  expect(line).toMatch(/^1\.0–2\.3 1\/1\/\d+ rebac Location\.update \{"name":"m-1-1-\d+-m"\} > Busy \(uncertain\), Busy$/)
})
