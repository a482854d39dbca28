import { operator } from '@freehold/frame/flow'
import { adoptJob } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { entityOf, foreignTable, itemsOf } from '../../test/documents/written.ts'
import { decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'
import { offeredAccountFlows } from './flows/flows.ts'

const items = itemsOf('account-management')
const keys = itemsOf('account-management.keys')
const id = (letters: string) => `${letters.repeat(4)}-0000-4000-8000-000000000001`
const [client, project, building, user, role] = ['c1', 'd0', 'b0', 'a0', 'e0'].map(id) as [string, string, string, string, string]
const module_id = id('fa')
const permission = 'cameras:read:stream'
const at = { client, project, building }

type Change = Readonly<Record<string, unknown>>
/** The items of the document, some of them changed; without those that are undefined. */
const written = (changes: Readonly<Record<string, Change | undefined>> = {}) =>
  Object.entries(items).flatMap(([name, item]) => (name in changes && changes[name] === undefined ? [] : [{ ...item, ...changes[name] }]))
const decided = async (changes?: Parameters<typeof written>[0], tenant?: string) => {
  const table = await foreignTable(accountManagement, written(changes))
  return decideAccountManagement(tenant === undefined ? table.runtime : table.forTenant(tenant).runtime)
}
const withoutIndexes = (item: Change): Change =>
  Object.fromEntries(Object.keys(item).flatMap((name) => (name.startsWith('GSI') ? [[name, undefined]] : [])))

const allowed = { allowed: true }
const denied = (code: string) => ({ allowed: false, reason: { code } })

describe('an organisation that another program wrote is decided over', () => {
  test.each([
    ['by ids', { user, ...at }],
    ['by the e-mail address, which GSI3 finds', { user: 'Ada@example.org', ...at }],
    ['at its project', { user, client, project }],
    ['at a bare building of a client, which GSI1 finds', { user, client, building }],
    ['with a module', { user, ...at, module_id }],
  ])('%s', async (_, question) => {
    const decider = await decided()
    expect(await decider.can({ ...question, permission })).toEqual(allowed)
    expect(await decider.can({ ...question, permission: 'cameras:write:stream' })).toMatchObject(denied('NoGrant'))
    const why = await decider.why({ ...question, permission })
    expect(why.chains[0]?.map(({ entity }) => entity)).toEqual(expect.arrayContaining(['User', 'Client', 'UserRoleAssignment', 'Role']))
    expect(await decider.what(question)).toMatchObject({
      items: [{ permission: { module: 'cameras', action: 'read', resource: 'stream' }, grantedBy: { role_id: role, role_owner: client } }],
    })
    expect(await decider.access(question)).toMatchObject({ grants: [{ scopes: [expect.anything()] }] })
  })

  test.each([
    ['by ids', { user, ...at }],
    ['by the e-mail address', { user: 'ada@example.org', ...at }],
    ['at a bare project', { user, project }],
    ['at a bare building', { user, building }],
    ['with a module', { user, ...at, module_id }],
  ])('for its client alone, %s', async (_, question) => {
    expect(await (await decided({}, client)).can({ ...question, permission })).toEqual(allowed)
    expect(await (await decided({}, id('cc'))).can({ ...question, permission })).toMatchObject({ allowed: false })
  })

  const ofNoClient = { client_id: undefined, GSI1PK: undefined, GSI1SK: undefined, GSI4PK: undefined, GSI4SK: undefined }
  test('for its client alone, with an internal user', async () => {
    const changes = { User: { ...ofNoClient, user_type: 'internal' } }
    for (const name of [user, 'ada@example.org']) {
      expect(await (await decided(changes, client)).can({ user: name, ...at, permission })).toEqual(allowed)
      expect(await (await decided(changes, id('cc'))).can({ user: name, ...at, permission })).toMatchObject({ allowed: false })
    }
  })

  test('for its client alone, with an assignment that an operator changed, once its client is known', async () => {
    const table = await foreignTable(accountManagement, written(), { jobHandlers: offeredAccountFlows.jobHandlers })
    const assignment = { user_id: user, scope_type: 'project', scope_id: project, role_id: role }
    await table.repositoryNamed('UserRoleAssignment').update(assignment, { expires_at: '2998-01-01T00:00:00Z' })
    const can = (tenant: string) => decideAccountManagement(table.forTenant(tenant).runtime).can({ user, ...at, permission })
    // An item of ours without a tenant is nobody's.
    expect(await can(client)).toMatchObject(denied('NoAssignment'))
    await table.jobs.start(adoptJob, { subject: 'account-management', input: null })
    expect(await can(client)).toEqual(allowed)
    expect(await can(id('cc'))).toMatchObject({ allowed: false })
  })

  test('everywhere, in a snapshot', async () => {
    expect(await (await decided()).access({ user })).toMatchObject({ grants: [{ scopes: [{ client_id: client, project_id: project }] }] })
  })

  test.each<[string, Parameters<typeof written>[0], object]>([
    ['a client without a status is active', { Client: { status: undefined } }, allowed],
    ['a user without a status is not', { User: { status: undefined } }, denied('UserDisabled')],
    ['a subscription without a status entitles nobody', { ServiceSubscription: { status: undefined } }, denied('NotEntitled')],
    [
      'a user without a client is not internal unless its type says so',
      { User: { client_id: undefined, ...withoutIndexes(items.User ?? {}), user_type: undefined } },
      denied('ForeignUser'),
    ],
    ['a role without permissions grants none', { Role: { permissions: undefined } }, denied('NoGrant')],
    ['a role without a name grants', { Role: { name: undefined } }, allowed],
    [
      'a role that is null for its client is of the system',
      { Role: { PK: 'SYSTEM', client_id: null, ...withoutIndexes(items.Role ?? {}) } },
      allowed,
    ],
    ['index keys are not asked', Object.fromEntries(Object.entries(items).map(([name, item]) => [name, withoutIndexes(item)])), allowed],
    ['no Type is asked', Object.fromEntries(Object.keys(items).map((name) => [name, { Type: undefined }])), allowed],
    ['a role that is not there', { Role: undefined }, denied('NoGrant')],
    ['a project that is not there', { Project: undefined }, denied('UnknownProject')],
    ['a Type that contradicts the keys', { Role: { Type: 'Permission' } }, denied('MalformedItem')],
    ['an attribute that contradicts the keys', { UserRoleAssignment: { user_id: id('ee') } }, denied('MalformedItem')],
    [
      'a building that says that it is of another client',
      { Building: { client_id: id('cc'), ...withoutIndexes(items.Building ?? {}) } },
      denied('UnknownBuilding'),
    ],
    [
      'an unknown attribute of an odd kind',
      { User: { photo: new Uint8Array([1]), friends: new Set(['eve']) }, Role: { weights: [{ a: [null] }] } },
      allowed,
    ],
    [
      'a start and an end without milliseconds',
      { UserRoleAssignment: { start_at: '2025-01-01T00:00:00Z', expires_at: '2099-01-01T00:00:00+01:00' } },
      allowed,
    ],
    ['an assignment that has ended', { UserRoleAssignment: { expires_at: '2025-02-01T00:00:00Z' } }, denied('AssignmentExpired')],
  ])('%s', async (_, changes, answer) => {
    const decider = await decided(changes)
    expect(await decider.can({ user, ...at, permission, module_id })).toMatchObject(answer)
    expect(await decider.why({ user, ...at, permission, module_id })).toMatchObject(answer)
  })

  const guard = {
    PK: 'USER_EMAIL#ada@example.org',
    SK: 'USER_EMAIL#ada@example.org',
    Type: 'UserEmail',
    email: 'ada@example.org',
    id: user,
  }
  test.each([
    ['the index', [], { GSI3PK: 'EMAIL#ada@example.org' }],
    // Another program changes no guard, when it changes the address of a user.
    ['the guard', [{ ...guard, version: 1 }], { GSI3PK: 'EMAIL#ada@example.com' }],
  ])('an address that the user no longer has names nobody, though %s still has it', async (_, others, changes) => {
    const table = await foreignTable(accountManagement, [...written({ User: { email: 'ada@example.com', ...changes } }), ...others])
    expect(await decideAccountManagement(table.runtime).can({ user: 'ada@example.org', ...at, permission })).toMatchObject({
      allowed: false,
      reason: { code: 'UnknownUser' },
    })
  })

  const second = { ...items.User, PK: `USER#${id('ee')}`, id: id('ee'), GSI1SK: `USER#${id('ee')}`, GSI3SK: `USER#${id('ee')}` }
  const indexed = { GSI2PK: `USER#${id('ee')}`, GSI2SK: `USER#${id('ee')}` }
  test.each<[string, Parameters<typeof written>[0], readonly object[], string | undefined]>([
    ['the one whom GSI3 finds', {}, [], user],
    ['nobody, if its item has another by now', { User: { email: 'ada@example.com', GSI3PK: 'EMAIL#ada@example.org' } }, [], undefined],
    ['nobody, if it is no more there', { User: undefined }, [], undefined],
    ['nobody, if two have it', {}, [{ ...second, ...indexed }], undefined],
  ])('who acts by an address is %s', async (_, changes, others, expected) => {
    const table = await foreignTable(accountManagement, [...written(changes), ...(others as readonly Change[])])
    const named = offeredAccountFlows.actorNamed(table, 'Ada@Example.org')
    if (expected === undefined) await expect(named).rejects.toMatchObject({ code: 'Denied', details: { reason: 'UnknownUser' } })
    else expect(await named).toEqual({ kind: 'user', user_id: expected })
    const can = await decideAccountManagement(table.runtime).can({ user: 'ada@example.org', ...at, permission })
    expect(can.allowed).toBe(expected !== undefined)
  })

  test('a role of the client comes before one of the system with the same id', async () => {
    const ofSystem = {
      ...items.Role,
      PK: 'SYSTEM',
      SK: `ROLE#${role}`,
      client_id: null,
      ...withoutIndexes(items.Role ?? {}),
      permissions: [],
    }
    const table = await foreignTable(accountManagement, [...written(), ofSystem])
    expect(await decideAccountManagement(table.runtime).can({ user, ...at, permission })).toEqual(allowed)
  })
})

test('a session that another program wrote is verified for its user, before anything leads from its id alone to it', async () => {
  const table = await foreignTable(accountManagement, written())
  const flows = offeredAccountFlows.of(table, { actor: operator })
  expect(await flows.verifySession({ id: id('be'), user_id: user })).toMatchObject({ valid: true, session: { sso_provider: 'google' } })
  expect(await flows.verifySession({ id: id('bf'), user_id: user })).toEqual({ valid: false, reason: 'Unknown' })
  await expect(flows.verifySession({ id: id('be') })).rejects.toMatchObject({ code: 'NotAdopted' })
  // Another program stores no hash of a token, so no text is that of one.
  expect(await flows.verifyToken({ text: `${id('ae')}.${'x'.repeat(43)}` })).toEqual({ valid: false, reason: 'Unknown' })
})

test('what has keys alone is listed, and grants nothing', async () => {
  const table = await foreignTable(accountManagement, Object.values(keys))
  const decider = decideAccountManagement(table.runtime)
  expect(await decider.can({ user, ...at, permission })).toMatchObject(denied('UserDisabled'))
  const own = { client_id: client }
  expect((await table.entitiesOfClient(own)).items.map(({ Type }) => Type).sort()).toEqual(
    ['Building', 'Client', 'Device', 'Project', 'Role', 'User', 'Zone'].sort(),
  )
  expect(await table.projectsOfClient(own)).toEqual({
    items: [expect.objectContaining({ id: project, client_id: client, status: 'active' })],
  })
  expect((await table.auditOfClient({ ...own, from: '2099-01-01', to: '2099-12-31' })).items).toMatchObject([
    { timestamp: '2099-01-15T10:00:00.000Z', expires_at: '2100-01-15T10:00:00.000Z' },
  ])
  expect(Object.keys(keys).map(entityOf).sort()).toEqual(Object.keys(items).sort())
  const flows = offeredAccountFlows.of(table.forTenant(client), { actor: operator })
  expect(await flows.resolveSetting({ scope_type: 'project', scope_id: project, key: 'theme' })).toMatchObject({ is_set: false })
  await expect(flows.createSession({ user_id: user })).rejects.toMatchObject({ message: 'This user is not known to be active.' })
})
