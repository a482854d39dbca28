import { questionNames } from '@freehold/frame/decision'
import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { asDescribed } from '../../test/as-described.ts'
import { writeLiterally } from '../../test/literal-items.ts'
import { ada, adaInBerlin, berlin } from '../../test/organisation.ts'
import { ownTable } from '../../test/own-table.ts'
import { designModules } from '../design-modules.ts'
import { access } from './access.ts'
import { decideRebac } from './decide.ts'

const table = await ownTable()
await writeLiterally(table.runtime, adaInBerlin)
/** Without types, as the command and HTTP ask. */
const decider = designModules.get('rebac')?.decider?.(table.runtime)
if (decider === undefined) throw new Error('rebac designModules no decisions')

const whole = { user: ada, location: berlin, page: 'plan' }
const questionOf = (name: (typeof questionNames)[number]) =>
  Object.fromEntries(Object.entries(whole).filter(([field]) => decider.fields[name].includes(field)))

const refused = (...fields: readonly (string | number)[]) => ({
  code: 'InvalidInput',
  details: { issues: fields.map((field) => expect.objectContaining({ path: [field] })) },
})

describe.each(questionNames)('%s', (name) => {
  const ask = (question: unknown, how?: object) => decider[name](question, how)
  const [first = ''] = decider.fields[name]

  test('takes its own fields', async () => {
    await expect(ask(questionOf(name))).resolves.toBeDefined()
  })

  test.each([
    ['missing', { [first]: undefined }],
    ['null', { [first]: null }],
    ['a number', { [first]: 7 }],
    ['a list', { [first]: [ada] }],
    ['empty', { [first]: '' }],
    ['only white space', { [first]: ' \t' }],
    ['half a character', { [first]: 'a\ud800' }],
    ['with a control character', { [first]: 'a\u0000b' }],
    ['too long for a key', { [first]: 'a'.repeat(3000) }],
  ])('refuses a field that is %s, by name', async (_, change) => {
    await expect(ask({ ...questionOf(name), ...change })).rejects.toMatchObject(refused(first))
  })

  test('refuses fields that it does not have, by name', async () => {
    await expect(ask({ ...questionOf(name), group: 'x' })).rejects.toMatchObject(refused('group'))
    await expect(ask(JSON.parse(`{"__proto__": "x", ${JSON.stringify(questionOf(name)).slice(1)}`))).rejects.toMatchObject(
      refused('__proto__'),
    )
  })

  test('names everything that is wrong at once', async () => {
    await expect(ask({ toString: 'x' })).rejects.toMatchObject(refused('toString', ...decider.fields[name]))
  })

  test('names ten of the fields that it does not have: a refusal is not many times as long as its question', async () => {
    const foreign = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f${at}`, 'x']))
    const first = Object.keys(foreign).slice(0, 10)
    await expect(ask({ ...questionOf(name), ...foreign })).rejects.toMatchObject(refused(...first))
  })

  test.each([null, undefined, 'ada', 7, [], [whole]])('refuses %j, which is no question', async (question) => {
    await expect(ask(question)).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('refuses ways to ask that there are not', async () => {
    // As a program without types would ask.
    const how = { consistency: 'eventual' } as object
    await expect(ask(questionOf(name), how)).rejects.toMatchObject(refused('consistency'))
    await expect(ask(questionOf(name), { page: 2 })).rejects.toMatchObject(refused('page'))
  })
})

test.each(['what', 'who', 'where'] as const)('an item of %s is as the question describes it', async (name) => {
  const { items } = await decider[name](questionOf(name))
  expect(items.length).toBeGreaterThan(0)
  expect(items.map((item) => asDescribed(access.questions[name], item))).toEqual(items)
})

test('can does not take a limit', async () => {
  await expect(decider.can(whole, { limit: 1 } as object)).rejects.toMatchObject(refused('limit'))
})

test('`where` takes expand, and answers the same: locations hold no others', async () => {
  const plain = await decider.where({ user: ada, page: 'plan' })
  expect(plain.items).toHaveLength(1)
  expect(await decider.where({ user: ada, page: 'plan' }, { expand: true })).toEqual(plain)
})

test('the lists say what they found, and one grant by which', async () => {
  const grantedBy = { groupId: '01HC0000000000000000000001', roleName: 'reader' }
  const { user, location, page } = whole
  expect(await decider.what({ user, location })).toEqual({ items: [{ page, grantedBy }] })
  expect(await decider.who({ location, page })).toEqual({ items: [{ userId: user, displayName: 'Ada', userType: 'MEMBER', grantedBy }] })
  expect(await decider.where({ user, page })).toEqual({
    items: [{ locationId: location, locationCode: 'BER01', locationName: 'Place BER01', grantedBy }],
  })
})

test('every way of the declaration leads back, so that lists are complete', () => {
  expect(access.findings).toEqual([])
})

test('why tells the whole chain', async () => {
  const { allowed, chains, missing } = await decider.why(whole)
  expect({ allowed, missing }).toEqual({ allowed: true, missing: [] })
  expect(chains.map((chain) => chain.map(({ entity, id, state }) => `${entity} ${Object.values(id).join(' ')} ${state}`))).toEqual([
    [
      `User ${ada} found`,
      `Location ${berlin} found`,
      `UserLocationEdge ${ada} ${berlin} found`,
      `UserGroupEdge ${ada} 01HC0000000000000000000001 found`,
      'UserGroup 01HC0000000000000000000001 found',
      'GroupRole 01HC0000000000000000000001 reader found',
      'Role reader found',
      'RolePagePermission reader plan found',
      'Page plan found',
    ],
  ])
})

describe('many questions at once', () => {
  test('are answered in their order', async () => {
    const questions = Array.from({ length: 300 }, (_, index) => ({ ...whole, page: index % 3 === 0 ? 'plan' : `page ${index}` }))
    const answers = await decideRebac(table.runtime).canMany(questions)
    expect(answers.map(({ allowed }) => allowed)).toEqual(questions.map(({ page }) => page === 'plan'))
  })

  test('are asked only if all are well-formed, and the malformed one is named', async () => {
    await expect(decider.canMany([whole, { ...whole, user: 7 }])).rejects.toMatchObject({
      code: 'InvalidInput',
      details: { issues: [{ path: [1, 'user'] }] },
    })
  })

  test('read each definition once', async () => {
    let sent = 0
    const counting = senderAfter(() => {
      sent++
    })
    const batch = decideRebac({ ...table.runtime, sender: counting })
    await batch.canMany(Array.from({ length: 200 }, () => whole))
    // Two of its own for each question; the location, the page, the group, and the role with its permission once.
    expect(sent).toBeLessThanOrEqual(2 * 200 + 4)
  })
})
