import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../../test/engine/sender-after.ts'
import { type AccountWork, accountWork, changesOf, checkedAccountFlows, linksOf } from '../../../../test/account-flows.ts'
import { dyingSender } from '../../../../test/dying-sender.ts'
import { isOfWork } from '../../../../test/transaction-of-work.ts'
import { linksAtOnceMax } from './role-links.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const clock = () => new Date(now++)
const lease_ms = 5000
const resources = Array.from({ length: 70 }, (_, index) => `room${String(index).padStart(2, '0')}`)
const permissions = resources.map((resource) => ({ module: 'doors', action: 'open', resource }))
const work = await accountWork({ now: clock })
const client_id = (await work.table.Client.create({ name: 'Ours' })).id
const theirs = (await work.table.Client.create({ name: 'Theirs' })).id
for (const permission of permissions) await work.table.Permission.create(permission)

const consistent = { consistent: true }
let count = 0
const make = async (permission_form: 'embedded' | 'linked', of: typeof permissions) =>
  (await work.flows.createRole({ client_id, name: `Role ${++count}`, permission_form, permissions: of })).id
const reload = (id: string) => work.table.Role.get({ client_id, id }, consistent)

/** Does the work in processes that end after ever more writes, until one lives; each time, another process goes on when the lease is over. */
async function endingEverywhere(
  prepare: () => Promise<string>,
  flow: (of: AccountWork, id: string) => Promise<unknown>,
  check: (id: string, writes: number) => Promise<void>,
) {
  let isDead = true
  for (let writes = 0; isDead; writes++) {
    expect(writes).toBeLessThan(60)
    const id = await prepare()
    const dying = dyingSender(work.table.runtime.sender, writes)
    const doomed = await accountWork({ table: work.table.runtime.table, now: clock, sender: dying.sender, patience_ms: 0 })
    await flow(doomed, id).catch(() => {})
    isDead = dying.isDead()
    now += lease_ms
    expect(await work.table.jobs.resume()).toMatchObject({ held: [], failed: [] })
    expect(await work.table.jobs.list()).toEqual([])
    await check(id, writes)
  }
}

describe('a role turns', () => {
  test('from embedded to linked and back, and grants the same', async () => {
    const id = await make('embedded', permissions)
    const change = { client_id, id }
    expect(await work.flows.changeRoleForm({ ...change, permission_form: 'linked' })).toMatchObject({
      permission_form: 'linked',
      permissions: [],
    })
    expect(await linksOf(work, id)).toEqual(resources)
    const entry = (await work.audit(client_id)).findLast(({ entity_id }) => entity_id === id)
    expect(changesOf(entry)).toMatchObject({ permission_form: { before: 'embedded', after: 'linked' } })
    const back = await work.flows.changeRoleForm({ ...change, permission_form: 'embedded' })
    expect(back.permission_form).toBe('embedded')
    expect(new Set(back.permissions.map(({ resource }) => resource))).toEqual(new Set(resources))
    expect(await linksOf(work, id)).toEqual([])
    expect(await work.flows.changeRoleForm({ ...change, permission_form: 'embedded' })).toEqual(back)
  })

  test('and what it is linked to meanwhile is not lost', async () => {
    const id = await make('linked', permissions.slice(0, 3))
    let hasBegun = false
    const late = await accountWork({
      table: work.table.runtime.table,
      now: clock,
      sender: senderAfter(async (operation, input) => {
        // The links are read: what is added now is not among them.
        if (operation === 'TransactWriteItems' && !hasBegun && JSON.stringify(input).includes('AuditLog')) {
          hasBegun = true
          await work.flows.changeRolePermissions({ client_id, id, add: permissions.slice(3, 4) })
        }
      }),
    })
    const { permissions: all } = await late.flows.changeRoleForm({ client_id, id, permission_form: 'embedded' })
    expect(hasBegun).toBe(true)
    expect(all.map(({ resource }) => resource).sort()).toEqual(resources.slice(0, 4))
    expect(await linksOf(work, id)).toEqual([])
  })

  test('only where the catalogue has all that it grants', async () => {
    const id = await make('embedded', [{ module: 'doors', action: '*', resource: 'room00' }])
    await expect(work.flows.changeRoleForm({ client_id, id, permission_form: 'linked' })).rejects.toMatchObject({ code: 'NotFound' })
    expect(await reload(id)).toMatchObject({ permission_form: 'embedded', version: 1 })
    expect(await linksOf(work, id)).toEqual([])
  })

  test('also where the process ends after any of its writes', async () => {
    for (const [from, to] of [
      ['embedded', 'linked'],
      ['linked', 'embedded'],
    ] as const) {
      await endingEverywhere(
        () => make(from, permissions.slice(0, 40)),
        (of, id) => of.flows.changeRoleForm({ client_id, id, permission_form: to }),
        async (id, writes) => {
          const role = await reload(id)
          expect(role?.permission_form).toBe(writes === 0 ? from : to)
          expect(role?.permissions).toHaveLength(role?.permission_form === 'embedded' ? 40 : 0)
          expect(await linksOf(work, id)).toHaveLength(role?.permission_form === 'embedded' ? 0 : 40)
        },
      )
    }
  })
})

test('many links are made with their role also where the process ends after any of its writes', async () => {
  const nameOf = (number: number) => `Whole ${number}`
  const parent_role_id = await make('embedded', permissions.slice(0, 1))
  await endingEverywhere(
    async () => nameOf(++count),
    (of, name) => of.flows.createRole({ client_id, name, parent_role_id, permission_form: 'linked', permissions }),
    async (name, writes) => {
      const named = await work.table.roleOfName({ client_id, name }, consistent)
      if (writes === 0) return expect(named).toBeUndefined()
      expect(await linksOf(work, named?.id ?? '')).toEqual(resources)
      const entries = (await work.audit(client_id)).filter(({ entity_id }) => entity_id === named?.id)
      const granted = entries.flatMap(({ metadata }) => (metadata as { granted?: string[] }).granted ?? [])
      expect(granted.sort()).toEqual(permissions.map(({ resource }) => `doors:open:${resource}`))
    },
  )
})

test('many links are changed as long as the user who asked for it may: the audit says where it ended', async () => {
  const { id: user_id } = await work.table.User.create({ client_id, email: `user${++count}@example.org`, user_type: 'client_admin' })
  const updating = { module: 'account-management', action: 'update', resource: 'role' }
  const opening = { module: 'doors', action: 'open', resource: '*' }
  const { id: role_id } = await work.flows.createRole({ client_id, name: `Role ${++count}`, permissions: [updating, opening] })
  const assignment = { user_id, role_id, scope_type: 'client', scope_id: client_id } as const
  await work.flows.assignRole(assignment)
  const id = await make('linked', [])
  let writes = 0
  const late = await accountWork({
    table: work.table.runtime.table,
    now: clock,
    sender: senderAfter(async (operation, input) => {
      if (isOfWork(operation, input) && ++writes === 2) await work.flows.revokeRole(assignment)
    }),
  })
  const hers = checkedAccountFlows.of(late.table, { actor: { kind: 'user', user_id } })
  await expect(hers.changeRolePermissions({ id, add: permissions })).rejects.toMatchObject({ code: 'VersionConflict' })
  expect(await linksOf(work, id)).toEqual(resources.slice(0, linksAtOnceMax))
  const entry = (await work.audit(client_id)).findLast(({ entity_id }) => entity_id === id)
  expect(entry).toMatchObject({ action: 'changeRolePermissions', status: 'failure', user_id, metadata: { reason: 'NoAssignment' } })
  expect(await work.table.jobs.list()).toEqual([])
})

test('many links are changed also where the process ends after any of its writes', async () => {
  await endingEverywhere(
    () => make('linked', permissions.slice(0, 10)),
    (of, id) => of.flows.changeRolePermissions({ client_id, id, add: permissions.slice(10), remove: permissions.slice(0, 5) }),
    async (id, writes) => {
      expect(await linksOf(work, id)).toEqual(writes === 0 ? resources.slice(0, 10) : resources.slice(5))
    },
  )
})

test('a user moves also where the process ends after any of its writes: to one client or the other, and both audits agree', async () => {
  await endingEverywhere(
    async () => (await work.table.User.create({ client_id, email: `user${++count}@example.org`, user_type: 'client_admin' })).id,
    (of, id) => of.flows.moveUser({ id, client_id: theirs }),
    async (id, writes) => {
      expect(await work.table.User.get({ id }, consistent)).toMatchObject({ client_id: writes === 0 ? client_id : theirs })
      for (const each of [client_id, theirs]) {
        const entries = (await work.audit(each)).filter(({ entity_id }) => entity_id === id)
        expect(entries).toHaveLength(writes === 0 ? 0 : 1)
      }
    },
  )
})
