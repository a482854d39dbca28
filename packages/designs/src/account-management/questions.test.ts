import { questionNames } from '@freehold/frame/decision'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { assignment, idOf, role, subscription } from '../../test/account-items.ts'
import { acme, ada, adaAtHarbour, camera, granting, harbour, pier, reader } from '../../test/account-organisation.ts'
import { asDescribed } from '../../test/as-described.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { designModules } from '../design-modules.ts'
import { access } from './access.ts'
import { decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

const table = await ownTableOf(accountManagement)
await restoreItems(table.runtime, adaAtHarbour)
/** Without types, as the command and HTTP ask. */
const decider = designModules.get(accountManagement.name)?.decider?.(table.runtime)
if (decider === undefined) throw new Error('account-management designModules no decisions')

const whole = { user: ada, client: acme, project: harbour, building: pier, permission: camera }
const questionOf = (name: (typeof questionNames)[number]) =>
  Object.fromEntries(Object.entries(whole).filter(([field]) => decider.fields[name].includes(field)))

const refused = (...fields: readonly (string | number)[]) => ({
  code: 'InvalidInput',
  details: { issues: fields.map((field) => expect.objectContaining({ path: [field] })) },
})

describe.each(questionNames)('%s', (name) => {
  const ask = (question: unknown, how?: object) => decider[name](question, how)
  const takes = (field: string) => decider.fields[name].includes(field)

  test('takes its own fields', async () => {
    await expect(ask(questionOf(name))).resolves.toBeDefined()
  })

  const wrong = [undefined, null, 7, '', ' \t', 'a\ud800', 'a\u0000b', ['x'], {}]
  test.each(wrong)('refuses a field that is %j, by name', async (value) => {
    for (const field of ['user', 'permission'].filter(takes))
      await expect(ask({ ...questionOf(name), [field]: value })).rejects.toMatchObject(refused(field))
  })

  test.each(wrong.slice(2))('refuses a place or a module that is %j, by name', async (value) => {
    for (const field of ['client', 'project', 'building', 'module_id', 'include_trial'].filter(takes))
      await expect(ask({ ...questionOf(name), [field]: value })).rejects.toMatchObject(refused(field))
  })

  test('takes null of a place or a module as if it were left out', async () => {
    for (const field of ['client', 'project', 'building', 'module_id', 'include_trial'].filter(takes)) {
      const answers = [undefined, null].map((value) => ask({ ...questionOf(name), [field]: value }).catch((error: unknown) => error))
      const [absent, isNull] = await Promise.all(answers)
      expect(isNull).toEqual(absent)
    }
  })

  test('refuses ids that are no UUIDs, and users who are no e-mail addresses either', async () => {
    for (const field of ['user', 'client', 'project', 'building', 'module_id'].filter(takes))
      await expect(ask({ ...questionOf(name), [field]: 'acme' })).rejects.toMatchObject(refused(field))
  })

  test('refuses text that is longer than a key, whatever it is, before anything is sent', async () => {
    const address = `${'a'.repeat(3000)}@x.example`
    for (const field of ['user', 'client', 'project', 'building', 'permission', 'module_id'].filter(takes))
      for (const text of [address, address.repeat(100)])
        await expect(ask({ ...questionOf(name), [field]: text })).rejects.toMatchObject(refused(field))
    // It is not normalised first: as it stands that is an address, whatever surrounds it.
    const spaced = `${' '.repeat(4000)}ada@x.example${' '.repeat(4000)}`
    if (takes('user')) await expect(ask({ ...questionOf(name), user: spaced })).rejects.toMatchObject(refused('user'))
  })

  test.each([
    'devices:read',
    'devices:read:camera:1',
    'devices::camera',
    '*:read:camera',
    'devices:*:camera',
    'devices:read: * ',
    { module: 'devices', action: 'read' },
    { ...camera, resource: '*' },
    { ...camera, resource: 7 },
    { ...camera, resource: '' },
    { ...camera, place: 'x' },
    { ...camera, action: 'a'.repeat(2000) },
    Object.create(camera),
  ])('refuses the permission %j: it is not three names, none a wildcard', async (permission) => {
    if (takes('permission')) await expect(ask({ ...questionOf(name), permission })).rejects.toMatchObject(refused('permission'))
  })

  test('refuses a question without a place', async () => {
    const { client: _c, project: _p, building: _b, ...others } = questionOf(name)
    if (takes('client')) await expect(ask(others)).rejects.toMatchObject(refused('client'))
  })

  test('refuses fields that it does not have, by name', async () => {
    await expect(ask({ ...questionOf(name), role: 'x' })).rejects.toMatchObject(refused('role'))
    await expect(ask(JSON.parse(`{"__proto__": "x", ${JSON.stringify(questionOf(name)).slice(1)}`))).rejects.toMatchObject(
      refused('__proto__'),
    )
  })

  test.each([null, undefined, 'ada', 7, [], [whole]])('refuses %j, which is no question', async (question) => {
    await expect(ask(question)).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('refuses ways to ask that there are not', async () => {
    await expect(ask(questionOf(name), { consistency: 'eventual' })).rejects.toMatchObject(refused('consistency'))
    await expect(ask(questionOf(name), { page: 2 })).rejects.toMatchObject(refused('page'))
  })
})

test('the longest address that a key holds is one of nobody, and the next is none', async () => {
  const address = (bytes: number) => `${'a'.repeat(bytes - '@x.example'.length)}@x.example`
  const longest = 1024 - 'USER_EMAIL#'.length
  expect(await decider.can({ ...whole, user: address(longest) })).toMatchObject({ reason: { code: 'UnknownUser' } })
  await expect(decider.can({ ...whole, user: address(longest + 1) })).rejects.toMatchObject(refused('user'))
})

test.each(['what', 'who', 'where'] as const)('an item of %s is as the question describes it', async (name) => {
  const { items } = await decider[name](questionOf(name))
  expect(items.length).toBeGreaterThan(0)
  expect(items.map((item) => asDescribed(access.questions[name], item))).toEqual(items)
})

test('a permission is three names, or the same as text', async () => {
  for (const permission of [camera, 'devices:read:camera', { ...camera, module: ' devices ' }])
    expect(await decider.can({ ...whole, permission })).toEqual({ allowed: true })
})

test.each([
  ['can', ['user', 'permission', 'client']],
  ['why', ['user', 'permission', 'client']],
  ['what', ['user', 'client']],
  ['who', ['permission', 'client']],
  ['where', ['user', 'permission']],
] as const)('%s names everything that is missing at once', async (name, missing) => {
  await expect(decider[name]({})).rejects.toMatchObject(refused(...missing))
  await expect(decider[name]({ user: 7 })).rejects.toMatchObject({
    details: { issues: expect.arrayContaining(refused(...missing.filter((field) => field !== 'user')).details.issues) },
  })
})

test('many questions are answered in their order, and the malformed one is named', async () => {
  const actions = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? 'read' : `action ${index}`))
  const answers = await decider.canMany(actions.map((action) => ({ ...whole, permission: { ...camera, action } })))
  expect(answers.map(({ allowed }) => allowed)).toEqual(actions.map((action) => action === 'read'))
  await expect(decider.canMany([whole, { ...whole, user: 7 }])).rejects.toMatchObject({
    code: 'InvalidInput',
    details: { issues: [{ path: [1, 'user'] }] },
  })
  await expect(decider.canMany([whole, {}])).rejects.toMatchObject({
    details: { issues: [{ path: [1, 'user'] }, { path: [1, 'permission'] }, { path: [1, 'client'] }] },
  })
})

test('why tells the whole chain', async () => {
  const { allowed, chains, missing } = await decider.why(whole)
  expect({ allowed, missing }).toEqual({ allowed: true, missing: [] })
  expect(chains.map((chain) => chain.map(({ step, id, state }) => `${step} ${Object.values(id).join(' ')} ${state}`))).toEqual([
    [
      `user ${ada} found`,
      `client ${acme} found`,
      `project ${acme} ${harbour} found`,
      `building ${harbour} ${pier} found`,
      `assignment ${ada} project ${harbour} ${reader} found`,
      `role ${acme} ${reader} found`,
      `permission ${reader} devices:read:camera found`,
    ],
  ])
})

test('why says active of users and clients only: whatever status a project or building has, it decides nothing', async () => {
  await table.Project.update({ client_id: acme, id: harbour }, { status: 'on-hold' })
  await table.Building.update({ project_id: harbour, id: pier }, { status: 'inactive' })
  const { allowed, chains } = await decider.why(whole)
  expect(allowed).toBe(true)
  expect(chains[0]?.slice(0, 4).map(({ message }) => message)).toEqual([
    'The user is there and active.',
    'The client is there and active.',
    'The project is there.',
    'The building is there.',
  ])
})

test('why tells what was missing at each step', async () => {
  const { missing } = await decider.why({ ...whole, permission: 'devices:write:camera' })
  expect(missing).toEqual([
    {
      step: 'permission',
      entity: 'Role',
      id: { role_owner: acme, id: reader },
      state: 'missing',
      message: 'The role reader lacks devices:write:camera.',
    },
  ])
})

/** The table with more in it, for one test. */
async function changed(items: readonly Stored[]) {
  const own = await ownTableOf(accountManagement, { now: () => new Date('2026-03-01T12:00:00.000Z') })
  await restoreItems(own.runtime, adaAtHarbour)
  await restoreItems(own.runtime, items)
  return decideAccountManagement(own.runtime)
}
const end = '2026-12-01T00:00:00.000Z'
const boss = idOf('role', 2)
const module_id = idOf('module', 1)

test('why and the lists name the role and say when it ends', async () => {
  const own = await changed([
    ...granting(role(acme, boss, 'boss'), camera),
    ...role(acme, reader, 'technician', { parent: boss }),
    ...assignment(acme, ada, reader, 'project', harbour).map((item) => ({ ...item, expires_at: end })),
  ])
  const { chains } = await own.why(whole)
  expect(chains[0]?.slice(4).map(({ message }) => message)).toEqual([
    `The user has the role at the project until ${end}.`,
    'The role technician exists.',
    'The role boss is above the role before, which grants all that this one does.',
    'The role boss grants devices:read:camera, which covers devices:read:camera.',
  ])
  const grantedBy = {
    ...{ scope_type: 'project', scope_id: harbour, role_id: reader, role_owner: acme, role_name: 'technician', expires_at: end },
    ...{ through: boss, through_name: 'boss' },
  }
  expect((await own.what({ user: ada, building: pier })).items).toEqual([{ permission: camera, grantedBy }])
  expect((await own.who({ building: pier, permission: camera })).items).toMatchObject([{ user_id: ada, grantedBy }])
  expect((await own.where({ user: ada, permission: camera })).items).toMatchObject([{ scope_id: harbour, grantedBy }])
})

describe('the reason why there is no module', () => {
  const entitlement = async (items: readonly Stored[], place: object) => {
    const own = await changed(items)
    const { reason, missing } = await own.why({ user: ada, permission: camera, module_id, ...place })
    return {
      message: reason?.message,
      missing: missing.flatMap(({ step, state, message }) => (step === 'entitlement' ? [[state, message]] : [])),
    }
  }

  test.each([
    ['building', { building: pier }, 'Neither the building nor its project has an active subscription of the module.'],
    ['project', { project: harbour }, 'The project has no active subscription of the module.'],
    ['client', { client: acme }, 'A client as a whole has no subscription of a module: ask about a project or a building.'],
  ])('is of the place that was asked about, a %s', async (_, place, message) => {
    expect(await entitlement([], place)).toEqual({ message, missing: [['missing', message]] })
  })

  test('tells of a trial that it does not count, and not that it is over', async () => {
    const { missing } = await entitlement([subscription(acme, 'project', harbour, module_id, 'trial')], { project: harbour })
    expect(missing).toEqual([['denies', 'The subscription is a trial, which counts only with include_trial.']])
    const over = { ...subscription(acme, 'project', harbour, module_id, 'trial'), end_date: '2026-02-01T00:00:00.000Z' }
    expect(await entitlement([over], { project: harbour, include_trial: true })).toMatchObject({
      missing: [['expired', 'The subscription is trial and ended at 2026-02-01T00:00:00.000Z.']],
    })
  })
})
