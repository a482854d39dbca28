import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountWork, accountWork } from '../../../test/account-flows.ts'

let work: AccountWork
let ours: string
let theirs: string
let eve: string
let from: string
let to: string
let linked: string
const permissions = Array.from({ length: 30 }, (_, index) => ({ module: 'doors', action: 'open', resource: `room${index}` }))
beforeAll(async () => {
  work = await accountWork()
  const { table, flows } = work
  ours = (await table.Client.create({ name: 'Ours' })).id
  theirs = (await table.Client.create({ name: 'Theirs' })).id
  eve = (await table.User.create({ client_id: theirs, email: 'eve@example.org', user_type: 'client_admin' })).id
  for (const permission of permissions) await table.Permission.create(permission)
  from = (await flows.createRole({ client_id: theirs, name: 'from' })).id
  to = (await flows.createRole({ client_id: theirs, name: 'to' })).id
  linked = (await flows.createRole({ client_id: theirs, name: 'linked', permission_form: 'linked' })).id
  await flows.assignRole({ user_id: eve, role_id: from, scope_type: 'client', scope_id: theirs })
  await flows.createSession({ user_id: eve })
  await flows.createToken({ user_id: eve, token_type: 'api' })
})
afterAll(() => work.table.close())

const consistent = { consistent: true }
const starting: Readonly<Record<string, () => Promise<unknown>>> = {
  revokeAllRoles: () => work.flows.revokeAllRoles({ user_id: eve, wait: false }),
  revokeSessions: () => work.flows.revokeSessions({ user_id: eve, wait: false }),
  revokeTokens: () => work.flows.revokeTokens({ user_id: eve, wait: false }),
  reassignRole: () => work.flows.deleteRole({ client_id: theirs, id: from, reassign_to: to, wait: false }),
}

/** What all these jobs would change. */
const seen = async () => ({
  roles: (await work.table.rolesOfUser({ user_id: eve }, consistent)).items,
  sessions: (await work.table.sessionsOfUser({ user_id: eve }, consistent)).items,
  tokens: (await work.table.tokensOfUser({ user_id: eve }, consistent)).items,
  links: (await work.table.linksOfRole({ role_id: linked }, consistent)).items,
  role: await work.table.Role.get({ client_id: theirs, id: from }, consistent),
  linked: await work.table.Role.get({ client_id: theirs, id: linked }, consistent),
})

describe('a job that is for a client', () => {
  test.each(Object.keys(starting))('(%s) says so in its record, and is done behind the wall of that client', async (name) => {
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
