import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { idOf } from '../../../test/account-items.ts'
import { acme, camera, harbour, pier } from '../../../test/account-organisation.ts'
import { type AccessData, type AccessGrant, accessFormat, type ScopeIds } from './access-data.ts'
import { accessSnapshot } from './access-snapshot.ts'
import type { AskedScope } from './known-scopes.ts'
import { readAccess } from './read-access.ts'

const issued_ms = Date.parse('2026-03-01T12:00:00.000Z')
const inTime = () => issued_ms
const dataOf = (grants: readonly AccessGrant[], place?: ScopeIds): AccessData => ({
  format: accessFormat,
  user_id: idOf('user', 1),
  issued_at: new Date(issued_ms).toISOString(),
  expires_at: new Date(issued_ms + 5000).toISOString(),
  ...(place === undefined ? {} : { place }),
  grants,
})

const [rival, dock, garden] = [idOf('client', 2), idOf('project', 2), idOf('project', 3)]
const [mole, crane, tower] = [idOf('building', 2), idOf('building', 3), idOf('building', 4)]
/** All places that there are. */
const tree: readonly ScopeIds[] = [
  { client_id: acme },
  { client_id: rival },
  { client_id: acme, project_id: harbour },
  { client_id: acme, project_id: dock },
  { client_id: rival, project_id: garden },
  { client_id: acme, project_id: harbour, building_id: pier },
  { client_id: acme, project_id: harbour, building_id: mole },
  { client_id: acme, project_id: dock, building_id: crane },
  { client_id: rival, project_id: garden, building_id: tower },
]
const asked = ({ client_id, project_id, building_id }: ScopeIds): AskedScope => ({
  client: client_id,
  project: project_id,
  building: building_id,
})
const at = { client: acme, project: harbour, building: pier }

describe('can', () => {
  const names = ['a', 'b', 'constructor']
  const part = fc.constantFrom(...names, '*')
  const pattern = fc.record({ module: part, action: part, resource: part })
  const grant = fc.record({
    permissions: fc.array(pattern, { maxLength: 4 }),
    scopes: fc.subarray([...tree], { minLength: 0, maxLength: 4 }),
  })
  const permission = fc.record({
    module: fc.constantFrom(...names),
    action: fc.constantFrom(...names),
    resource: fc.constantFrom(...names),
  })

  test('answers as plain records do, whatever the roles, their wildcards and their scopes', () => {
    fc.assert(
      fc.property(fc.array(grant, { maxLength: 5 }), fc.array(permission, { minLength: 1, maxLength: 8 }), (grants, permissions) => {
        const snapshot = accessSnapshot(dataOf(grants), inTime)
        const read = readAccess(JSON.parse(JSON.stringify(snapshot)), { now_ms: inTime })
        for (const place of tree) {
          const chain = [
            place.client_id,
            `${place.client_id}/${place.project_id}`,
            `${place.client_id}/${place.project_id}/${place.building_id}`,
          ]
          const textOf = ({ client_id, project_id, building_id }: ScopeIds) =>
            [client_id, project_id, building_id].filter(Boolean).join('/')
          for (const one of permissions) {
            const isGranted = grants.some(
              ({ permissions: patterns, scopes }) =>
                scopes.some((scope) => chain.includes(textOf(scope))) &&
                patterns.some((each) => (['module', 'action', 'resource'] as const).every((name) => ['*', one[name]].includes(each[name]))),
            )
            expect(snapshot.can(one, asked(place))).toBe(isGranted)
            expect(read.can(one, asked(place))).toBe(isGranted)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  const everywhere = accessSnapshot(
    dataOf([
      { permissions: [camera], scopes: [{ client_id: acme }, { client_id: rival, project_id: garden }] },
      { permissions: [{ ...camera, resource: '*' }], scopes: [{ client_id: acme, project_id: harbour, building_id: pier }] },
    ]),
    inTime,
  )
  const here = accessSnapshot(
    dataOf([{ permissions: [camera], scopes: [{ client_id: acme, project_id: harbour }] }], { client_id: acme, project_id: harbour }),
    inTime,
  )

  test('takes ids in any case', () => {
    const place = { client: acme.toUpperCase(), project: harbour.toUpperCase(), building: pier.toUpperCase() }
    expect(everywhere.can({ ...camera, resource: 'door' }, place)).toBe(true)
    expect(everywhere.can(camera, { client: acme.toUpperCase() })).toBe(true)
  })

  test('needs no place where the snapshot is about one, and has one otherwise', () => {
    expect(here.can(camera)).toBe(true)
    expect(here.can(camera, at)).toBe(true)
    expect(here.can(camera, { client: acme })).toBe(false)
    expect(here.can(camera, { client: acme, project: dock })).toBe(false)
    expect(everywhere.can(camera)).toBe(false)
  })

  test('denies a place that is elsewhere than the path says, as far as the snapshot knows', () => {
    expect(everywhere.can(camera, { client: acme, project: dock, building: pier })).toBe(false)
    expect(everywhere.can(camera, { client: rival, project: garden, building: pier })).toBe(false)
    expect(everywhere.can(camera, { client: acme, project: garden })).toBe(false)
    // The project of a building is known by the building.
    expect(everywhere.can(camera, { client: rival, project: harbour, building: pier })).toBe(false)
  })

  test.each([
    { client: acme, building: pier },
    { project: harbour, building: pier },
    { client: '' },
    { client: 7 },
    { client: [acme] },
    { client: acme, project: null },
    { client: acme, project: 7 },
    { client: acme, project: harbour, building: 7 },
    {},
    null,
    'acme',
    acme,
  ])('denies at %j, which is no path', (place) => {
    expect(everywhere.can(camera, place as AskedScope)).toBe(false)
  })

  test.each([
    { ...camera, module: '*' },
    { ...camera, action: '*' },
    { ...camera, resource: '*' },
    { ...camera, resource: '' },
    { ...camera, resource: undefined },
    { ...camera, resource: ['camera'] },
    { module: 'devices', action: 'read' },
    'devices:read:camera',
    ['devices', 'read', 'camera'],
    null,
    undefined,
    7,
  ])('denies %j, which is no permission', (permission) => {
    const all = accessSnapshot(
      dataOf([{ permissions: [{ module: '*', action: '*', resource: '*' }, camera], scopes: [{ client_id: acme }] }]),
      inTime,
    )
    expect(all.can(camera, at)).toBe(true)
    expect(all.can(permission as typeof camera, at)).toBe(false)
    expect(everywhere.can(permission as typeof camera, { client: acme })).toBe(false)
  })
})

describe('a snapshot', () => {
  const grants: readonly AccessGrant[] = [{ permissions: [camera], scopes: [{ client_id: acme }] }]

  test('holds from when it was issued until just before it expires', () => {
    let now_ms = issued_ms
    const snapshot = accessSnapshot(dataOf(grants, { client_id: acme }), () => now_ms)
    const answers = [-1, 0, 4999, 5000, 5001, Number.NaN, 4999].map((offset) => {
      now_ms = issued_ms + offset
      return snapshot.can(camera)
    })
    expect(answers).toEqual([false, true, true, false, false, false, true])
  })

  test('is not changed by who changes the data that it was made of, or what it shows', () => {
    const data = JSON.parse(JSON.stringify(dataOf(grants, { client_id: acme })))
    const snapshot = readAccess(data, { now_ms: inTime })
    data.grants[0].permissions[0].resource = '*'
    data.expires_at = '2999-01-01T00:00:00.000Z'
    expect(snapshot.can({ ...camera, resource: 'door' })).toBe(false)
    expect(snapshot.toJSON()).toEqual(dataOf(grants, { client_id: acme }))
    expect(() => Object.assign(snapshot, { can: () => true })).toThrow(TypeError)
  })
})
