import type { DifferenceCode } from '../../src/evolve/difference.ts'
import { both, type Case, type Change, dropped, secondEdge, unread, whole } from './change.ts'
import type { Twist } from './design.ts'

// Edges that join others, or have more or fewer items.

const ofEdge = (code: DifferenceCode, at: string, before: Twist, after: Twist, more: Partial<Change> = {}): Change => ({
  code,
  at: `entities.${at}`,
  before,
  after,
  within: whole,
  besides: 'YA',
  ...more,
})
const ends = ['N0', 'N1'] as const
const others = ['N0', 'N2'] as const
const first = secondEdge(ends, { names: ['YA', 'YO'] })
const within = (outer: string | undefined) =>
  both(secondEdge(ends), secondEdge(ends, { names: ['ZA'], ...(outer ? { within: outer } : {}) }))

export const changesOfEdges: readonly Case[] = [
  [
    'an edge between others',
    () =>
      ofEdge('OtherEnds', 'YA.ends', secondEdge(ends), secondEdge(others), {
        deployments: [
          both(secondEdge(ends), secondEdge(others, { names: ['ZA'] })),
          both(secondEdge(others, { names: ['ZA'] }), dropped('YA', 'YA#{a}', 'B#{b}')),
        ],
        apart: 'same table',
      }),
  ],
  ['an end that refuses to be removed', () => ofEdge('OtherEndRemoval', 'YA.ends', secondEdge(ends), secondEdge(ends, { refuses: true }))],
  [
    'another key of an edge',
    () => ofEdge('OtherKey', 'YA.key', secondEdge(ends), secondEdge(ends, { key: 'YOTHER' }), { deployments: [first, first] }),
  ],
  ['another item of an edge', () => ofEdge('NewSide', 'YB', secondEdge(ends), secondEdge(ends, { names: ['YA', 'YB'] }))],
  [
    'an item of an edge that is gone',
    () =>
      ofEdge(
        'DroppedEntity',
        'YB',
        both(secondEdge(ends, { names: ['YA', 'YB'] }), unread('YB')),
        both(secondEdge(ends), dropped('YB', 'YB#{b}', 'A#{a}')),
      ),
  ],
  ['an edge within another one', () => ofEdge('NewWithin', 'ZA.within', within(undefined), within('YA'))],
  ['an edge that is within none', () => ofEdge('GoneWithin', 'ZA.within', within('YA'), within(undefined))],
]
