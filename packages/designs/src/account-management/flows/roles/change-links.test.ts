import { meter } from '@freehold/table'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../../test/engine/sender-after.ts'
import { accountWork } from '../../../../test/account-flows.ts'
import { idOf, permission } from '../../../../test/account-items.ts'
import { isOfWork } from '../../../../test/transaction-of-work.ts'
import { linksAtOnceMax } from './role-links.ts'

const many = 4 * 3 * linksAtOnceMax
const permissions = Array.from({ length: many }, (_, index) => ({ module: 'doors', action: 'open', resource: `room${index}` }))

const consistent = { consistent: true }
let count = 0
const name = () => `Role ${++count}`
const chosen = () => `5e1ec7ed-0000-4000-8000-${String(++count).padStart(12, '2')}`
const make = async (permission_form: 'embedded' | 'linked', of: typeof permissions, more: object = {}) =>
  (await work.flows.createRole({ client_id: ours, name: name(), permission_form, permissions: of, ...more })).id
async function resourcesOf(role_id: string, client_id = ours): Promise<string[]> {
  const links: string[] = []
  for await (const link of work.table.linksOfRole.all({ role_id }, consistent))
    if (link.client_id === client_id) links.push(String(link.resource))
  return links.sort()
}
const resources = (of: typeof permissions) => of.map(({ resource }) => resource).sort()
const words = (of: typeof permissions) => of.map(({ resource }) => `doors:open:${resource}`)
const failures = async (id: string) => (await work.audit(ours)).filter(({ entity_id, status }) => entity_id === id && status === 'failure')

/** The same table, at which somebody else does something right before the transaction of this number is sent. */
async function interrupted(number: number, meanwhile: () => Promise<unknown>) {
  const { table } = work.table.runtime
  let writes = 0
  return accountWork({
    table,
    sender: senderAfter(async (operation, input) => {
      if (isOfWork(operation, input) && ++writes === number) await meanwhile()
    }),
  })
}

const work = await accountWork()
const ours = (await work.table.Client.create({ name: 'Ours' })).id
const theirs = (await work.table.Client.create({ name: 'Theirs' })).id
const entries = permissions.flatMap(({ module, action, resource }, index) =>
  permission(idOf('permission', index), module, action, resource),
)
await restoreItems(work.table.runtime, entries)

describe('many links take requests in proportion to them', () => {
  const requests = async (run: () => Promise<unknown>) => (await meter(run)).cost.requests
  type Way = (of: typeof permissions) => Promise<() => Promise<unknown>>
  const ways: Readonly<Record<string, Way>> = {
    'to be made': async (of) => {
      const id = await make('linked', [])
      return () => work.flows.changeRolePermissions({ client_id: ours, id, add: of })
    },
    'to be taken away': async (of) => {
      const id = await make('linked', of)
      return () => work.flows.changeRolePermissions({ client_id: ours, id, remove: of })
    },
    'to be made with their role': async (of) => () => make('linked', of),
    'to be made of what is embedded': async (of) => {
      const id = await make('embedded', of)
      return () => work.flows.changeRoleForm({ client_id: ours, id, permission_form: 'linked' })
    },
    'to be embedded': async (of) => {
      const id = await make('linked', of)
      return () => work.flows.changeRoleForm({ client_id: ours, id, permission_form: 'embedded' })
    },
  }
  test.each(Object.entries(ways))('%s', async (_, way) => {
    const few = await requests(await way(permissions.slice(0, many / 4)))
    expect(await requests(await way(permissions))).toBeLessThanOrEqual(4 * few)
  })

  test('however many the role has already', async () => {
    const [bare, full] = [await make('linked', []), await make('linked', permissions.slice(5))]
    const some = permissions.slice(0, 5)
    const adding = (id: string) => requests(() => work.flows.changeRolePermissions({ client_id: ours, id, add: some }))
    const removing = (id: string) => requests(() => work.flows.changeRolePermissions({ client_id: ours, id, remove: some }))
    expect(await adding(full)).toBe(await adding(bare))
    expect(await removing(full)).toBe(await removing(bare))
  })
})

test('no more are taken away at once than are added', async () => {
  const id = await make('linked', permissions.slice(0, 1))
  const remove = Array.from({ length: 1001 }, (_, index) => ({ module: 'doors', action: 'shut', resource: `room${index}` }))
  const refused = { code: 'InvalidInput', details: { issues: [{ path: ['remove'] }] } }
  await expect(work.flows.changeRolePermissions({ client_id: ours, id, remove })).rejects.toMatchObject(refused)
})

describe('the links of another role of the same id', () => {
  const last = permissions.slice(59, 60)
  const refused = { code: 'AlreadyExists', message: expect.stringContaining('doors:open:room59') }
  const linkedByThem = async () => {
    const id = chosen()
    await work.flows.createRole({ client_id: theirs, id, name: name(), permission_form: 'linked', permissions: last })
    return id
  }

  test.each([60, linksAtOnceMax])('is not silently left out of a new role: there is none, and the error says so (of %i)', async (size) => {
    const id = await linkedByThem()
    await expect(make('linked', permissions.slice(60 - size, 60), { id })).rejects.toMatchObject(refused)
    expect(await work.table.Role.get({ client_id: ours, id }, consistent)).toBeUndefined()
    expect(await work.table.jobs.list()).toEqual([])
  })

  test.each([60, 2])('is not silently left out of a change: nothing is changed, and the error says so (of %i)', async (size) => {
    const id = await linkedByThem()
    await make('linked', [], { id })
    const add = permissions.slice(60 - size, 60)
    await expect(work.flows.changeRolePermissions({ client_id: ours, id, add })).rejects.toMatchObject(refused)
    expect(await resourcesOf(id)).toEqual([])
  })

  test.each(['a new role', 'a change'])('nor where that begins while %s is on its way: the error and the audit say so', async (what) => {
    const id = chosen()
    await work.flows.createRole({ client_id: theirs, id, name: name(), permission_form: 'linked' })
    if (what === 'a change') await make('linked', [], { id })
    const late = await interrupted(2, () => work.flows.changeRolePermissions({ client_id: theirs, id, add: last }))
    const add = permissions.slice(0, 60)
    const asked = { client_id: ours, id } as const
    const flow =
      what === 'a change'
        ? late.flows.changeRolePermissions({ ...asked, add })
        : late.flows.createRole({ ...asked, name: name(), permission_form: 'linked', permissions: add })
    await expect(flow).rejects.toMatchObject(refused)
    expect(await resourcesOf(id)).toEqual(resources(permissions.slice(0, 59)))
    const metadata = { reason: 'LinkedToAnother', left: 1, not_granted: words(last), not_withdrawn: [] }
    expect(await failures(id)).toMatchObject([{ metadata }])
    expect(await work.table.jobs.list()).toEqual([])
  })

  test('keeps a role from being linked, and the error says so', async () => {
    const id = await linkedByThem()
    await make('embedded', permissions.slice(0, 60), { id })
    await expect(work.flows.changeRoleForm({ client_id: ours, id, permission_form: 'linked' })).rejects.toMatchObject(refused)
    expect(await resourcesOf(id)).toEqual([])
  })
})

describe('changes of others to a role while many of its links are changed', () => {
  const conflict = { code: 'VersionConflict' }
  const all = permissions.slice(0, 3 * linksAtOnceMax)

  test('stands where its turn is over: what they took away is not given back, and the error and the audit say so', async () => {
    const id = await make('linked', [])
    const late = await interrupted(2, () => work.flows.changeRolePermissions({ client_id: ours, id, remove: all.slice(0, 2) }))
    await expect(late.flows.changeRolePermissions({ client_id: ours, id, add: all })).rejects.toMatchObject(conflict)
    expect(await resourcesOf(id)).toEqual(resources(all.slice(2)))
    const metadata = { reason: 'OthersChanged', left: 2, not_granted: words(all.slice(0, 2)), not_withdrawn: [] }
    expect(await failures(id)).toMatchObject([{ metadata }])
  })

  test('is found done where its turn comes: each link is made and taken away once', async () => {
    const id = await make('linked', all.slice(0, 40))
    const late = await interrupted(2, async () => {
      await work.flows.changeRolePermissions({ client_id: ours, id, add: all.slice(-2) })
      await work.flows.changeRolePermissions({ client_id: ours, id, remove: all.slice(38, 40) })
    })
    await late.flows.changeRolePermissions({ client_id: ours, id, add: all.slice(40), remove: all.slice(0, 40) })
    expect(await resourcesOf(id)).toEqual(resources(all.slice(40)))
    expect(await failures(id)).toEqual([])
  })

  test('may be to embed it: then what was not granted or withdrawn by then is told, and no link is made that would not count', async () => {
    const gone = permissions.slice(200, 200 + linksAtOnceMax + 1)
    const id = await make('linked', gone)
    const late = await interrupted(2, () => work.flows.changeRoleForm({ client_id: ours, id, permission_form: 'embedded' }))
    await expect(late.flows.changeRolePermissions({ client_id: ours, id, add: all, remove: gone })).rejects.toMatchObject(conflict)
    const left = { not_granted: words(all.slice(linksAtOnceMax)), not_withdrawn: words(gone) }
    const metadata = { reason: 'OthersChanged', left: all.length - linksAtOnceMax + gone.length, ...left }
    expect(await failures(id)).toMatchObject([{ metadata }])
    expect(await resourcesOf(id)).toEqual([])
  })

  test('may be to embed it while all is taken away that it has: who asked for that is told that it is not gone', async () => {
    const id = await make('linked', all)
    const late = await interrupted(3, () => work.flows.changeRoleForm({ client_id: ours, id, permission_form: 'embedded' }))
    await expect(late.flows.changeRolePermissions({ client_id: ours, id, remove: all })).rejects.toMatchObject(conflict)
    expect(await failures(id)).toMatchObject([{ metadata: { not_withdrawn: words(all.slice(2 * linksAtOnceMax)) } }])
  })

  test('is followed where its form is changed: it grants after that what it does then', async () => {
    const id = await make('embedded', all)
    const late = await interrupted(3, () =>
      work.flows.changeRolePermissions({ client_id: ours, id, remove: all.slice(0, 2), add: permissions.slice(100, 101) }),
    )
    await late.flows.changeRoleForm({ client_id: ours, id, permission_form: 'linked' })
    expect(await resourcesOf(id)).toEqual(resources([...all.slice(2), ...permissions.slice(100, 101)]))
  })
})
