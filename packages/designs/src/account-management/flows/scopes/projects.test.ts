import { describe, expect, test } from 'vitest'
import { accountWork, changesOf } from '../../../../test/account-flows.ts'
import { idOf } from '../../../../test/account-items.ts'

const work = await accountWork()
const ours = (await work.table.Client.create({ name: 'Ours' })).id
const theirs = (await work.table.Client.create({ name: 'Theirs' })).id
const ada = (await work.table.User.create({ client_id: ours, email: 'ada@ours.example', user_type: 'client_admin' })).id
const eve = (await work.table.User.create({ client_id: theirs, email: 'eve@theirs.example', user_type: 'client_admin' })).id

const consistent = { consistent: true }

describe('a project', () => {
  test('is created, changed and deleted with all that is in it, and each is recorded', async () => {
    const { table, flows, audit } = work
    const { id } = await flows.createProject({ client_id: ours, name: 'Harbour', start_date: '2026-01-01', owner_user_id: ada })
    expect(await table.ProjectPlace.get({ id }, consistent)).toMatchObject({ client_id: ours })
    await flows.updateProject({ id, status: 'on-hold', start_date: null })
    const { id: building_id } = await table.Building.create({ project_id: id, name: 'Pier' })
    await table.Setting.create({ scope_type: 'building', scope_id: building_id, key: 'k', value: 'v' })
    await flows.deleteProject({ id })
    expect(await table.ProjectPlace.get({ id }, consistent)).toBeUndefined()
    expect(await table.BuildingPlace.get({ id: building_id }, consistent)).toBeUndefined()
    const entries = (await audit(ours)).filter(({ entity_id }) => entity_id === id)
    expect(entries.map((entry) => [entry.action, entry.entity_type, changesOf(entry)])).toEqual([
      ['createProject', 'Project', expect.objectContaining({ name: { after: 'Harbour' }, owner_user_id: { after: ada } })],
      ['updateProject', 'Project', { status: { before: 'active', after: 'on-hold' }, start_date: { before: '2026-01-01' } }],
      ['deleteProject', 'Project', expect.objectContaining({ status: { before: 'on-hold' } })],
    ])
  })

  test('that names no client is of the client of the user who creates it; an operator has none', async () => {
    expect(await work.acting(ada).flows.createProject({ name: 'Mine' })).toMatchObject({ client_id: ours })
    await expect(work.flows.createProject({ name: 'Whose' })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('is of a client that is there and stays', async () => {
    await expect(work.flows.createProject({ client_id: idOf('client', 404), name: 'p' })).rejects.toMatchObject({ code: 'NotFound' })
    const { id } = await work.table.Client.create({ name: 'Going' })
    await work.table.Client.remove({ id }, { wait: false })
    await expect(work.flows.createProject({ client_id: id, name: 'p' })).rejects.toMatchObject({ code: 'BeingDeleted' })
  })

  test('has an owner of its client, or an internal one', async () => {
    const { id: internal } = await work.table.User.create({ email: 'root@example.org', user_type: 'internal' })
    const { id } = await work.flows.createProject({ client_id: ours, name: 'Owned', owner_user_id: internal })
    await expect(work.flows.updateProject({ id, owner_user_id: eve })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.flows.createProject({ client_id: ours, name: 'p', owner_user_id: eve })).rejects.toMatchObject({ code: 'NotFound' })
    expect(await work.flows.updateProject({ id, owner_user_id: ada })).toMatchObject({ owner_user_id: ada })
  })

  test('does not end before it begins', async () => {
    const { flows } = work
    const invalid = { code: 'InvalidInput', details: { issues: [{ path: ['end_date'] }] } }
    const days = (start_date?: string | null, end_date?: string | null) => ({ start_date, end_date })
    const made = { client_id: ours, name: 'Dated' }
    await expect(flows.createProject({ ...made, ...days('2026-03-02', '2026-03-01') })).rejects.toMatchObject(invalid)
    await flows.createProject({ ...made, ...days('2026-03-02', '2026-03-02') })
    const { id } = await flows.createProject({ ...made, ...days('2026-03-02') })
    await expect(flows.updateProject({ id, end_date: '2026-03-01' })).rejects.toMatchObject(invalid)
    await flows.updateProject({ id, end_date: '2026-03-09' })
    await expect(flows.updateProject({ id, start_date: '2026-03-10' })).rejects.toMatchObject(invalid)
    await flows.updateProject({ id, ...days('2026-03-10', '2026-03-11') })
    expect(await flows.updateProject({ id, ...days(null, '2026-01-01') })).toMatchObject({ end_date: '2026-01-01' })
    expect(await flows.updateProject({ id, name: 'Renamed' })).toMatchObject({ name: 'Renamed' })
  })

  test.each(['', ' \t', 'x'.repeat(390_000)])('is called something: %.20j is no name', async (name) => {
    await expect(work.flows.createProject({ client_id: ours, name })).rejects.toMatchObject({ code: 'InvalidInput' })
    const { id } = await work.flows.createProject({ client_id: ours, name: 'Named' })
    await expect(work.flows.updateProject({ id, name })).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(work.flows.createBuilding({ project_id: id, name })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('is asked for at the place that each flow is about', async () => {
    const { id } = await work.flows.createProject({ client_id: ours, name: 'Asked' })
    const user = work.acting(ada)
    await user.flows.createProject({ name: 'New' })
    await user.flows.updateProject({ id, region: 'north' })
    await user.flows.deleteProject({ id })
    const needed = (action: string) => ({
      user: ada,
      client: ours,
      permission: { module: 'account-management', action, resource: 'project' },
    })
    expect(user.asked.map((each) => (each as { question: unknown }).question)).toEqual([
      needed('create'),
      { ...needed('update'), project: id },
      needed('delete'),
    ])
  })

  test('is not changed by one who may not, nor by another client’s', async () => {
    const project = await work.flows.createProject({ client_id: ours, name: 'Kept' })
    const { id } = project
    for (const flows of [work.acting(ada, false).flows, work.acting(eve).flows]) {
      const code = expect.stringMatching(/^(Denied|NotFound)$/)
      await expect(flows.updateProject({ id, name: 'x' })).rejects.toMatchObject({ code })
      await expect(flows.deleteProject({ id })).rejects.toMatchObject({ code })
      await expect(flows.createProject({ client_id: ours, name: 'x' })).rejects.toMatchObject({ code })
    }
    await expect(work.acting(ada, false).flows.deleteProject({ id })).rejects.toMatchObject({ code: 'Denied' })
    await expect(work.acting(eve).flows.deleteProject({ id })).rejects.toMatchObject({ code: 'NotFound' })
    expect(await work.table.Project.get({ client_id: ours, id }, consistent)).toEqual(project)
  })
})

describe('a building', () => {
  const projectOf = async (client_id: string) => (await work.flows.createProject({ client_id, name: 'p' })).id

  test('is created, changed and deleted, and each is recorded for its client', async () => {
    const { flows, table, audit } = work
    const project_id = await projectOf(ours)
    const { id } = await flows.createBuilding({ project_id, name: 'Pier', floors: 3 })
    await flows.updateBuilding({ id, city: 'Kiel', floors: null })
    await flows.deleteBuilding({ id })
    expect(await table.BuildingPlace.get({ id }, consistent)).toBeUndefined()
    const entries = (await audit(ours)).filter(({ entity_id }) => entity_id === id)
    expect(entries.map((entry) => [entry.action, entry.client_id, changesOf(entry)])).toEqual([
      ['createBuilding', ours, expect.objectContaining({ floors: { after: 3 }, client_id: { after: ours } })],
      ['updateBuilding', ours, { city: { after: 'Kiel' }, floors: { before: 3 } }],
      ['deleteBuilding', ours, expect.objectContaining({ city: { before: 'Kiel' } })],
    ])
  })

  test('is in a time zone that there is, as is a client', async () => {
    const { flows } = work
    const project_id = await projectOf(ours)
    const { id } = await flows.createBuilding({ project_id, name: 'Pier', timezone: 'Europe/Berlin' })
    const invalid = { code: 'InvalidInput', details: { issues: [{ path: ['timezone'] }] } }
    for (const timezone of ['Nowhere/None', '', '+01:00']) {
      await expect(flows.createBuilding({ project_id, name: 'Pier', timezone })).rejects.toMatchObject(invalid)
      await expect(flows.updateBuilding({ id, timezone })).rejects.toMatchObject(invalid)
      await expect(flows.createClient({ name: 'Where', timezone })).rejects.toMatchObject(invalid)
      await expect(flows.updateClient({ id: ours, timezone })).rejects.toMatchObject(invalid)
    }
    for (const timezone of ['UTC', 'Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires'])
      expect(await flows.updateBuilding({ id, timezone })).toMatchObject({ timezone })
    expect(await flows.updateBuilding({ id, timezone: null })).not.toHaveProperty('timezone')
  })

  test('moves to another project of its client, with all that is in it', async () => {
    const { flows, table, audit } = work
    const [from, to] = [await projectOf(ours), await projectOf(ours)]
    const { id } = await flows.createBuilding({ project_id: from, name: 'Pier' })
    const { id: zone } = await table.Zone.create({ building_id: id, name: 'z', type: 'lobby' })
    expect(await flows.moveBuilding({ id, project_id: to })).toMatchObject({ project_id: to, client_id: ours })
    expect(await table.BuildingPlace.get({ id }, consistent)).toMatchObject({ project_id: to, client_id: ours })
    expect(await table.Building.get({ project_id: from, id }, consistent)).toBeUndefined()
    expect(await table.Zone.get({ building_id: id, id: zone }, consistent)).toBeDefined()
    expect((await audit(ours)).at(-1)).toMatchObject({ action: 'moveBuilding', entity_id: id })
    expect(changesOf((await audit(ours)).at(-1))).toEqual({ project_id: { before: from, after: to } })
    const before = (await audit(ours)).length
    expect(await flows.moveBuilding({ id, project_id: to })).toMatchObject({ version: 2 })
    expect(await audit(ours)).toHaveLength(before)
  })

  test('does not move to another client', async () => {
    const { flows } = work
    const [from, to] = [await projectOf(ours), await projectOf(theirs)]
    const building = await flows.createBuilding({ project_id: from, name: 'Pier' })
    const { id } = building
    await expect(flows.moveBuilding({ id, project_id: to })).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(work.acting(ada).flows.moveBuilding({ id, project_id: to })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.acting(eve).flows.moveBuilding({ id, project_id: to })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.acting(eve).flows.updateBuilding({ id, name: 'x' })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.acting(eve).flows.createBuilding({ project_id: from, name: 'x' })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.acting(ada, false).flows.moveBuilding({ id, project_id: to })).rejects.toMatchObject({ code: 'Denied' })
    expect(await work.table.Building.get({ project_id: from, id }, consistent)).toEqual(building)
  })

  test('that ten move at once is in one place, where the last recorded move left it', async () => {
    const { flows, table, audit } = work
    const projects = await Promise.all(Array.from({ length: 5 }, () => projectOf(ours)))
    const { id } = await flows.createBuilding({ project_id: projects[0] ?? '', name: 'Contested' })
    await Promise.all([...projects, ...projects].map((project_id) => flows.moveBuilding({ id, project_id })))
    const places = await Promise.all(projects.map((project_id) => table.Building.get({ project_id, id }, consistent)))
    const [there, ...elsewhere] = places.flatMap((place) => place ?? [])
    expect(elsewhere).toEqual([])
    expect(await table.BuildingPlace.get({ id }, consistent)).toMatchObject({ project_id: there?.project_id })
    const moves = (await audit(ours)).filter(({ entity_id, action }) => entity_id === id && action === 'moveBuilding')
    expect(moves).toHaveLength(Number(there?.version) - 1)
  })
})
