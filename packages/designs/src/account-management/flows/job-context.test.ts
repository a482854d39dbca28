import type { FlowOptions } from '@freehold/frame/flow'
import { beforeEach, describe, expect, test } from 'vitest'
import { accountWork, checkedAccountFlows } from '../../../test/account-flows.ts'
import { answering, holding } from '../../../test/flow-decider.ts'

const permissions = Array.from({ length: 30 }, (_, index) => ({ module: 'doors', action: 'open', resource: `room${index}` }))
const work = await accountWork()
const { table, flows } = work
const ours = (await table.Client.create({ name: 'Ours' })).id
const theirs = (await table.Client.create({ name: 'Theirs' })).id
const eve = (await table.User.create({ client_id: theirs, email: 'eve@example.org', user_type: 'client_admin' })).id
for (const permission of permissions) await table.Permission.create(permission)
const from = (await flows.createRole({ client_id: theirs, name: 'from' })).id
const to = (await flows.createRole({ client_id: theirs, name: 'to' })).id
const linked = (await flows.createRole({ client_id: theirs, name: 'linked', permission_form: 'linked' })).id
await flows.assignRole({ user_id: eve, role_id: from, scope_type: 'client', scope_id: theirs })
await flows.createSession({ user_id: eve })
await flows.createToken({ user_id: eve, token_type: 'api' })

const consistent = { consistent: true }
const starting: Readonly<Record<string, () => Promise<unknown>>> = {
  revokeAllRoles: () => work.flows.revokeAllRoles({ user_id: eve, wait: false }),
  revokeSessions: () => work.flows.revokeSessions({ user_id: eve, wait: false }),
  revokeTokens: () => work.flows.revokeTokens({ user_id: eve, wait: false }),
  reassignRole: () => work.flows.deleteRole({ client_id: theirs, id: from, reassign_to: to, wait: false }),
}

/** The items that all these jobs would change. */
const seen = async () => ({
  roles: (await work.table.rolesOfUser({ user_id: eve }, consistent)).items,
  sessions: (await work.table.sessionsOfUser({ user_id: eve }, consistent)).items,
  tokens: (await work.table.tokensOfUser({ user_id: eve }, consistent)).items,
  links: (await work.table.linksOfRole({ role_id: linked }, consistent)).items,
  role: await work.table.Role.get({ client_id: theirs, id: from }, consistent),
  linked: await work.table.Role.get({ client_id: theirs, id: linked }, consistent),
})

describe('a job that is for a client', () => {
  test.each(Object.keys(starting))('(%s) says so in its record, and is done within the tenant scope of that client', async (name) => {
    const before = await seen()
    await starting[name]?.()
    const [job] = await work.table.jobs.list()
    expect(job).toMatchObject({ entity: name, input: { client_id: theirs } })
    // The same for another client: nothing of what it is about is there.
    const { input, key } = job as unknown as { readonly input: object; readonly key: { readonly PK: string } }
    const { sender, table } = work.table.runtime
    await sender.send('DeleteItem', { TableName: table, Key: { PK: { S: 'FREEHOLD_JOBS' }, SK: { S: `JOB#${job?.id}` } } })
    await work.table.jobs.start(name, { subject: key.PK, input: { ...input, client_id: ours } as never })
    expect(await seen()).toEqual(before)
  })

  test('changes no links of another client’s role', async () => {
    const before = await seen()
    const caller = { kind: 'operator' }
    const about = { client_id: ours, role_id: linked, caller }
    await work.table.jobs.start('changeRoleLinks', { subject: 'x', input: { ...about, add: permissions, remove: [], severity: 'info' } })
    await work.table.jobs.start('changeRoleForm', { subject: 'x', input: { ...about, form: 'embedded' } })
    expect(await seen()).toEqual(before)
  })
})

describe('a job that goes on asks the design’s own decisions, which whoever resumes it has', () => {
  let count = 0
  let mallory: string
  let role: string
  beforeEach(async () => {
    const { table, flows } = work
    mallory = (await table.User.create({ client_id: ours, email: `mallory${++count}@example.org`, user_type: 'client_admin' })).id
    role = (await flows.createRole({ client_id: ours, name: `linked ${mallory}`, permission_form: 'linked' })).id
  })
  const links = async () => (await work.table.linksOfRole({ role_id: role }, { ...consistent, limit: 100 })).items.length
  const adding = (add: typeof permissions, decider: FlowOptions['decider']) =>
    checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: mallory } }, { decider }).changeRolePermissions({ id: role, add })

  test('and does not what only another decider allowed that started it', async () => {
    const everything = holding([{ module: '*', action: '*', resource: '*' }])
    await adding(permissions.slice(0, 1), everything)
    expect(await links()).toBe(1)
    await expect(adding(permissions, everything)).rejects.toMatchObject({ code: 'VersionConflict' })
    expect(await links()).toBe(1)
    const [last] = (await work.audit(ours)).slice(-1)
    expect(last).toMatchObject({ user_id: mallory, status: 'failure', metadata: { reason: 'NoAssignment' } })
  })

  test('and does what they allow once another has let it start', async () => {
    const own = [
      { module: 'account-management', action: 'update', resource: 'role' },
      { module: 'doors', action: 'open', resource: '*' },
    ]
    const { id } = await work.flows.createRole({ client_id: ours, name: `own ${mallory}`, permissions: own })
    await work.flows.assignRole({ user_id: mallory, role_id: id, scope_type: 'client', scope_id: ours })
    let asked = 0
    const once = { ...holding(permissions), why: answering(() => ({ allowed: ++asked === 1 })).decider.why }
    await adding(permissions, once)
    expect([await links(), asked]).toEqual([permissions.length, 1])
    await expect(adding(permissions, once)).rejects.toMatchObject({ code: 'Denied' })
  })
})
