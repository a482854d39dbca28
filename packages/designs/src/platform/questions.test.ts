import { questionNames } from '@freehold/frame/decision'
import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { asDescribed } from '../../test/as-described.ts'
import { writeLiterally } from '../../test/literal-items.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { adaEdits, adaOfAcme } from '../../test/platform-organisation.ts'
import { designModules } from '../design-modules.ts'
import { access } from './access.ts'
import { decidePlatform } from './decide.ts'
import { platform } from './design.ts'

const table = await ownTableOf(platform)
await writeLiterally(table.runtime, adaOfAcme)
/** Without types, as the command and HTTP ask. */
const decider = designModules.get('platform')?.decider?.(table.runtime)
if (decider === undefined) throw new Error('platform has no decisions')

const questionOf = (name: (typeof questionNames)[number]) =>
  Object.fromEntries(Object.entries(adaEdits).filter(([field]) => decider.fields[name].includes(field)))

const refused = (...fields: readonly (string | number)[]) => ({
  code: 'InvalidInput',
  details: { issues: fields.map((field) => expect.objectContaining({ path: [field] })) },
})

describe.each(questionNames)('%s', (name) => {
  const ask = (question: unknown, how?: object) => decider[name](question, how)
  const own = decider.fields[name]

  test('takes its own fields, and only a workstream may be left out', async () => {
    await expect(ask(questionOf(name))).resolves.toBeDefined()
    for (const field of own)
      for (const value of [undefined, null]) {
        const asked = ask({ ...questionOf(name), [field]: value })
        if (field === 'workstream') await expect(asked).resolves.toBeDefined()
        else await expect(asked).rejects.toMatchObject(refused(field))
      }
  })

  test.each([
    ['a number', 7],
    ['a list', ['ada']],
    ['empty', ''],
    ['only white space', ' \t'],
    ['half a character', 'a\ud800'],
    ['with a control character', 'a\u0000b'],
    ['too long for a key', 'a'.repeat(3000)],
  ])('refuses a field that is %s, by name', async (_, value) => {
    // Null of an optional field counts as absent.
    for (const field of value === null ? own.filter((each) => each !== 'workstream') : own)
      await expect(ask({ ...questionOf(name), [field]: value })).rejects.toMatchObject(refused(field))
  })

  test('refuses fields that it does not have, by name', async () => {
    await expect(ask({ ...questionOf(name), group: 'x' })).rejects.toMatchObject(refused('group'))
    await expect(ask(JSON.parse(`{"__proto__": "x", ${JSON.stringify(questionOf(name)).slice(1)}`))).rejects.toMatchObject(
      refused('__proto__'),
    )
  })

  test.each([null, undefined, 'ada', 7, [], [adaEdits]])('refuses %j, which is no question', async (question) => {
    await expect(ask(question)).rejects.toMatchObject({ code: 'InvalidInput' })
  })
})

test.each(['approve', 'View', 'canView', '*', 'toString'])('an action that there is not is a malformed question: %s', async (action) => {
  await expect(decider.can({ ...adaEdits, action })).rejects.toMatchObject(refused('action'))
  await expect(decider.who({ account: 'acme', menu: 'dashboard', action })).rejects.toMatchObject(refused('action'))
})

test.each(['ada byron', 'ada#1', '@example.org', 'ada@'])(
  'a user is named by an id or an e-mail address, which %s is not',
  async (user) => {
    await expect(decider.can({ ...adaEdits, user })).rejects.toMatchObject(refused('user'))
  },
)

test.each(['what', 'who', 'where'] as const)('an item of %s is as the question describes it', async (name) => {
  const { items } = await decider[name](questionOf(name), name === 'where' ? { expand: true } : {})
  expect(items.length).toBeGreaterThan(0)
  expect(items.map((item) => asDescribed(access.questions[name], item))).toEqual(items)
})

test('the lists say what they found, and one grant by which', async () => {
  const grantedBy = { groupId: 'staff', roleId: 'editor' }
  expect(await decider.what(questionOf('what'))).toEqual({
    items: [{ menuKey: 'dashboard', canView: true, canCreate: false, canEdit: true, canDelete: false }],
  })
  expect(await decider.who(questionOf('who'))).toEqual({
    items: [{ userId: 'ada', email: 'ada@example.org', firstName: 'Ada', lastName: 'Byron', grantedBy }],
  })
  const account = { accountId: 'acme', name: 'Acme', grantedBy }
  expect(await decider.where(questionOf('where'))).toEqual({ items: [account] })
  expect(await decider.where(questionOf('where'), { expand: true })).toEqual({
    items: [account, { accountId: 'acme', workstreamId: 'research', name: 'Research', grantedBy }],
  })
})

test('why tells the whole chain, with what a write that rests on it checks', async () => {
  const { allowed, chains, missing } = await decider.why(adaEdits)
  expect({ allowed, missing }).toEqual({ allowed: true, missing: [] })
  expect(
    chains.map((chain) => chain.map(({ entity, id, as }) => [entity, Object.values(id).join(' '), ...(as === undefined ? [] : [as])])),
  ).toEqual([
    [
      ['User', 'ada', { status: 'active', endDate: null, accountId: 'acme' }],
      ['Account', 'acme', { status: 'active' }],
      ['Workstream', 'acme research'],
      ['UserWorkstream', 'ada research', { accountId: 'acme' }],
      ['UserGroup', 'ada staff'],
      ['Group', 'staff'],
      ['GroupRole', 'staff editor'],
      ['Role', 'editor'],
      ['RolePermission', 'editor dashboard', { canEdit: true }],
    ],
  ])
})

test('why tells what was missing at each step', async () => {
  const missing = async (more: object) =>
    (await decider.why({ ...adaEdits, ...more })).missing.map(({ entity, state }) => `${entity} ${state}`)
  expect(await missing({ user: 'nobody@example.org' })).toEqual(['UserEmail missing'])
  expect(await missing({ user: 'nobody', account: 'none' })).toEqual(['User missing', 'Account missing', 'Workstream missing'])
  expect(await missing({ action: 'delete' })).toEqual(['RolePermission denies'])
  expect(await missing({ menu: 'none' })).toEqual(['RolePermission missing'])
})

test('many questions read each definition once', async () => {
  let sent = 0
  const counting = senderAfter(() => {
    sent++
  })
  const all = Array.from({ length: 200 }, (_, index) => ({
    ...adaEdits,
    action: index % 2 === 0 ? ('edit' as const) : ('delete' as const),
  }))
  const answers = await decidePlatform({ ...table.runtime, sender: counting }).canMany(all)
  expect(answers.map(({ allowed }) => allowed)).toEqual(all.map(({ action }) => action === 'edit'))
  // Two of its own for each question; the group, and the role with its permission once.
  expect(sent).toBeLessThanOrEqual(2 * 200 + 2)
})
