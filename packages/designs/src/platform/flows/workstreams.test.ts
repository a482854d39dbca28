import { describe, expect, test } from 'vitest'
import { platformScene, platformWork } from '../../../test/platform-flows.ts'
import { mentions } from '../../../test/whole-table.ts'

const work = await platformWork()
const scene = await platformScene(work)
await work.flows.createEnterprise({ id: 'nova', name: 'Nova' })

const denied = (reason: string) => ({ code: 'Denied', details: { reason } })

describe('the default workstream of an account', () => {
  test('is one, however many ensure it at the same time', async () => {
    const { id: accountId } = await work.flows.createAccount({ id: 'acc-1', name: 'Acme' })
    const all = await Promise.all(Array.from({ length: 5 }, () => work.flows.ensureDefaultWorkstream({ accountId })))
    expect(new Set(all.map(({ id, version }) => `${id} ${version}`))).toEqual(new Set(['default-acc-1 1']))
    expect((await work.table.workstreamsOfAccount({ accountId }, { consistent: true })).items).toHaveLength(1)
    await work.flows.updateWorkstream({ accountId, id: 'default-acc-1', name: 'Renamed' })
    expect(await work.flows.ensureDefaultWorkstream({ accountId })).toMatchObject({ name: 'Renamed' })
  })
})

describe('a workstream', () => {
  test('goes with its tools and memberships', async () => {
    const { ours: accountId, friend: userId } = scene
    const mine = work.as(scene.lead)
    const { id } = await mine.createWorkstream({ accountId, name: 'Short' })
    await mine.addTool({ accountId, workstreamId: id, name: 'Lens' })
    await mine.addToWorkstream({ accountId, workstreamId: id, userId })
    await mine.deleteWorkstream({ accountId, id })
    expect((await mentions(work.table, id)).filter((key) => !key.startsWith('CHANGES#'))).toEqual([])
  })

  test('is of an enterprise as operators say', async () => {
    const { ours: accountId, lead } = scene
    const { id } = await work.as(lead).createWorkstream({ accountId, name: 'Ours' })
    const enterpriseId = 'nova'
    await expect(work.as(lead).createWorkstream({ accountId, name: 'x', enterpriseId })).rejects.toMatchObject(denied('OperatorsOnly'))
    await expect(work.as(lead).updateWorkstream({ accountId, id, enterpriseId })).rejects.toMatchObject(denied('OperatorsOnly'))
    await work.flows.updateWorkstream({ accountId, id, enterpriseId })
    expect((await work.table.workstreamsOfEnterprise({ enterpriseId })).items).toMatchObject([{ id }])
    await expect(work.flows.deleteEnterprise({ id: enterpriseId })).rejects.toMatchObject({ code: 'InUse' })
    await expect(work.flows.updateWorkstream({ accountId, id, enterpriseId: 'nowhere' })).rejects.toMatchObject({ code: 'MissingEnd' })
  })

  test('has an id that operators alone choose', async () => {
    const { ours: accountId, lead } = scene
    await expect(work.as(lead).createWorkstream({ accountId, id: 'mine', name: 'x' })).rejects.toMatchObject(denied('OperatorsOnly'))
  })
})

describe('the members of a workstream', () => {
  test('are listed both ways, a page at a time; adding one again keeps its first joinedAt', async () => {
    const { ours: accountId, lead, friend } = scene
    const mine = work.as(lead)
    const { id: workstreamId } = await mine.createWorkstream({ accountId, name: 'Members' })
    const { id: second } = await mine.createWorkstream({ accountId, name: 'Second' })
    const first = await mine.addToWorkstream({ accountId, workstreamId, userId: friend })
    await mine.addToWorkstream({ accountId, workstreamId, userId: lead })
    await mine.addToWorkstream({ accountId, workstreamId: second, userId: friend })
    expect(await mine.addToWorkstream({ accountId, workstreamId, userId: friend })).toEqual(first)
    const page = await mine.membersOfWorkstream({ accountId, workstreamId, limit: 1 })
    const rest = await mine.membersOfWorkstream({ accountId, workstreamId, cursor: page.cursor ?? null })
    expect([...page.items, ...rest.items].map(({ userId }) => userId)).toEqual([friend, lead].sort())
    const { items } = await mine.workstreamsOfMember({ userId: friend })
    expect(items.map((each) => each.workstreamId).sort()).toEqual([workstreamId, second].sort())
  })

  test('are of its account, also where an operator adds one or another account has a workstream of the same id', async () => {
    const { ours: accountId, theirs, stranger, friend } = scene
    await work.flows.createWorkstream({ accountId, id: 'same', name: 'Ours' })
    await work.flows.createWorkstream({ accountId: theirs, id: 'same', name: 'Theirs' })
    const ours = { accountId, workstreamId: 'same' }
    await expect(work.flows.addToWorkstream({ ...ours, userId: stranger })).rejects.toMatchObject({ code: 'MissingEnd' })
    await work.flows.addToWorkstream({ ...ours, userId: friend })
    await work.flows.addToWorkstream({ accountId: theirs, workstreamId: 'same', userId: stranger })
    expect((await work.flows.membersOfWorkstream(ours)).items.map(({ userId }) => userId)).toEqual([friend])
  })
})
