import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { folder, freehold, freshTable } from '../../test/recorded-shell.ts'

const table = freshTable()
const cwd = folder()
const env = { DYNAMODB_ENDPOINT: endpoint }
const run = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  freehold([...argv, '--table', table], { cwd, env: { ...env, ...more } })
const json = async (...argv: readonly string[]) => JSON.parse((await run([...argv, '--json'])).out)
const flow = (name: string, input: object, ...flags: string[]) => run(['do', 'authorization', name, JSON.stringify(input), ...flags])

const policies: string = folder(starterFiles)
const made = async (name: string, input: object) => json('do', 'authorization', name, JSON.stringify(input))
const [acme, rival] = [(await made('createTenant', { name: 'acme' })).tenantId, (await made('createTenant', { name: 'rival' })).tenantId]
const [owner, agent] = [
  (await made('createRole', { name: 'owner', scope: 'tenant' })).roleId,
  (await made('createRole', { name: 'agent', scope: 'tenant' })).roleId,
]
const ada = (await made('createUser', { email: 'ada@example.org', preferredUsername: 'ada' })).userId
const ben = (await made('createUser', { email: 'ben@example.org' })).userId
await made('createGrant', { tenantId: acme, userId: ada, roles: [owner] })
const ids = { acme, rival, ada, ben, owner, agent }

const asked = () => ({ user: 'ada', tenant: ids.acme, action: 'renameTenant', resource: { type: 'Tenant', id: ids.acme } })
const ask = (name: string, question: object, ...flags: string[]) => run([name, 'authorization', JSON.stringify(question), ...flags])

describe('with --policies', () => {
  const by = () => ['--policies', policies]

  test('can answers by them', async () => {
    expect(await ask('can', asked(), ...by())).toEqual({ exit: 0, out: 'yes\n', err: '' })
    expect(await ask('can', { ...asked(), tenant: ids.rival }, ...by())).toMatchObject({ exit: 1, out: expect.stringContaining('NoGrant') })
    expect(await ask('can', { ...asked(), user: 'ben@example.org' }, ...by())).toMatchObject({ exit: 1 })
  })

  test('why, what, who and where answer by them', async () => {
    const { user, tenant, action, resource } = asked()
    expect((await ask('why', asked(), ...by())).out).toContain('owners-manage-members')
    expect((await ask('what', { user, tenant, resource }, ...by())).out).toContain('renameTenant')
    expect((await ask('who', { tenant, action, resource }, ...by())).out).toContain('ada@example.org')
    expect((await ask('where', { user, action }, ...by())).out).toContain(ids.acme)
  })

  test('a batch has a column for each part of a resource', async () => {
    const file = join(cwd, 'questions.csv')
    const rows = [`ada,${ids.acme},renameTenant,Tenant,${ids.acme}`, `ben@example.org,${ids.acme},renameTenant,Tenant,${ids.acme}`]
    const batch = async (header: string, ...lines: readonly string[]) => {
      writeFileSync(file, `${[header, ...lines].join('\n')}\n`)
      return run(['can', 'authorization', '--batch', file, ...by()])
    }
    const header = 'user,tenant,action,resource.type,resource.id'
    expect(await batch(header, ...rows)).toMatchObject({ exit: 0, out: expect.stringMatching(/^yes .*Tenant:.*\nno .*NoGrant\n$/) })
    expect(await batch(header, 'ada,,renameTenant,Tenant,')).toMatchObject({ exit: 2, out: expect.stringMatching(/^\? +line 2: /) })
    expect(await batch(`${header},resource`, ...rows)).toMatchObject({ exit: 2, err: expect.stringContaining("'resource.type' is a part") })
    expect(await batch('user,tenant,action,place.type', ...rows)).toMatchObject({
      exit: 2,
      err: expect.stringContaining("'place' is not a field"),
    })
  })

  test('a relative folder is one of the working folder, and the variable names one, too', async () => {
    await freehold(['policies', 'init', 'mine'], { cwd, env: {} })
    expect(await ask('can', asked(), '--policies', 'mine')).toMatchObject({ exit: 0 })
    const question = ['can', 'authorization', JSON.stringify(asked())]
    expect(await run(question, { FREEHOLD_POLICIES: policies })).toMatchObject({ exit: 0, out: 'yes\n' })
    expect(await run([...question, '--policies', 'mine'], { FREEHOLD_POLICIES: '/nowhere' })).toMatchObject({ exit: 0 })
  })

  test('a user who does a flow is held to them, named in any way', async () => {
    const { acme, rival, ben, owner, agent } = ids
    const as = (user: string) => ['--as', user, ...by()]
    expect(await flow('renameTenant', { tenantId: acme, name: 'acme two' }, ...as('ada'))).toMatchObject({ exit: 0 })
    expect(await flow('renameTenant', { tenantId: rival, name: 'mine' }, ...as('ada@example.org'))).toMatchObject({ exit: 1 })
    expect(await flow('createGrant', { tenantId: acme, userId: ben, roles: [agent] }, ...as('ada'))).toMatchObject({ exit: 0 })
    const taking = await flow('changeGrantRoles', { tenantId: acme, userId: ben, add: [owner] }, ...as('ben@example.org'))
    expect(taking).toMatchObject({ exit: 1, err: expect.stringContaining('(Denied)') })
  })

  test('properties that no policy sees are told', async () => {
    const { out } = await ask('can', { ...asked(), properties: { user: { colour: 'red' } } }, ...by(), '--json')
    expect(JSON.parse(out)).toEqual({ allowed: true, ignored: ['user.colour'] })
  })

  test.each(['can', 'why', 'what', 'who', 'where'] as const)('%s tells a person of them on stderr, and prints the same', async (name) => {
    const { user, tenant, action, resource } = asked()
    const question = {
      can: asked(),
      why: asked(),
      what: { user, tenant, resource },
      who: { tenant, action, resource },
      where: { user, action },
    }[name]
    const plain = await ask(name, question, ...by())
    expect(plain).toMatchObject({ exit: 0, err: '' })
    const one = { ...question, properties: { context: { 'shift\u001b': 'late' } } }
    const err = 'The property context.shift\\u001b was left out: the schema does not declare it, or the table has it.\n'
    expect(await ask(name, one, ...by())).toEqual({ ...plain, err })
    const more = { ...question, properties: { resource: { colour: 'red' }, context: { shift: 'late' } } }
    const both =
      'The properties resource.colour and context.shift were left out: the schema does not declare them, or the table has them.\n'
    expect(await ask(name, more, ...by())).toEqual({ ...plain, err: both })
    const asJson = await ask(name, more, ...by(), '--json')
    expect(asJson).toMatchObject({ exit: 0, err: '' })
    expect(JSON.parse(asJson.out)).toMatchObject({ ignored: ['resource.colour', 'context.shift'] })
  })

  test.each([
    ['a folder that is not there', () => 'nowhere', /nowhere cannot be read/],
    ['a folder without a schema', () => folder({ 'a.cedar': '' }), /schema\.cedarschema/],
    ['a policy that does not parse', () => folder({ ...starterFiles, 'a.cedar': 'permit (' }), /a\.cedar:1/],
  ])('%s is malformed input, for questions and flows', async (_, path, message) => {
    const named = path()
    for (const ran of [
      await ask('can', asked(), '--policies', named),
      await flow('renameTenant', { tenantId: ids.acme, name: 'other' }, '--as', 'ada', '--policies', named),
    ])
      expect(ran).toEqual({ exit: 2, out: '', err: expect.stringMatching(message) })
  })

  test('they are for authorization alone', async () => {
    const refused = await freehold(['can', 'rebac', '{}', '--policies', policies], { cwd, env })
    expect(refused).toEqual({ exit: 2, out: '', err: expect.stringContaining('--policies is for authorization') })
    expect(await freehold(['can', 'rebac', '{}'], { cwd, env: { ...env, FREEHOLD_POLICIES: '/nowhere' } })).toMatchObject({
      err: expect.not.stringContaining('nowhere'),
    })
  })
})

describe('without policies', () => {
  test.each(['can', 'why', 'what', 'who', 'where'])('%s says which option it needs', async (name) => {
    const { exit, out, err } = await ask(name, asked())
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toContain('--policies DIR or FREEHOLD_POLICIES')
  })

  test('a user is denied every flow, and an operator none', async () => {
    const renaming = { tenantId: ids.acme, name: 'acme' }
    expect(await flow('renameTenant', renaming, '--as', 'ada')).toMatchObject({ exit: 1, err: expect.stringContaining('--policies DIR') })
    expect(await flow('renameTenant', renaming)).toMatchObject({ exit: 0 })
    expect(await flow('renameTenant', renaming, '--policies', '/nowhere')).toMatchObject({ exit: 0 })
  })
})

test('a policy that is changed decides the next question', async () => {
  const own = folder(starterFiles)
  expect(await ask('can', asked(), '--policies', own)).toMatchObject({ exit: 0 })
  writeFileSync(join(own, 'more.cedar'), '@id("none") forbid (principal, action, resource);')
  expect(await ask('can', asked(), '--policies', own)).toMatchObject({ exit: 1, out: expect.stringContaining('none') })
})
