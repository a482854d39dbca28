import { randomUUID } from 'node:crypto'
import { accountManagement } from '@freehold/designs/account-management'
import { connect } from '@freehold/table'
import { beforeEach, describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { folder, freehold, freshTable, oneWithoutFlows, type Ran, type Surroundings } from '../../test/recorded-shell.ts'

let table: string
beforeEach(() => {
  table = freshTable()
})

type Values = Readonly<Record<string, unknown>>

function run(flow: string, input: Values, more: readonly string[] = [], surroundings: Surroundings = {}): Promise<Ran> {
  return freehold(['do', 'account-management', flow, JSON.stringify(input), '--table', table, ...more], surroundings)
}
async function item(flow: string, input: Values): Promise<Values & { readonly id: string }> {
  const { exit, out, err } = await run(flow, input, ['--json'])
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  return JSON.parse(out)
}
const lines = (text: string): Values[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('do', () => {
  test('prints what a flow gives: an attribute a line, or one line of JSON', async () => {
    const client = await item('createClient', { name: 'Acme' })
    expect(client).toMatchObject({ Type: 'Client', name: 'Acme', status: 'active', version: 1 })
    const { exit, out, err } = await run('suspendClient', { id: client.id })
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    expect(out).toMatch(/^status +suspended$/m)
  })

  test('acts as an operator, whom the audit knows by the command', async () => {
    const { id } = await item('createClient', { name: 'Acme' })
    const { out } = await run('exportClient', { id })
    const entry = lines(out).find(({ Type }) => Type === 'AuditLog')
    expect(entry).toMatchObject({ action: 'createClient', metadata: { operator: 'freehold do' } })
    expect(entry).not.toHaveProperty('ip_address')
  })

  test('says when it is done where a flow gives nothing, and that it is only begun where nobody waits for it', async () => {
    const ids = [(await item('createClient', { name: '1' })).id, (await item('createClient', { name: '2' })).id]
    expect(await run('deleteClient', { id: ids[0] })).toEqual({ exit: 0, out: 'Done.\n', err: '' })
    const begun = await run('deleteClient', { id: ids[1], wait: false }, ['--json'])
    expect(begun).toMatchObject({ exit: 0, err: '' })
    expect(JSON.parse(begun.out)).toEqual({ begun: true, pending: [{ job: expect.any(String), kind: 'remove', entity: 'Client' }] })
    // The next command does its own work first, and then goes on with it.
    expect(await run('deleteClient', { id: ids[1] })).toMatchObject({ exit: 1, err: expect.stringContaining('(BeingDeleted)') })
    expect(await run('deleteClient', { id: ids[1] })).toMatchObject({ exit: 1, err: expect.stringContaining('(NotFound)') })
  })

  test('takes its input from stdin, and none at all where it is left out', async () => {
    const stdin = '{"name":"Acme"}'
    expect(await freehold(['do', 'account-management', 'createClient', '-', '--table', table], { stdin })).toMatchObject({ exit: 0 })
    expect(await freehold(['do', 'account-management', 'createClient', '--table', table])).toEqual({
      exit: 2,
      out: '',
      err: 'freehold: createClient: name is missing. (InvalidInput)\n',
    })
  })
})

describe('a sweep', () => {
  test('of nothing says so on stderr', async () => {
    expect(await run('sweep', {})).toEqual({ exit: 0, out: '', err: 'There are none.\n' })
  })

  test('is gone on with until all is looked at, a line for each client; with a limit, stderr says how to go on', async () => {
    const ids = [(await item('createClient', { name: '1' })).id, (await item('createClient', { name: '2' })).id].sort()
    const whole = await run('sweep', {})
    expect(whole).toMatchObject({ exit: 0, err: '' })
    expect(lines(whole.out).map(({ client_id }) => client_id)).toEqual(ids)
    const cwd = folder()
    const first = await run('sweep', { limit: 1 }, [], { cwd })
    expect(lines(first.out)).toHaveLength(1)
    const [, cursor] = /continue with "cursor":"([^"]+)"/.exec(first.err) ?? []
    const second = await run('sweep', { limit: 1000, cursor }, [], { cwd })
    expect(second).toMatchObject({ exit: 0, err: '' })
    expect([...lines(first.out), ...lines(second.out)].reduce((sum, each) => sum + Number(each.items_looked_at), 0)).toBe(
      lines(whole.out).reduce((sum, each) => sum + Number(each.items_looked_at), 0),
    )
  })
})

describe('a list', () => {
  let id: string
  beforeEach(async () => {
    id = (await item('createClient', { name: 'Acme' })).id
    await Promise.all(Array.from({ length: 105 }, (_, index) => item('createProject', { client_id: id, name: `${index}` })))
  })

  test('is a line of JSON for each item, of all pages', async () => {
    const { exit, out, err } = await run('exportClient', { id })
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    const types = lines(out).map(({ Type }) => Type)
    expect(types.filter((type) => type === 'Project')).toHaveLength(105)
    // What was done once for all pages is recorded once.
    expect(lines(out).filter(({ action }) => action === 'exportClient')).toHaveLength(1)
  })

  test('with a limit is that page; the next command goes on with its cursor', async () => {
    const cwd = folder()
    const first = await run('exportClient', { id, limit: 2 }, [], { cwd })
    expect(lines(first.out).map(({ Type }) => Type)).toEqual(['Client', 'Project'])
    const [, cursor = ''] = /^There may be more: continue with "cursor":"(\S+)"\n$/.exec(first.err) ?? []
    const rest = await run('exportClient', { id, cursor }, [], { cwd })
    expect(rest.err).toBe('')
    const whole = (await run('exportClient', { id })).out
    expect(whole.startsWith(first.out + rest.out)).toBe(true)
  })

  test('tells what does not fit its entity, prints the rest, and exits with 1', async () => {
    const { runtime, close } = connect(accountManagement, { table, dynamo: { endpoint } })
    const Item = {
      PK: { S: `CLIENT#${id}` },
      SK: { S: 'ROLE#odd' },
      Type: { S: 'Role' },
      client_id: { S: id },
      version: { N: '1' },
    }
    await runtime.sender.send('PutItem', { TableName: table, Item })
    close()
    const { exit, out, err } = await run('exportClient', { id })
    expect({ exit, err }).toEqual({ exit: 1, err: expect.stringContaining('is no Role') })
    expect(lines(out).length).toBeGreaterThan(105)
  })
})

describe('--as', () => {
  let id: string
  beforeEach(async () => {
    id = (await item('createClient', { name: 'Acme' })).id
    await item('inviteUser', { client_id: id, email: 'ada@example.org', user_type: 'client_admin' })
  })
  const as = (user: string) => run('updateClient', { id, name: 'Mine' }, ['--as', user])

  test('holds a user to what it may: one who was invited and has not accepted may nothing', async () => {
    expect(await as(' Ada@Example.org')).toEqual({ exit: 1, out: '', err: 'freehold: This user is disabled. (Denied)\n' })
  })

  test('lets a user do what its role allows, and no more', async () => {
    const accounts = connect(accountManagement, { table, dynamo: { endpoint } })
    const user = await accounts.User.create({ client_id: id, email: 'cleo@example.org', user_type: 'client_admin' })
    const permissions = [{ module: 'account-management', action: 'update', resource: 'client' }]
    const role = await accounts.Role.create({ client_id: id, name: 'editor', permissions })
    const scope = { scope_type: 'client', scope_id: id } as const
    await accounts.UserRoleAssignment.create({ ...scope, user_id: user.id, role_id: role.id, role_owner: id })
    expect(await as('cleo@example.org')).toMatchObject({ exit: 0, err: '' })
    const { items } = await accounts.auditOfClient({ client_id: id, from: '2000-01-01', to: '2199-12-31' })
    expect(items.find(({ action }) => action === 'updateClient')).toMatchObject({ user_id: user.id })
    expect(await run('exportClient', { id }, ['--as', user.id])).toMatchObject({
      exit: 1,
      out: '',
      err: expect.stringContaining('(Denied)'),
    })
    accounts.close()
  })

  test.each(['bo@example.org', '0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11'])('a user who is not there, %s, is denied', async (user) => {
    expect(await as(user)).toEqual({ exit: 1, out: '', err: 'freehold: There is no such user here. (Denied)\n' })
  })

  test.each(['', 'ada', '*', 'ada@', '{"user":"ada"}'])('%j is no user: malformed', async (user) => {
    expect(await as(user)).toEqual({
      exit: 2,
      out: '',
      err: 'freehold: The user to act as is named by neither a UUID nor an e-mail address. (InvalidInput)\n',
    })
  })
})

// Nothing answers at that port.
const nowhere = { env: { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' } }

describe('malformed input exits with 2, and opens no table:', () => {
  test.each([
    [['do'], "Missing required argument 'design'."],
    [['do', 'account-management'], "Missing required argument 'flow'."],
    [['do', 'acount-management', 'createClient'], 'Did you mean account-management?'],
    [
      ['do', 'account-management', 'createCleint'],
      "There is no flow of account-management named 'createCleint'. Did you mean createClient? `freehold flows account-management` lists all.",
    ],
    [['do', 'account-management', 'toString'], "There is no flow of account-management named 'toString'."],
    [['do', 'account-management', 'createClient', '[]'], 'The input of createClient is JSON, but not an object.'],
    [['do', 'account-management', 'createClient', '{'], 'The input of createClient is not JSON'],
    [['do', 'account-management', 'createClient', '{"name":"a","name":"b"}'], "names 'name' twice"],
    [['do', 'account-management', 'createClient', '{}', 'more'], 'Too many arguments'],
    [['do', 'account-management', 'createClient', '{}', '--as', 'a@x.org', '--as', 'b@x.org'], 'It is given twice.'],
    [['do', 'account-management', 'createClient', '{}', '--table', 'one', '--table', 'two'], 'It is given twice.'],
    [['do', 'account-management', 'createClient', '{}', '--as'], "Option '--as <user>' argument missing."],
  ])('%j', async (argv, sentence) => {
    const { exit, out, err } = await freehold(argv, nowhere)
    expect({ exit, out, err }).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
  })
})

test('a design without flows names those that have some', async () => {
  const { exit, err } = await freehold(['do', 'authorization', 'createClient'], { ...nowhere, designs: oneWithoutFlows })
  const sentence = 'authorization has no flows. These designs do: account-management, platform and rebac.'
  expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining(sentence) })
})

test.each([
  [['create', 'account-management', 'Role', '{"name":"everything"}'], 'use createRole'],
  [['update', 'account-management', 'Role', '{"id":"0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11","parent_role_id":null}'], 'setParentRole'],
  [['move', 'account-management', 'User', '{"id":"0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11"}', '{"client_id":null}'], 'moveUser'],
  [['remove', 'account-management', 'Client', '{"id":"0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11"}'], 'use deleteClient'],
  [['create', 'account-management', 'AuditLog', '{}'], 'none does only that'],
])('an item that flows govern is written by them alone: %j', async (argv, sentence) => {
  expect(await freehold(argv, nowhere)).toMatchObject({ exit: 1, out: '', err: expect.stringContaining(sentence) })
})

test('every input that does not fit is named at once', async () => {
  const { exit, err } = await run('createClient', { nme: 'x', phone: '1', status: 'active' }, ['--json'])
  expect(exit).toBe(2)
  expect(JSON.parse(err)).toMatchObject({
    error: { code: 'InvalidInput', issues: [{ path: ['nme'] }, { path: ['status'] }, { path: ['name'] }, { path: ['phone'] }] },
  })
})

test('do acts as an identity provider, which only signs people in', async () => {
  const doing = (flow: string, input: Values) =>
    freehold(['do', 'rebac', flow, JSON.stringify(input), '--table', table, '--as', 'identity-provider:google', '--json'])
  const claims = { subject: 's', email: 'ada@example.org', isEmailVerified: true }
  const { exit, out } = await doing('signIn', { provider: 'google', ...claims })
  expect({ exit, ...JSON.parse(out) }).toMatchObject({ exit: 0, outcome: 'created' })
  expect(await doing('signIn', { provider: 'github', ...claims })).toMatchObject({ exit: 1, err: expect.stringContaining('"Denied"') })
  expect(await doing('createUser', { displayName: 'Eve' })).toMatchObject({ exit: 1, err: expect.stringContaining('"Denied"') })
  table = freshTable()
  const foreign = await run('updateClient', { id: randomUUID(), name: 'x' }, ['--as', 'identity-provider:google'])
  expect(foreign).toMatchObject({ exit: 1, err: expect.stringContaining('(Denied)') })
})

test('a change is told on stderr where the table does not keep it', async () => {
  const created = (env: Readonly<Record<string, string>>) =>
    freehold(['do', 'platform', 'createAccount', '{"name":"Acme"}', '--table', freshTable()], {
      env: { DYNAMODB_ENDPOINT: endpoint, ...env },
    })
  expect(await created({})).toMatchObject({ exit: 0, err: '' })
  const { err } = await created({ FREEHOLD_WITHOUT: 'platform:changes' })
  expect(JSON.parse(err)).toMatchObject({ flow: 'createAccount', entity: 'Account', changes: { name: { after: 'Acme' } } })
})
