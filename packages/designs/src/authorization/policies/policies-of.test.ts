import { folderOf } from '@freehold/frame'
import { policiesOf } from '@freehold/frame/cedar'
import { meter } from '@freehold/table'
import { expect, test } from 'vitest'
import { senderAfter } from '../../../../../test/engine/sender-after.ts'
import { ownTableOf } from '../../../test/own-table.ts'
import { decideAuthorization } from '../decide.ts'
import { authorization } from '../design.ts'
import { authorizationModule, authorizationModuleWith } from '../index.ts'
import { starterFiles } from './starter.ts'

const folder = (more: Readonly<Record<string, string>> = {}) => new Map(Object.entries({ ...starterFiles, ...more }))
const frozen = folder({ 'more.cedar': '@id("frozen") forbid (principal, action, resource);' })

const [ada, acme, owner] = ['01HA', '01HB', '01HC'].map((start) => start.padEnd(26, '0')) as [string, string, string]
const question = { user: ada, tenant: acme, action: 'renameTenant', resource: { type: 'Tenant', id: acme } }

async function open() {
  const table = await ownTableOf(authorization)
  await table.Role.create({ roleId: owner, name: 'owner', scope: 'tenant' })
  await table.Tenant.create({ tenantId: acme, name: 'acme' })
  await table.User.create({ userId: ada, email: 'ada@example.org' })
  await table.TenantGrant.create({ tenantId: acme, userId: ada, roles: [owner] })
  return table
}

test('another version decides the next question, and a refused one leaves the former', async () => {
  const table = await open()
  const policies = await policiesOf(folder())
  const decider = decideAuthorization(policies)(table.runtime)
  const can = async () => (await decider.can(question)).allowed
  expect(await can()).toBe(true)
  await policies.replace(frozen)
  expect(await can()).toBe(false)
  for (const broken of [folder({ 'a.cedar': 'permit (' }), folder({ 'schema.cedarschema': 'entity' }), new Map()])
    await expect(policies.replace(broken)).rejects.toMatchObject({ code: 'InvalidInput' })
  expect(await can()).toBe(false)
  await policies.replace(folder())
  expect(await can()).toBe(true)
})

test('the same text is not parsed again', async () => {
  const policies = await policiesOf(folder())
  const before = policies.current()
  await policies.replace(new Map([...folder()].reverse()))
  expect(policies.current()).toBe(before)
  await policies.replace(frozen)
  expect(policies.current()).not.toBe(before)
})

test('a question that has begun, and a whole batch, are answered by the version that they began with', async () => {
  const table = await open()
  const policies = await policiesOf(folder())
  let replacing: Promise<void> | undefined
  // The first read of a question replaces the policies, and waits for that.
  const sender = senderAfter(async () => {
    replacing ??= policies.replace(frozen)
    await replacing
  }, table.runtime.sender)
  const decider = decideAuthorization(policies)({ ...table.runtime, sender })
  const many = Array.from({ length: 300 }, () => question)
  const answers = await decider.canMany(many)
  expect(policies.current().version).not.toBe((await policiesOf(folder())).current().version)
  expect(new Set(answers.map(({ allowed }) => allowed))).toEqual(new Set([true]))
  expect(await decider.can(question)).toMatchObject({ allowed: false, reason: { code: 'Forbidden' } })
})

test('another version costs no round trip', async () => {
  const table = await open()
  const policies = await policiesOf(folder())
  const decider = decideAuthorization(policies)(table.runtime, { maxStalenessMs: 600_000 })
  await decider.can(question)
  await policies.replace(frozen)
  expect((await meter(() => decider.can(question))).cost.roundTrips).toBe(1)
})

test('the module without policies takes them from a folder; with policies it needs none', async () => {
  const offered = folderOf(authorizationModule)
  expect([...folder({ 'README.md': '' }).keys()].filter((name) => offered?.takes(name))).toEqual([
    'schema.cedarschema',
    'guardrails.cedar',
    'roles.cedar',
    'examples.cedar',
  ])
  const opened = await offered?.open(folder())
  const table = await open()
  expect(await opened?.module.decider?.(table.runtime).can(question)).toEqual({ allowed: true })
  expect(authorizationModuleWith({ policies: await policiesOf(folder()) })).not.toHaveProperty('folder')
})

const template = '@id("t")\npermit (principal == ?principal, action, resource);\n'
const linkOf = (change: object) => JSON.stringify([{ id: 'ada', template: 't', principal: { type: 'User', id: 'ada' }, ...change }])
const withLinks = (links: string) =>
  policiesOf(
    new Map([
      ['schema.cedarschema', linkSchema],
      ['t.cedar', template],
      ['links.json', links],
    ]),
  )
const linkSchema = 'entity User; entity Doc; action view appliesTo { principal: User, resource: Doc };'

test('links stand in a file of their own', async () => {
  const [ada, doc] = [
    { type: 'User', id: 'ada' },
    { type: 'Doc', id: 'd' },
  ]
  const request = {
    principal: ada,
    action: { type: 'Action', id: 'view' },
    resource: doc,
    context: {},
    entities: [{ uid: ada }, { uid: doc }],
  }
  const answer = await (await withLinks(linkOf({}))).current().isAuthorized(request)
  expect(answer).toMatchObject({ decision: 'allow', policies: [{ id: 'ada' }] })
})

test.each([
  ['no JSON', '[', /links\.json is no list/],
  ['no list', '{}', /links\.json is no list/],
  ['a part that links have not', linkOf({ who: 'ada' }), /link 1: who/],
  ['a principal that is none', linkOf({ principal: 'ada' }), /link 1: principal/],
  ['no template', linkOf({ template: undefined }), /link 1: template is missing/],
])('links of %s are refused', async (_, links, message) => {
  await expect(withLinks(links)).rejects.toMatchObject({ code: 'InvalidInput', message: expect.stringMatching(message) })
})
