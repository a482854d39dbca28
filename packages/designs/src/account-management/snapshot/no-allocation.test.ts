import { GCProfiler } from 'node:v8'
import { expect, test } from 'vitest'
import { collectGarbage } from '../../../../../test/collect-garbage.ts'
import { acme, camera, harbour, pier } from '../../../test/account-organisation.ts'
import { accessFormat } from './access-data.ts'
import { accessSnapshot } from './access-snapshot.ts'

const now_ms = Date.parse('2026-03-01T12:00:00.000Z')
const snapshot = accessSnapshot(
  {
    format: accessFormat,
    issued_at: new Date(now_ms).toISOString(),
    expires_at: new Date(now_ms + 5000).toISOString(),
    place: { client_id: acme, project_id: harbour, building_id: pier },
    grants: [
      { permissions: [{ ...camera, module: '*' }], scopes: [{ client_id: acme, project_id: harbour, building_id: pier }] },
      { permissions: [{ ...camera, resource: '*' }], scopes: [{ client_id: acme }] },
    ],
  },
  // One number for all: what a clock makes is its own.
  () => now_ms,
)
const place = { client: acme, project: harbour, building: pier }
const denied = { ...camera, action: 'open' }

/** Sixteen bytes for each call, the least that there is, would be twice what young objects have room for. */
const calls = 2_000_000

/** How often young objects had to make room while `ask` ran so often. It is synchronous, so nothing else of this process runs meanwhile. */
function scavengesDuring(ask: (index: number) => boolean): number {
  // Objects of earlier tests may have filled the room nearly.
  collectGarbage()
  const profiler = new GCProfiler()
  profiler.start()
  for (let index = 0; index < calls; index++) ask(index)
  return profiler.stop().statistics.filter(({ gcType }) => gcType === 'Scavenge').length
}

test.each([
  ['at its own place', () => snapshot.can(camera)],
  ['at a place that is named', () => snapshot.can(camera, place)],
  ['with no', () => snapshot.can(denied, place)],
])('can answers %s without making anything', (_, ask) => {
  expect(scavengesDuring(ask)).toBe(0)
})

test('an answer that makes a text for each question would be seen', () => {
  expect(scavengesDuring((index) => snapshot.can({ ...camera, resource: `camera ${index}` }, place))).toBeGreaterThan(0)
})
