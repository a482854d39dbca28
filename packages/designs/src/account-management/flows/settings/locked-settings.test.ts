import { beforeEach, describe, expect, test } from 'vitest'
import { accountWork, checkedAccountFlows } from '../../../../test/account-flows.ts'

// Who may lock a setting, and what the flows say where one is locked, or not set at all.

const work = await accountWork()
const { table } = work
const client = (await table.Client.create({ name: 'Ours' })).id
const project = (await table.Project.create({ client_id: client, name: 'Harbour' })).id
const building = (await table.Building.create({ project_id: project, name: 'Pier' })).id
const ada = await userWho('write', 'read')
const writer = checkedAccountFlows.of(table, { actor: { kind: 'user', user_id: ada } })
const locker = checkedAccountFlows.of(table, { actor: { kind: 'user', user_id: await userWho('write', 'read', 'lock') } })

/** A user who may do these with all settings of the client. */
async function userWho(...actions: readonly string[]): Promise<string> {
  const permissions = actions.map((action) => ({ module: 'account-management', action, resource: 'setting' }))
  const { id: role_id } = await work.table.Role.create({ client_id: client, name: actions.join(), permissions })
  const email = `${actions.join('.')}@ours.example`
  const { id: user_id } = await work.table.User.create({ client_id: client, email, user_type: 'client_admin' })
  const scope = { scope_type: 'client', scope_id: client } as const
  await work.table.UserRoleAssignment.create({ user_id, role_id, role_owner: client, ...scope })
  return user_id
}

let count = 0
let key: string
beforeEach(() => {
  key = `key ${++count}`
})
const at = {
  client: () => ({ scope_type: 'client', scope_id: client, key }) as const,
  project: () => ({ scope_type: 'project', scope_id: project, key }) as const,
  building: () => ({ scope_type: 'building', scope_id: building, key }) as const,
  user: () => ({ scope_type: 'user', scope_id: ada, key }) as const,
}
const denied = { code: 'Denied', message: expect.stringContaining('account-management:lock:setting at this ') }

describe('a lock', () => {
  test.each(['client', 'building', 'user'] as const)('at a %s is put on, and taken off, by those who may lock alone', async (level) => {
    const id = at[level]()
    await expect(writer.setSetting({ ...id, value: 'x', is_overridable: false })).rejects.toMatchObject(denied)
    await writer.setSetting({ ...id, value: 'x', is_overridable: true })
    await expect(writer.setSetting({ ...id, value: 'y', is_overridable: false })).rejects.toMatchObject(denied)
    await expect(writer.lockSetting(id)).rejects.toMatchObject(denied)
    await locker.setSetting({ ...id, value: '1', is_overridable: false })
    await expect(writer.setSetting({ ...id, value: 'z', is_overridable: true })).rejects.toMatchObject(denied)
    await expect(writer.unlockSetting(id)).rejects.toMatchObject(denied)
    await expect(writer.unsetSetting(id)).rejects.toMatchObject(denied)
    for (const change of [{ value: 'z' }, { value: 'z', is_overridable: false }, { value: '1', value_type: 'number' as const }])
      await expect(writer.setSetting({ ...id, ...change })).rejects.toMatchObject(denied)
    expect(await writer.setSetting({ ...id, value: '1', description: 'why' })).toMatchObject({ value: '1', description: 'why' })
    expect(await locker.setSetting({ ...id, value: 'z' })).toMatchObject({ value: 'z', is_overridable: false })
    await locker.unsetSetting(id)
    await writer.setSetting({ ...id, value: 'x' })
    await writer.unsetSetting(id)
  })

  test('that comes with a value is recorded with it, once, of however many who set at once; after it only those who may lock do', async () => {
    const flows = [writer, locker]
    const set = Array.from({ length: 8 }, (_, index) =>
      flows[index % 2]?.setSetting({ ...at.client(), value: `${index}`, ...(index % 2 === 0 ? {} : { is_overridable: false }) }),
    )
    const done = await Promise.allSettled(set)
    const refused = done.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(done.flatMap(({ status }, index) => (index % 2 === 1 ? [status] : []))).toEqual(Array(4).fill('fulfilled'))
    for (const error of refused) expect(error).toMatchObject(denied)
    const setting = await work.table.Setting.get(at.client(), { consistent: true })
    expect(setting).toMatchObject({ is_overridable: false, version: 8 - refused.length })
    expect((await work.audit(client)).filter(({ entity_id }) => entity_id === setting?.id)).toHaveLength(8 - refused.length)
  })
})

describe('a value beneath a lock', () => {
  test('is kept, and whoever sets it is told what overrules it', async () => {
    expect(await writer.setSetting({ ...at.project(), value: 'ours' })).not.toHaveProperty('overruled_by')
    await locker.setSetting({ ...at.client(), value: '7', value_type: 'number', is_overridable: false })
    const overruled_by = { scope_type: 'client', scope_id: client, value: 7 }
    for (const level of ['project', 'building', 'user'] as const) {
      expect(await writer.setSetting({ ...at[level](), value: 'mine' })).toMatchObject({ value: 'mine', overruled_by })
      expect(await writer.resolveSetting(at[level]())).toMatchObject({ value: 7, scope_type: 'client' })
    }
    expect(await locker.setSetting({ ...at.client(), value: '8' })).not.toHaveProperty('overruled_by')
    await locker.unlockSetting(at.client())
    expect(await writer.setSetting({ ...at.building(), value: 'again' })).not.toHaveProperty('overruled_by')
    expect(await writer.resolveSetting(at.building())).toMatchObject({ value: 'again' })
  })

  test('is overruled by the lock that is nearest to the root', async () => {
    for (const level of ['client', 'project'] as const) await locker.setSetting({ ...at[level](), value: level, is_overridable: false })
    expect(await writer.setSetting({ ...at.building(), value: 'x' })).toMatchObject({
      overruled_by: { scope_type: 'client', value: 'client' },
    })
    await locker.unlockSetting(at.client())
    expect(await writer.setSetting({ ...at.building(), value: 'y' })).toMatchObject({
      overruled_by: { scope_type: 'project', value: 'project' },
    })
    // A user is below its client, and not below every project.
    expect(await writer.setSetting({ ...at.user(), value: 'z' })).not.toHaveProperty('overruled_by')
  })
})

test('a setting that is set nowhere is told so, with where it was looked for', async () => {
  const looked_at = [at.client(), at.project(), at.building()].map(({ scope_type, scope_id }) => ({ scope_type, scope_id }))
  expect(await work.flows.resolveSetting(at.building())).toEqual({ key, is_set: false, looked_at })
})
