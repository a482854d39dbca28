import { beforeAll, describe, expect, test } from 'vitest'
import { freehold, freshTable, withoutFlows } from '../../test/recorded-shell.ts'

const table = freshTable()
const stranger = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

const run = (command: string, entity: string, argument: object, ...flags: string[]) =>
  freehold([command, 'rebac', entity, JSON.stringify(argument), '--table', table, ...flags], { designs: withoutFlows })

/** Runs a command that must succeed, for its JSON. */
async function json(command: string, entity: string, argument: object, ...flags: string[]): Promise<Record<string, unknown>> {
  const { exit, out, err } = await run(command, entity, argument, '--json', ...flags)
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  expect(out).toMatch(/^\{.*\}\n$/)
  return JSON.parse(out)
}

async function userId(displayName: string): Promise<string> {
  return String((await json('create', 'User', { displayName })).userId)
}

// Makes the table.
beforeAll(() => json('create', 'Role', { roleName: 'first' }))

describe('create', () => {
  test('prints the item with what was made for it', async () => {
    expect(await json('create', 'Location', { locationCode: 'nyc001', name: ' New York ', address: null })).toEqual({
      Type: 'Location',
      version: 1,
      locationId: expect.stringMatching(/^[0-9A-Z]{26}$/),
      locationCode: 'NYC001',
      name: 'New York',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
  })

  test('prints an attribute a line for a person', async () => {
    const { exit, out } = await run('create', 'Role', { roleName: 'teacher', description: 'Plans lessons' })
    expect(exit).toBe(0)
    expect(out).toMatch(/^Type +Role\nversion +1\nroleName +teacher\ndescription +Plans lessons\ncreatedAt +/)
  })

  test('exits with 1 where there is one already, and leaves that as it was', async () => {
    await json('create', 'Role', { roleName: 'helper', description: 'first' })
    const { exit, out, err } = await run('create', 'Role', { roleName: 'helper', description: 'second' })
    expect({ exit, out, err }).toEqual({ exit: 1, out: '', err: expect.stringContaining('(AlreadyExists)') })
    expect(await json('get', 'Role', { roleName: 'helper' })).toMatchObject({ version: 1, description: 'first' })
  })

  test('exits with 1 where an end is missing, or a guard is written alone', async () => {
    const edge = { userId: stranger, locationId: stranger }
    expect(await run('create', 'UserLocationEdge', edge)).toMatchObject({ exit: 1, err: expect.stringContaining('(MissingEnd)') })
    expect(await run('create', 'LocationCodeLookup', { locationCode: 'X', locationId: stranger })).toMatchObject({
      exit: 1,
      err: expect.stringContaining('(DerivedItem)'),
    })
  })

  test.each([
    [{}, 'displayName is missing'],
    [{ displayName: 7 }, 'displayName is not text'],
    [{ displayName: 'A', colour: 'red' }, "has no attribute 'colour'"],
    [{ displayName: 'A', userType: 'BOSS' }, 'userType is not one of MEMBER, LEAD'],
  ])('exits with 2 for %j and writes nothing', async (attributes, sentence) => {
    expect(await run('create', 'User', attributes)).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
  })
})

describe('get', () => {
  test('finds an item by any spelling of its key', async () => {
    const id = await userId('Ada')
    expect(await json('get', 'User', { userId: id.toLowerCase() })).toMatchObject({ Type: 'User', displayName: 'Ada' })
    expect(await json('get', 'User', { userId: id }, '--consistent')).toMatchObject({ displayName: 'Ada' })
  })

  test('exits with 1 where there is none', async () => {
    const { exit, out, err } = await run('get', 'User', { userId: stranger })
    expect({ exit, out, err }).toEqual({ exit: 1, out: '', err: `freehold: There is no User with userId "${stranger}". (NotFound)\n` })
  })

  test.each([
    [{}, [], 'userId is missing'],
    [{ userId: 'x' }, [], 'userId is not'],
    [{ userId: stranger, displayName: 'Ada' }, [], 'displayName does not belong to the key of User'],
    [{ userId: stranger }, ['--secret', 'displayName'], 'the secret attributes of User are: none'],
  ])('exits with 2 for %j %j', async (key, flags, sentence) => {
    expect(await run('get', 'User', key, ...flags)).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
  })
})

describe('update', () => {
  test('changes attributes, counts the version, and prints the item', async () => {
    const id = await userId('Ben')
    expect(await json('update', 'User', { userId: id, displayName: 'Benedict' })).toMatchObject({ version: 2, displayName: 'Benedict' })
    expect(await json('update', 'User', { userId: id, isAdmin: true, version: 2 })).toMatchObject({ version: 3, isAdmin: true })
    expect(await json('update', 'User', { userId: id, isAdmin: false }, '--version', '3')).toMatchObject({ version: 4, isAdmin: false })
  })

  test('takes an optional attribute away for null', async () => {
    await json('create', 'Role', { roleName: 'described', description: 'yes' })
    expect(await json('update', 'Role', { roleName: 'described', description: null })).not.toHaveProperty('description')
  })

  test('exits with 1 where it is at another version, or not there, and changes nothing', async () => {
    const id = await userId('Cleo')
    expect(await run('update', 'User', { userId: id, displayName: 'No' }, '--version', '7')).toMatchObject({
      exit: 1,
      err: expect.stringContaining('(VersionConflict)'),
    })
    expect(await json('get', 'User', { userId: id })).toMatchObject({ version: 1, displayName: 'Cleo' })
    expect(await run('update', 'User', { userId: stranger, displayName: 'No' })).toMatchObject({
      exit: 1,
      err: expect.stringContaining('(NotFound)'),
    })
  })

  test.each([
    [{ userId: stranger }, [], 'the change has no attributes but those of the key'],
    [{ userId: stranger, version: 1 }, [], 'the change has no attributes but those of the key'],
    [{ displayName: 'A' }, [], 'userId is missing'],
    [{ userId: stranger, displayName: null }, [], 'displayName cannot be removed'],
    [{ userId: stranger, displayName: 'A', version: 'one' }, [], 'version is not a whole number'],
    [{ userId: stranger, displayName: 'A', version: 1 }, ['--version', '2'], 'version is 1 here and 2 in --version'],
  ])('exits with 2 for %j %j', async (change, flags, sentence) => {
    expect(await run('update', 'User', change, ...flags)).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
  })
})

describe('move', () => {
  const roles = freshTable()
  const on = (command: string, ...rest: string[]) =>
    freehold([command, 'authorization', 'Role', ...rest, '--table', roles], { designs: withoutFlows })
  const role = (name: string) => JSON.stringify({ scope: 'tenant', name })
  const made = async (name: string) => expect(await on('create', role(name))).toMatchObject({ exit: 0, err: '' })
  const moving = (from: string, changes: object, ...flags: string[]) => on('move', role(from), JSON.stringify(changes), ...flags)

  test('changes attributes of the key: the item is at its new key, and nowhere else', async () => {
    await made('ops')
    const { exit, out, err } = await moving('ops', { name: ' Ops #1 / ä+50% ' }, '--json')
    expect({ exit, err, item: JSON.parse(out) }).toMatchObject({
      exit: 0,
      err: '',
      item: { name: 'Ops #1 / ä+50%', scope: 'tenant', version: 2 },
    })
    expect(await on('get', role('Ops #1 / ä+50%'))).toMatchObject({ exit: 0, out: expect.stringContaining('version  2') })
    expect(await on('get', role('ops'))).toMatchObject({ exit: 1 })
  })

  test('may take either argument from stdin', async () => {
    await made('piped')
    const argv = ['move', 'authorization', 'Role', '-', '{"name":"moved"}', '--table', roles]
    expect(await freehold(argv, { stdin: role('piped'), designs: withoutFlows })).toMatchObject({
      exit: 0,
      out: expect.stringContaining('moved'),
    })
  })

  test('exits with 1 where there is one already, none, or another version, and changes nothing', async () => {
    for (const name of ['one', 'two']) await made(name)
    expect(await moving('one', { name: 'two' })).toMatchObject({ exit: 1, err: expect.stringContaining('(AlreadyExists)') })
    expect(await moving('none', { name: 'three' })).toMatchObject({ exit: 1, err: expect.stringContaining('(NotFound)') })
    const late = await moving('one', { name: 'three' }, '--version', '2')
    expect(late).toMatchObject({ exit: 1, err: expect.stringContaining('(VersionConflict)') })
    for (const name of ['one', 'two']) expect(await on('get', role(name))).toMatchObject({ out: expect.stringContaining('version  1') })
    expect(await on('get', role('three'))).toMatchObject({ exit: 1 })
  })

  test('exits with 2 for a part of the key by which others refer to the item', async () => {
    const tenant = { tenantId: stranger, name: 'acme' }
    await freehold(['create', 'authorization', 'Tenant', JSON.stringify(tenant), '--table', roles], { designs: withoutFlows })
    const argv = ['move', 'authorization', 'Tenant', `{"tenantId":"${stranger}"}`, '{"tenantId":"01ARZ3NDEKTSV4RRFFQ69G5FAX"}']
    expect(await freehold([...argv, '--table', roles], { designs: withoutFlows })).toMatchObject({
      exit: 2,
      err: expect.stringContaining('tenantId cannot change, as TenantGrant refers to a Tenant by it. (InvalidInput)'),
    })
  })

  test.each([
    ['Role', role('one'), '{}', 'the change is empty'],
    ['Role', role('one'), '{"name":7}', 'name is not text'],
    ['Role', role('one'), '{"name":null}', 'name cannot be removed'],
    ['Role', role('one'), '{"scope":"global"}', 'scope never changes'],
    ['Role', role('one'), '{"colour":"red"}', 'colour is not an attribute of Role'],
    ['Role', '{"scope":"tenant","name":"one","roleId":"x"}', '{"name":"b"}', 'roleId does not belong to the key'],
    ['Role', '{"scope":"tenant"}', '{"name":"b"}', 'name is missing'],
    ['Role', role('one'), '[]', 'The change of the Role is JSON, but not an object.'],
    ['Role', '-', '-', 'only the key or the change may come from stdin'],
  ])('exits with 2 for %s %s %s', async (entity, key, changes, sentence) => {
    const argv = ['move', 'authorization', entity, key, changes, '--table', roles]
    expect(await freehold(argv, { stdin: '{}', designs: withoutFlows })).toEqual({
      ...{ exit: 2, out: '', err: expect.stringContaining(sentence) },
    })
  })
})

describe('remove', () => {
  test('removes an item with all that hangs on it', async () => {
    const id = await userId('Dora')
    await json('create', 'EmailIdentity', { userId: id, email: 'dora@example.org', provider: 'github' })
    expect(await json('remove', 'User', { userId: id })).toEqual({ removed: true })
    expect(await run('get', 'User', { userId: id })).toMatchObject({ exit: 1 })
    expect(await run('get', 'EmailIdentity', { email: 'dora@example.org' })).toMatchObject({ exit: 1 })
  })

  test('says so to a person', async () => {
    await json('create', 'Page', { pageName: 'gone' })
    expect(await run('remove', 'Page', { pageName: 'gone' })).toEqual({ exit: 0, out: 'Removed the Page.\n', err: '' })
  })

  test('exits with 1 where it is at another version, or not there', async () => {
    await json('create', 'Page', { pageName: 'kept' })
    expect(await run('remove', 'Page', { pageName: 'kept', version: 2 })).toMatchObject({
      exit: 1,
      err: expect.stringContaining('(VersionConflict)'),
    })
    expect(await json('get', 'Page', { pageName: 'kept' })).toMatchObject({ version: 1 })
    expect(await run('remove', 'Page', { pageName: 'never' })).toMatchObject({ exit: 1, err: expect.stringContaining('(NotFound)') })
  })

  test('exits with 2 for what is no key', async () => {
    expect(await run('remove', 'Page', { pageName: 'kept', description: 'x' })).toMatchObject({
      exit: 2,
      err: expect.stringContaining('description does not belong to the key of Page'),
    })
    expect(await json('get', 'Page', { pageName: 'kept' })).toMatchObject({ version: 1 })
  })
})
