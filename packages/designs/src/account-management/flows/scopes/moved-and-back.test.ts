import { expect, test } from 'vitest'
import { acting, holdUpWrites, hooks, newProject, work } from '../../../../test/held-up-writes.ts'

holdUpWrites()

const consistent = { consistent: true }

test.each([
  ['a move', async (id: string, to: string) => acting.moveBuilding({ id, project_id: to }), 'to'],
  ['a change', async (id: string) => work.flows.updateBuilding({ id, name: 'Mole' }), 'from'],
] as const)('%s of a building that was moved away and back meanwhile is decided anew, or is a conflict', async (_, change, ends) => {
  const [from, to, elsewhere] = [await newProject(), await newProject(), await newProject()]
  const { id } = await work.flows.createBuilding({ project_id: from, name: 'Pier' })
  hooks.meanwhile = async () => {
    await work.table.Building.move({ project_id: from, id }, { project_id: elsewhere })
    const back = () => work.table.Building.move({ project_id: elsewhere, id }, { project_id: from })
    hooks.beforeRead = { key: `BUILDING#${id}`, work: back }
  }
  const outcome = await change(id, to).then(
    () => 'done',
    ({ code }: { readonly code: string }) => code,
  )
  expect(hooks.beforeRead).toBeUndefined()
  const place = await work.table.BuildingPlace.get({ id }, consistent)
  expect([outcome, place?.project_id]).toEqual(ends === 'to' ? ['done', to] : ['VersionConflict', from])
})
