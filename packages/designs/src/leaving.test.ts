import { type Actor, operator } from '@freehold/frame/flow'
import type { ConnectOptions, Runtime } from '@freehold/table'
import { mayNotScan, tableOn } from '@freehold/table/runtime'
import { Clock } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { accountWork, checkedAccountFlows } from '../test/account-flows.ts'
import { authorizationWork } from '../test/authorization-flows.ts'
import { dyingSender } from '../test/dying-sender.ts'
import { engineSender } from '../test/own-table.ts'
import { platformWork } from '../test/platform-flows.ts'
import { rebacWork } from '../test/rebac-flows.ts'
import { recordedMails } from '../test/recorded-mails.ts'

const from = { ip_address: '203.0.113.77', user_agent: 'Adas Browser/7', session_id: 'adas-own-session' }

/** What a test of erasure needs of a design: a person with traces everywhere, and one of the same first name who stays. */
interface Scene {
  readonly runtime: Runtime
  readonly id: string
  /** Texts of the person, which must stand nowhere after it. */
  readonly personal: readonly string[]
  /** Texts of others, which must stay. */
  readonly others: readonly string[]
  erase(runtime: Runtime): Promise<unknown>
  /** Everything that the export gives. */
  exported(): Promise<readonly { readonly Type: string }[]>
}

interface Page {
  readonly items: readonly { readonly Type: string }[]
  readonly cursor?: string | undefined
}

async function all(page: (cursor: string | undefined) => Promise<Page>) {
  const items: { readonly Type: string }[] = []
  let cursor: string | undefined
  do {
    const { items: found, cursor: next } = await page(cursor)
    items.push(...found)
    cursor = next
  } while (cursor !== undefined)
  return items
}

const as = (user_id: string): { readonly actor: Actor } => ({ actor: { kind: 'user', user_id }, ...from })

async function accounts(options: ConnectOptions): Promise<Scene> {
  const { table, flows } = await accountWork(options)
  const { id: client_id } = await flows.createClient({ name: 'Ours' })
  const { id: second } = await flows.createClient({ name: 'Theirs' })
  const address = 'ada.lovelace@ours.example'
  const names = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: '+4930111222',
    title: 'Countess of Engines',
    department: 'Analytics Hall',
  }
  const { id } = await flows.inviteUser({ client_id, email: address, user_type: 'client_admin', ...names })
  await flows.acceptInvitation({ id })
  const { id: role_id } = await flows.createRole({
    client_id,
    name: 'Admin',
    permissions: [{ module: '*', action: '*', resource: '*' }],
    confirm_dangerous: true,
  })
  await flows.assignRole({ user_id: id, role_id, scope_type: 'client', scope_id: client_id, confirm_dangerous: true })
  await flows.updateUser({ id, last_name: 'Byron-King' })
  await flows.updateUser({ id, last_name: 'Lovelace' })
  await flows.changeUserEmail({ id, email: 'ada.old@ours.example' })
  await flows.changeUserEmail({ id, email: address })
  await flows.setSetting({ scope_type: 'user', scope_id: id, key: 'motto', value: 'I poke engines' })
  await flows.setSetting({ scope_type: 'user', scope_id: id, key: 'motto', value: 'I poke more engines' })
  await flows.createSession({ user_id: id, user_agent: 'Adas Phone/1', ip_address: '203.0.113.9', location: 'Marylebone' })
  await flows.createToken({ user_id: id, token_type: 'api' })
  // What she does, and who she is elsewhere.
  const own = checkedAccountFlows.of(table, as(id))
  const { id: namesake } = await own.inviteUser({ client_id, email: 'ada.byrd@ours.example', first_name: 'Ada', user_type: 'client_admin' })
  await own.createRole({ client_id, name: 'Countess of Engines' })
  await expect(own.createClient({ name: 'No' })).rejects.toMatchObject({ code: 'Denied' })
  await flows.updateClient({
    id: second,
    primary_contact_email: address,
    primary_contact_name: 'Ada Lovelace',
    billing_email: 'mada.lovely@ours.example',
  })
  const offered = checkedAccountFlows.keyed(table, { actor: { ...operator, name: 'help' } }, 'k1')
  await offered.updateUser({ id, title: 'Countess of Engines, retired' })
  return {
    runtime: table.runtime,
    id,
    personal: [
      id,
      address,
      'ada.old@ours.example',
      'Lovelace',
      'Byron-King',
      '+4930111222',
      'Countess of Engines, retired',
      'Analytics Hall',
    ].concat(['poke engines', 'poke more', 'Adas Phone', '203.0.113.9', 'Marylebone', ...Object.values(from)]),
    others: [
      namesake,
      'ada.byrd@ours.example',
      '"first_name":"Ada"',
      '"name":"Countess of Engines"',
      'mada.lovely@ours.example',
      '"Theirs"',
      'motto',
    ],
    erase: (runtime) => checkedAccountFlows.of(tableOn(runtime) as unknown as typeof table, { actor: operator }).eraseUser({ id }),
    exported: () => all((cursor) => flows.exportUser({ id, limit: 7, ...(cursor && { cursor }) })),
  }
}

async function portal(options: ConnectOptions): Promise<Scene> {
  const mails = recordedMails()
  const work = await platformWork({ ...options, mailing: mails })
  const { flows, table } = work
  await flows.createEnterprise({ id: 'e1', name: 'Works' })
  const technicalUser = { email: 'ada.lovelace@harbour.example', firstName: 'Ada', lastName: 'Lovelace' }
  mails.next = 'refused'
  await flows.provisionAccount({
    ...{ accountId: 'ada', name: 'Harbour Ltd', addresses: [{ line1: 'Pier 1', city: 'Bremen', country: 'DE', isPrimary: true }] },
    ...{ technicalUser, licenses: [{ enterpriseId: 'e1', seats: 10, endDate: '2099-12-31' }], menus: ['dashboard', 'users', 'roles'] },
  })
  const user = 'ada.technical'
  await flows
    .resendNotification({ accountId: 'ada', notificationType: 'credentials', subjectId: user, occasion: 'provisioning' } as never)
    .catch(() => {})
  await flows.updateUser({ id: user, lastName: 'Byron-King' })
  await flows.updateUser({ id: user, lastName: 'Lovelace', email: 'ada.old@harbour.example' })
  await flows.updateUser({ id: user, email: technicalUser.email })
  const [license] = (await table.licensesOfAccount({ accountId: 'ada' })).items
  await flows.assignSeat({ accountId: 'ada', licenseId: license?.id ?? '', userId: user } as never)
  await flows.createUser({ accountId: 'ada', id: 'ada.second', email: 'ada.byrd@harbour.example', firstName: 'Ada', lastName: 'Byrd' })
  await flows.createAccount({ id: 'beta', name: 'Beta' })
  // Elsewhere the same person is a contact without being a user.
  await table.TechnicalUser.create({ id: 'contact', accountId: 'beta', name: 'Ada Lovelace', email: technicalUser.email })
  const own = work.by(as(user))
  await expect(own.createAccount({ name: 'No' })).rejects.toMatchObject({ code: 'Denied' })
  return {
    runtime: table.runtime,
    id: user,
    personal: [user, technicalUser.email, 'ada.old@harbour.example', 'Lovelace', 'Byron-King', ...Object.values(from)],
    others: ['ada.second', 'ada.byrd@harbour.example', '"firstName":"Ada"', 'TECH_USER#contact', '"id":"ada"', 'Harbour Ltd'],
    erase: (runtime) => work.offered.of(tableOn(runtime) as unknown as typeof table, { actor: operator }).eraseUser({ id: user }),
    exported: () => all((cursor) => flows.exportUser({ id: user, limit: 7, ...(cursor && { cursor }) })),
  }
}

async function tickets(options: ConnectOptions): Promise<Scene> {
  const work = await authorizationWork(options)
  const { flows, table } = work
  const { tenantId } = await flows.createTenant({ name: 'Acme' })
  const address = 'ada.lovelace@acme.example'
  const { userId } = await flows.createUser({
    email: address,
    phone: '+4930111222',
    preferredUsername: 'ada.l',
    givenName: 'Ada',
    familyName: 'Lovelace',
  })
  const { roleId } = await flows.createRole({ name: 'admin', scope: 'tenant' })
  await flows.createGrant({ tenantId, userId, roles: [roleId] } as never)
  await flows.changeEmail({ userId, email: 'ada.old@acme.example' })
  await flows.changeEmail({ userId, email: address })
  await flows.updateUser({ userId, familyName: 'Byron-King' })
  await flows.updateUser({ userId, familyName: 'Lovelace' })
  await flows.createUser({ email: 'ada.byrd@acme.example', givenName: 'Ada', familyName: 'Byrd' })
  await flows.createResource({
    tenantId,
    type: 'Ticket',
    id: 't1',
    attributes: { owner: userId, cc: [address, 'bob@acme.example'], title: 'Pump' },
  } as never)
  await work.offered
    .of(table, as(userId))
    .createTenant({ name: 'No' })
    .catch(() => {})
  return {
    runtime: table.runtime,
    id: userId,
    personal: [userId, address, 'ada.old@acme.example', 'Lovelace', 'Byron-King', '+4930111222', 'ada.l', ...Object.values(from)],
    others: ['ada.byrd@acme.example', '"givenName":"Ada"', 'bob@acme.example', '"Pump"', '"Acme"'],
    erase: (runtime) => work.offered.of(tableOn(runtime) as unknown as typeof table, { actor: operator }).eraseUser({ userId }),
    exported: () => all((cursor) => flows.exportUser({ userId, limit: 7, ...(cursor && { cursor }) })),
  }
}

async function club(options: ConnectOptions): Promise<Scene> {
  const work = await rebacWork(options)
  const { flows, table } = work
  const { locationId } = await flows.createLocation({ locationCode: 'HERE', name: 'Here' })
  const { groupId } = await flows.createGroup({ locationId, name: 'leads' })
  const address = 'ada.lovelace@club.example'
  const { userId } = await flows.createUser({ displayName: 'Ada Lovelace', email: address })
  await flows.joinGroup({ userId, groupId })
  await work.offered.keyed(table, { actor: operator }, 'k1').addEmail({ userId, email: 'ada.old@club.example' })
  await flows.signIn({ provider: 'google', subject: 'subject-of-ada', email: address, isEmailVerified: true })
  await flows.updateUser({ userId, displayName: 'Ada Byron-King' })
  await flows.removeEmail({ email: 'ada.old@club.example' })
  const { userId: namesake } = await flows.createUser({ displayName: 'Ada Byrd', email: 'ada.byrd@club.example' })
  await flows.joinGroup({ userId: namesake, groupId })
  await work
    .by(as(userId))
    .createLocation({ locationCode: 'NO', name: 'No' })
    .catch(() => {})
  return {
    runtime: table.runtime,
    id: userId,
    personal: [userId, address, 'ada.old@club.example', 'Lovelace', 'Byron-King', 'subject-of-ada', ...Object.values(from)],
    others: [namesake, 'Ada Byrd', 'ada.byrd@club.example', '"leads"', '"Here"'],
    erase: (runtime) => work.offered.of(tableOn(runtime) as unknown as typeof table, { actor: operator }).eraseUser({ userId }),
    exported: () => all((cursor) => flows.exportUser({ userId, limit: 7, ...(cursor && { cursor }) })),
  }
}

/** Every byte of every item, as it lies in the table. */
async function raw({ table }: Runtime): Promise<readonly string[]> {
  const { Items = [] } = await engineSender().send('Scan', { TableName: table, ConsistentRead: true })
  return Items.map((item) => JSON.stringify(item, (_name, value) => (value instanceof Set ? [...value] : value)))
}
const plain = (items: readonly string[]) => items.join('\n').replace(/\{"S":("(?:[^"\\]|\\.)*")\}/g, '$1')
/** Whole words: `ada.technical-role` names a role. */
const found = (items: readonly string[], texts: readonly string[]) =>
  texts.flatMap((text) => {
    const word = new RegExp(`(?<![\\w.-])${text.replace(/[+.]/g, '\\$&')}(?![\\w-])`, 'i')
    return items.filter((item) => word.test(item)).map((item) => `${text}: ${item.slice(0, 300)}…${item.slice(-700)}`)
  })

const scenes = [
  ['account-management', accounts],
  ['platform', portal],
  ['authorization', tickets],
  ['rebac', club],
] as const

describe.each(scenes)('a person of %s', (_name, scene) => {
  test('who is exported and erased is told whole, then stands nowhere, and nobody else is touched', async () => {
    const { runtime, personal, others, erase, exported } = await scene({})
    const before = await raw(runtime)
    expect(personal.filter((text) => found(before, [text]).length === 0)).toEqual([])
    const file = await exported()
    expect(file.some((item) => item.Type === 'User')).toBe(true)
    expect(
      personal.filter(
        (text) =>
          found(
            file.map((item) => JSON.stringify(item)),
            [text],
          ).length === 0,
      ),
    ).toEqual([])
    const told = others.filter((text) => plain(before).includes(text))
    await erase(runtime)
    const after = await raw(runtime)
    expect(found(after, personal)).toEqual([])
    expect(others.filter((text) => !plain(after).includes(text))).toEqual([])
    expect(told).toEqual([...others])
    // Again it finds nothing, and changes nothing.
    await erase(runtime)
    expect(await raw(runtime)).toEqual(after)
  }, 60_000)

  test('is erased whichever write was the last of a process', async () => {
    const clock = new Clock()
    for (let writes = 0, isDead = true; isDead; writes += 1 + Math.floor(writes / 3)) {
      const { runtime, personal, erase } = await scene({ now: clock.now, sleep: async () => {} })
      const sender = dyingSender(engineSender(), writes)
      await erase({ ...runtime, sender: sender.sender }).catch(() => {})
      isDead = sender.isDead()
      // Another process goes on, or the same call is made again.
      if (isDead && writes % 2 === 0) await erase(runtime).catch(() => {})
      clock.forward(60_000)
      await tableOn(runtime).jobs.resume()
      const after = await raw(runtime)
      const isUntouched = writes < 3 && found(after, personal).length > 50
      if (!isUntouched) expect(found(after, personal)).toEqual([])
      expect(await tableOn(runtime).jobs.list()).toEqual([])
    }
  }, 300_000)
})

test('of one person who is erased by two calls at once, all records have one pseudonym, which no address tells', async () => {
  const { table, flows } = await accountWork()
  const { id: client_id } = await flows.createClient({ name: 'Ours' })
  const { id } = await flows.inviteUser({ client_id, email: 'ada@ours.example', user_type: 'client_admin' })
  await flows.updateUser({ id, title: 'Countess' })
  await Promise.all([flows.eraseUser({ id }), flows.eraseUser({ id })])
  const audit = await table.auditOfClient({ client_id, from: '2000-01-01', to: '2199-12-31' })
  const names = audit.items.filter(({ entity_type }) => entity_type === 'User').map(({ entity_id }) => entity_id)
  expect(names.length).toBeGreaterThan(2)
  expect(new Set(names).size).toBe(1)
  expect(names).not.toContain(id)
})

test('who was deleted before is erased from the audit; an owner of a project is not', async () => {
  const { table, flows, audit } = await accountWork()
  const { id: client_id } = await flows.createClient({ name: 'Ours' })
  const { id } = await flows.inviteUser({ client_id, email: 'ada@ours.example', first_name: 'Ada', user_type: 'client_admin' })
  await flows.deleteUser({ id })
  expect(found(await raw(table.runtime), ['ada@ours.example'])).not.toEqual([])
  await flows.eraseUser({ id })
  expect(found(await raw(table.runtime), [id, 'ada@ours.example', '"Ada"'])).toEqual([])
  expect((await audit()).map(({ action }) => action)).toContain('eraseUser')
  const { id: owner } = await flows.inviteUser({ client_id, email: 'bob@ours.example', user_type: 'client_admin' })
  await flows.createProject({ client_id, name: 'Pier', owner_user_id: owner })
  await expect(flows.eraseUser({ id: owner })).rejects.toMatchObject({ code: 'InUse' })
  expect(await table.User.get({ id: owner })).toMatchObject({ email: 'bob@ours.example' })
})

test('where a process may not scan, it erases nobody', async () => {
  const { table, flows } = await accountWork()
  const { id: client_id } = await flows.createClient({ name: 'Ours' })
  const { id } = await flows.inviteUser({ client_id, email: 'ada@ours.example', user_type: 'client_admin' })
  mayNotScan(table.runtime)
  for (const refused of [flows.eraseUser({ id }), flows.exportUser({ id })])
    await expect(refused).rejects.toMatchObject({ code: 'Denied', details: { reason: 'MayNotScan' } })
})
