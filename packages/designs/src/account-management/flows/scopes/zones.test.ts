import { meter } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { accountWork, changesOf, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { idOf } from '../../../../test/account-items.ts'
import type { ZoneNode } from './zone-tree.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const work = await accountWork({ now: () => new Date(now++) })
const { table } = work
const client = (await table.Client.create({ name: 'Ours' })).id
const project = (await table.Project.create({ client_id: client, name: 'Harbour' })).id
const ada = (await table.User.create({ client_id: client, email: 'ada@ours.example', user_type: 'client_admin' })).id
const theirs = (await table.Client.create({ name: 'Theirs' })).id
const eve = (await table.User.create({ client_id: theirs, email: 'eve@theirs.example', user_type: 'client_admin' })).id

const newBuilding = async () => (await work.table.Building.create({ project_id: project, name: 'Pier' })).id
const newZone = async (building_id: string, name: string, parent_zone_id?: string) =>
  (await work.flows.createZone({ building_id, name, type: 'office', parent_zone_id })).id
type Named = readonly [string, ...Named[]]
const names = (nodes: readonly ZoneNode[]): Named[] => nodes.map(({ zone, zones }): Named => [zone.name ?? '', ...names(zones)]).sort()
const tree = async (building_id: string) => names((await work.flows.zoneTree({ building_id })).zones)
const auditOf = async (id: string) => (await work.audit(client)).filter(({ entity_id }) => entity_id === id)

describe('zones', () => {
  test('are a tree: one is made in another, moves with those in it, and out of all; each is recorded', async () => {
    const building_id = await newBuilding()
    const floor = await newZone(building_id, 'floor')
    const wing = await newZone(building_id, 'wing', floor)
    await newZone(building_id, 'room', wing)
    expect(await tree(building_id)).toEqual([['floor', ['wing', ['room']]]])
    await work.flows.moveZone({ building_id, id: wing })
    expect(await tree(building_id)).toEqual([['floor'], ['wing', ['room']]])
    await work.flows.moveZone({ building_id, id: floor, parent_zone_id: wing })
    expect(await tree(building_id)).toEqual([['wing', ['floor'], ['room']]])
    await work.flows.updateZone({ building_id, id: wing, name: 'West', floor: '2' })
    expect((await auditOf(wing)).map((entry) => [entry.action, changesOf(entry)])).toEqual([
      ['createZone', expect.objectContaining({ parent_zone_id: { after: floor } })],
      ['moveZone', { parent_zone_id: { before: floor } }],
      ['updateZone', { name: { before: 'wing', after: 'West' }, floor: { after: '2' } }],
    ])
  })

  test('never lie in themselves', async () => {
    const building_id = await newBuilding()
    const top = await newZone(building_id, 'top')
    const middle = await newZone(building_id, 'middle', top)
    const bottom = await newZone(building_id, 'bottom', middle)
    for (const parent_zone_id of [top, middle, bottom])
      await expect(work.flows.moveZone({ building_id, id: top, parent_zone_id })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('never come to lie in themselves by moves at once', async () => {
    for (let round = 0; round < 5; round++) {
      const building_id = await newBuilding()
      const ids = [await newZone(building_id, 'a'), await newZone(building_id, 'b'), await newZone(building_id, 'c')]
      // a into b, b into c, c into a.
      const moves = ids.map((id, index) => work.flows.moveZone({ building_id, id, parent_zone_id: String(ids[(index + 1) % 3]) }))
      const moved = await Promise.allSettled(moves)
      expect(moved.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      expect((await work.flows.zoneTree({ building_id })).astray).toEqual([])
    }
  })

  test('lie in zones of their own building only', async () => {
    const [here, there] = [await newBuilding(), await newBuilding()]
    const id = await newZone(here, 'here')
    const parent_zone_id = await newZone(there, 'there')
    await expect(work.flows.moveZone({ building_id: here, id, parent_zone_id })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(newZone(here, 'new', parent_zone_id)).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('are at most 32 deep', async () => {
    const building_id = await newBuilding()
    let last = await newZone(building_id, 'z0')
    const first = last
    for (let depth = 1; depth < 32; depth++) last = await newZone(building_id, `z${depth}`, last)
    await expect(newZone(building_id, 'too deep', last)).rejects.toMatchObject({ code: 'InvalidInput' })
    const other = await newZone(building_id, 'other')
    await expect(work.flows.moveZone({ building_id, id: first, parent_zone_id: other })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('that others wrote in a circle are told apart from the tree', async () => {
    const building_id = await newBuilding()
    const a = await newZone(building_id, 'a')
    const b = await newZone(building_id, 'b', a)
    await work.table.Zone.update({ building_id, id: a }, { parent_zone_id: b })
    await newZone(building_id, 'well')
    const { zones, astray } = await work.flows.zoneTree({ building_id })
    expect(names(zones)).toEqual([['well']])
    expect(new Set(astray.map(({ id }) => id))).toEqual(new Set([a, b]))
    await expect(newZone(building_id, 'in it', a)).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('in which there is something stay, unless it goes along', async () => {
    const building_id = await newBuilding()
    const outer = await newZone(building_id, 'outer')
    const inner = await newZone(building_id, 'inner', outer)
    const { id: device } = await work.flows.createDevice({ building_id, name: 'Fan', type: 'hvac', zone_id: inner })
    const message = expect.stringMatching(/^This Zone is in use by a (Zone|Device)\. With `cascade` /)
    for (const id of [outer, inner])
      await expect(work.flows.deleteZone({ building_id, id })).rejects.toMatchObject({ code: 'InUse', message })
    await work.flows.deleteZone({ building_id, id: outer, cascade: true })
    expect(await tree(building_id)).toEqual([])
    expect(await work.table.Device.get({ building_id, id: device }, { consistent: true })).toBeUndefined()
    expect((await auditOf(outer)).map(({ action }) => action)).toEqual(['createZone', 'deleteZone'])
  })

  test('go with the devices in them by those who may delete devices, too; without any by who may delete zones', async () => {
    const building_id = await newBuilding()
    const outer = await newZone(building_id, 'outer')
    const inner = await newZone(building_id, 'inner', outer)
    const empty = await newZone(building_id, 'empty')
    await newZone(building_id, 'in it', empty)
    const { id: device } = await work.flows.createDevice({ building_id, name: 'Fan', type: 'hvac', zone_id: inner })
    const whoMay = async (...resources: string[]) => {
      const permissions = resources.map((resource) => ({ module: 'account-management', action: 'delete', resource }))
      const { id: role_id } = await work.flows.createRole({ client_id: client, name: resources.join(), permissions })
      const { id } = await work.table.User.create({
        client_id: client,
        email: `${resources.join('.')}@ours.example`,
        user_type: 'client_admin',
      })
      await work.flows.assignRole({ user_id: id, role_id, scope_type: 'building', scope_id: building_id })
      return checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: id } })
    }
    const [one, both] = [await whoMay('zone'), await whoMay('zone', 'device')]
    const denied = {
      code: 'Denied',
      message: expect.stringContaining('deleteZone needs account-management:delete:device at this building'),
    }
    for (const id of [outer, inner]) await expect(one.deleteZone({ building_id, id, cascade: true })).rejects.toMatchObject(denied)
    expect(await work.table.Device.get({ building_id, id: device }, { consistent: true })).toMatchObject({ zone_id: inner })
    await one.deleteZone({ building_id, id: empty, cascade: true })
    expect(await tree(building_id)).toEqual([['outer', ['inner']]])
    await both.deleteZone({ building_id, id: outer, cascade: true })
    expect(await work.table.Device.get({ building_id, id: device }, { consistent: true })).toBeUndefined()
  })

  test('of another client are not there', async () => {
    const building_id = await newBuilding()
    const id = await newZone(building_id, 'ours')
    const other = work.acting(eve).flows
    await expect(other.zoneTree({ building_id })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(other.moveZone({ building_id, id })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(other.deleteZone({ building_id, id, cascade: true })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.acting(ada, false).flows.deleteZone({ building_id, id })).rejects.toMatchObject({ code: 'Denied' })
    expect(await tree(building_id)).toEqual([['ours']])
  })
})

describe('zones that are many or large', () => {
  test('of more than 1 MB together, however they were written, are told a page at a time only', async () => {
    const building_id = await newBuilding()
    const geo_json = { outline: 'x'.repeat(300_000) }
    const top = await newZone(building_id, 'top')
    const large = await Promise.all(
      [1, 2, 3].map((each) => work.table.Zone.create({ building_id, name: `${each}`, type: 'office', geo_json })),
    )
    expect((await work.flows.zoneTree({ building_id })).zones).toHaveLength(4)
    large.push(await work.table.Zone.create({ building_id, name: '4', type: 'office', geo_json, parent_zone_id: top }))
    await expect(work.flows.zoneTree({ building_id })).rejects.toMatchObject({
      code: 'TooLarge',
      message: expect.stringContaining('zonesOfBuilding'),
    })
    // An outline is a small part of a zone: one zone is created, moved and deleted among them.
    const inner = await newZone(building_id, 'inner', String(large.at(-1)?.id))
    await work.flows.moveZone({ building_id, id: top, parent_zone_id: String(large[0]?.id) })
    await expect(work.flows.moveZone({ building_id, id: top, parent_zone_id: inner })).rejects.toMatchObject({ code: 'InvalidInput' })
    await work.flows.deleteZone({ building_id, id: String(large[0]?.id), cascade: true })
    expect((await work.flows.zoneTree({ building_id })).zones).toHaveLength(2)
  })

  test('are not all read where one is created: only those that it lies in', async () => {
    const building_id = await newBuilding()
    const top = await newZone(building_id, 'top')
    const created = async () =>
      (await meter(() => work.flows.createZone({ building_id, name: 'in it', type: 'office', parent_zone_id: top }))).cost
    const alone = await created()
    await Promise.all(
      [1, 2, 3].map(() => work.table.Zone.create({ building_id, name: 'large', type: 'office', geo_json: { x: 'x'.repeat(200_000) } })),
    )
    expect((await created()).readUnits).toBe(alone.readUnits)
  })

  test('have an outline of at most 64 KB', async () => {
    const building_id = await newBuilding()
    const issues = [{ path: ['geo_json'], message: 'has more than 65536 bytes as JSON' }]
    const refused = { code: 'InvalidInput', details: { issues } }
    const geo_json = { outline: 'x'.repeat(65_536) }
    await expect(work.flows.createZone({ building_id, name: 'large', type: 'office', geo_json })).rejects.toMatchObject(refused)
    const id = await newZone(building_id, 'small')
    await expect(work.flows.updateZone({ building_id, id, geo_json })).rejects.toMatchObject(refused)
  })
})

describe('a device', () => {
  test('is created, changed, put into a zone and out of it, and deleted; each is recorded', async () => {
    const building_id = await newBuilding()
    const zone_id = await newZone(building_id, 'zone')
    const { id } = await work.acting(ada).flows.createDevice({ building_id, name: 'Cam', type: 'camera', configuration: { fps: 30 } })
    await work.flows.updateDevice({ building_id, id, status: 'inactive', model: 'X' })
    expect(await work.flows.assignDeviceZone({ building_id, id, zone_id })).toMatchObject({ zone_id, client_id: client })
    expect(await work.flows.assignDeviceZone({ building_id, id })).not.toHaveProperty('zone_id')
    await work.flows.deleteDevice({ building_id, id })
    expect((await auditOf(id)).map((entry) => [entry.action, changesOf(entry)])).toEqual([
      ['createDevice', expect.objectContaining({ configuration: { after: { fps: 30 } } })],
      ['updateDevice', { status: { before: 'active', after: 'inactive' }, model: { after: 'X' } }],
      ['assignDeviceZone', { zone_id: { after: zone_id } }],
      ['assignDeviceZone', { zone_id: { before: zone_id } }],
      ['deleteDevice', expect.objectContaining({ name: { before: 'Cam' } })],
    ])
  })

  test('is in a zone of its own building only', async () => {
    const [here, there] = [await newBuilding(), await newBuilding()]
    const zone_id = await newZone(there, 'there')
    const made = { building_id: here, name: 'Fan', type: 'hvac' } as const
    const missing = { code: 'MissingEnd', message: `This building has no zone ${zone_id}, or it is being deleted.` }
    await expect(work.flows.createDevice({ ...made, zone_id })).rejects.toMatchObject(missing)
    const { id } = await work.flows.createDevice(made)
    await expect(work.flows.assignDeviceZone({ building_id: here, id, zone_id })).rejects.toMatchObject(missing)
  })

  test('is seen at the latest time that anyone says, in whatever order', async () => {
    const building_id = await newBuilding()
    const { id } = await work.flows.createDevice({ building_id, name: 'Robot', type: 'robot' })
    const days = ['2026-02-03', '2026-02-01', '2026-02-04', '2026-02-02']
    await Promise.all(days.map((each) => work.flows.deviceSeen({ building_id, id, at: `${each}T00:00:00Z` })))
    expect(await work.table.Device.get({ building_id, id }, { consistent: true })).toMatchObject({
      last_seen_at: '2026-02-04T00:00:00.000Z',
    })
    await expect(work.flows.deviceSeen({ building_id, id, at: '2199-01-01T00:00:00Z' })).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(work.flows.deviceSeen({ building_id, id: idOf('device', 404) })).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('is recorded when it turns up and when it is changed, and not each time that it is seen', async () => {
    const building_id = await newBuilding()
    const { id } = await work.flows.createDevice({ building_id, name: 'Robot', type: 'robot' })
    const first = await work.flows.deviceSeen({ building_id, id })
    for (let count = 0; count < 3; count++) await work.acting(ada).flows.deviceSeen({ building_id, id })
    const device = await work.table.Device.get({ building_id, id }, { consistent: true })
    expect(device?.last_seen_at).not.toBe(first.last_seen_at)
    expect(device?.version).toBe(5)
    await work.flows.updateDevice({ building_id, id, status: 'inactive' })
    expect((await auditOf(id)).map((entry) => [entry.action, changesOf(entry)])).toEqual([
      ['createDevice', expect.anything()],
      ['deviceSeen', { last_seen_at: { after: first.last_seen_at } }],
      ['updateDevice', { status: { before: 'active', after: 'inactive' } }],
    ])
  })
})
