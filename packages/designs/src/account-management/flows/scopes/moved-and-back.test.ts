import { expect, test } from 'vitest'
import { acting, holdUpWrites, hooks, newProject, work } from '../../../../test/held-up-writes.ts'

holdUpWrites()

const consistent = { consistent: true }

test.each([
  ['a move', async (id: string, to: string) => acting.moveBuilding({ id, project_id: to }), 'to'],
  ['a change', async (id: string) => work.flows.updateBuilding({ id, name: 'Mole' }), 'from'],
] as const)('%s of a building that was moved away and back meanwhile is decided anew', async (_, change, ends) => {
  const [from, to, elsewhere] = [await newProject(), await newProject(), await newProject()]
  const { id } = await work.flows.createBuilding({ project_id: from, name: 'Pier' })
  hooks.meanwhile = async () => {
    await work.table.Building.move({ project_id: from, id }, { project_id: elsewhere })
    await work.table.Building.move({ project_id: elsewhere, id }, { project_id: from })
  }
  const { version } = await change(id, to)
  const place = await work.table.BuildingPlace.get({ id }, consistent)
  const project_id = ends === 'to' ? to : from
  expect(place?.project_id).toBe(project_id)
  // Two moves came between.
  expect(version).toBe(4)
  expect(await work.table.Building.get({ project_id, id }, consistent)).toMatchObject({ version, name: ends === 'to' ? 'Pier' : 'Mole' })
})
