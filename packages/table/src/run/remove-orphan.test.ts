import { expect, test } from 'vitest'
import { ownTableOf } from '../../../../test/engine/own-table.ts'
import { agency, SitePlace } from '../../test/agency/design.ts'
import { SensorById, Site } from '../../test/depot/design.ts'
import { deleteRaw, rawItem } from '../../test/depot/raw.ts'
import { ownDepot } from '../../test/depot/table.ts'
import { removeOrphan } from './remove-orphan.ts'

test('a mirror goes where its owner is gone, and stays where that is there', async () => {
  const table = await ownDepot()
  await table.Site.create({ site: 'north', name: 'North' })
  const room = await table.Room.create({ site: 'north', name: 'hall' })
  const sensor = await table.Sensor.create({ room: room.id })
  const mirror = await table.SensorById.get({ id: sensor.id })
  if (mirror === undefined) throw new Error('a mirror is written with its owner')
  expect(await removeOrphan(table.runtime, SensorById, mirror)).toBe(false)
  const { PK, SK } = (await rawItem(table, `ROOM#${room.id}`, `SENSOR#${sensor.id}`)) ?? {}
  await deleteRaw(table, String(PK), String(SK))
  expect(await table.SensorById.get({ id: sensor.id })).toBeDefined()
  for (let times = 0; times < 2; times++) expect(await removeOrphan(table.runtime, SensorById, mirror)).toBe(true)
  expect(await table.SensorById.get({ id: sensor.id })).toBeUndefined()
  await expect(removeOrphan(table.runtime, Site, { site: 'north' })).rejects.toMatchObject({ code: 'InvalidInput' })
})

test('a mirror of another tenant’s is not touched', async () => {
  const table = await ownTableOf(agency)
  const [ours, theirs] = [await table.Firm.create({ name: 'Ours' }), await table.Firm.create({ name: 'Theirs' })]
  const { firm_id, id } = await table.Site.create({ firm_id: ours.id, name: 'Ours' })
  const denied = { code: 'Denied', details: { reason: 'AnotherTenant' } }
  await expect(removeOrphan(table.forTenant(theirs.id).runtime, SitePlace, { firm_id, id })).rejects.toMatchObject(denied)
  expect(await removeOrphan(table.forTenant(ours.id).runtime, SitePlace, { firm_id, id })).toBe(false)
  // Said to be one's own, it is not: the owner under that name is not there, and yet this is not its mirror.
  expect(await removeOrphan(table.forTenant(theirs.id).runtime, SitePlace, { firm_id: theirs.id, id })).toBe(false)
  expect(await table.SitePlace.get({ id })).toBeDefined()
})
