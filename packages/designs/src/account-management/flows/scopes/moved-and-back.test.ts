import { expect, test } from 'vitest'
import { acting, ada, holdUpWrites, hooks, newProject, work } from '../../../../test/held-up-writes.ts'

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

test('a move of a building that was moved after the look at its place is decided anew', async () => {
  const [from, to, elsewhere] = [await newProject(), await newProject(), await newProject()]
  const { id } = await work.flows.createBuilding({ project_id: from, name: 'Pier' })
  const move = () => work.table.Building.move({ project_id: from, id }, { project_id: elsewhere })
  // The roles of the caller are listed after that look.
  hooks.beforeRead = { key: `USER#${ada}`, work: move }
  expect(await acting.moveBuilding({ id, project_id: to })).toMatchObject({ id, project_id: to })
  expect(hooks.beforeRead).toBeUndefined()
})

test('a change of a building that was moved away is a conflict, also where it comes back before that is looked at', async () => {
  const [from, elsewhere] = [await newProject(), await newProject()]
  const { id } = await work.flows.createBuilding({ project_id: from, name: 'Pier' })
  hooks.meanwhile = async () => {
    await work.table.Building.move({ project_id: from, id }, { project_id: elsewhere })
    const back = () => work.table.Building.move({ project_id: elsewhere, id }, { project_id: from })
    hooks.beforeRead = { key: `BUILDING#${id}`, work: back }
  }
  await expect(work.flows.updateBuilding({ id, name: 'Mole' })).rejects.toMatchObject({ code: 'VersionConflict' })
  expect(hooks.beforeRead).toBeUndefined()
})
