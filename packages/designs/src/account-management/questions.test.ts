import { restoreItems } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { acme, ada, adaAtHarbour, camera, harbour, pier, reader } from '../../test/account-organisation.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { questionNames } from '../decision/decision.ts'
import { offers } from '../offers.ts'
import { accountManagement } from './design.ts'

const table = await ownTableOf(accountManagement)
await restoreItems(table.runtime, adaAtHarbour)
/** Without types, as the command and HTTP ask. */
const decider = offers.get(accountManagement.name)?.decider?.(table.runtime)
if (decider === undefined) throw new Error('account-management offers no decisions')

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

  test.each(wrong.slice(1))('refuses a place or a module that is %j, by name', async (value) => {
    for (const field of ['client', 'project', 'building', 'module_id', 'include_trial'].filter(takes))
      await expect(ask({ ...questionOf(name), [field]: value })).rejects.toMatchObject(refused(field))
  })

  test('refuses ids that are no UUIDs, and users who are no e-mail addresses either', async () => {
    for (const field of ['user', 'client', 'project', 'building', 'module_id'].filter(takes))
      await expect(ask({ ...questionOf(name), [field]: 'acme' })).rejects.toMatchObject(refused(field))
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

describe.each(['what', 'who', 'where'] as const)('%s', (name) => {
  test.each([0, -1, 1001, 1.5, Number.NaN, '10'])('refuses a limit of %j', async (limit) => {
    // As a program without types would ask.
    await expect(decider[name](questionOf(name), { limit: limit as number })).rejects.toMatchObject(refused('limit'))
  })
})

test('a permission is three names, or the same as text', async () => {
  for (const permission of [camera, 'devices:read:camera', { ...camera, module: ' devices ' }])
    expect(await decider.can({ ...whole, permission })).toEqual({ allowed: true })
})

test('many questions are answered in their order, and the malformed one is named', async () => {
  const actions = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? 'read' : `action ${index}`))
  const answers = await decider.canMany(actions.map((action) => ({ ...whole, permission: { ...camera, action } })))
  expect(answers.map(({ allowed }) => allowed)).toEqual(actions.map((action) => action === 'read'))
  await expect(decider.canMany([whole, { ...whole, user: 7 }])).rejects.toMatchObject({
    code: 'InvalidInput',
    details: { issues: [{ path: [1, 'user'] }] },
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
      message: 'The role lacks devices:write:camera.',
    },
  ])
})
