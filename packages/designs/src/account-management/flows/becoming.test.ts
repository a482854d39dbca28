import { beforeEach, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../test/engine/sender-after.ts'
import { accountWork, checkedAccountFlows } from '../../../test/account-flows.ts'
import type { AccountFlows } from './flows.ts'

// A caller that takes another's e-mail address, or lets another act again, gains no more than it has itself, by the design's own decisions.

let ours: string
let project: string
let eve: string
let acting: AccountFlows
const work = await accountWork()

let count = 0
const address = () => `u${++count}@ours.example`
const newUser = async (more: object = {}) =>
  (await work.table.User.create({ client_id: ours, email: address(), user_type: 'client_admin', ...more })).id
beforeEach(async () => {
  ours = (await work.flows.createClient({ name: 'Ours' })).id
  project = (await work.flows.createProject({ client_id: ours, name: 'Harbour' })).id
  eve = await newUser()
  await give(eve, ['account-management:change-email:user', 'account-management:enable:user', 'account-management:invite:user'])
  acting = checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: eve } })
})

interface Given {
  readonly at_project?: boolean
  readonly start_at?: string
  readonly expires_at?: string
  readonly linked?: boolean
  readonly owner?: 'SYSTEM'
}

/** Gives a user a role of these permissions. */
async function give(user_id: string, texts: readonly string[], { at_project = false, linked = false, owner, ...bounds }: Given = {}) {
  const permissions = texts.map((each) => {
    const [module = '', action = '', resource = ''] = each.split(':')
    return { module, action, resource }
  })
  const common = { name: `Role ${++count}`, permissions, confirm_dangerous: true }
  const { id: parent } = await work.flows.createRole(owner === 'SYSTEM' ? { ...common, system: true } : { ...common, client_id: ours })
  const role_id = linked
    ? (await work.flows.createRole({ client_id: ours, name: `Role ${++count}`, permissions: [], parent_role_id: parent })).id
    : parent
  const scope = at_project ? { scope_type: 'project' as const, scope_id: project } : { scope_type: 'client' as const, scope_id: ours }
  await work.table.UserRoleAssignment.create({ user_id, role_id, role_owner: owner ?? ours, ...scope, ...bounds })
}

const everything = ['*:*:*']
const notHeld = { code: 'Denied', details: { reason: 'NotHeld' } }
const later = '2190-01-01T00:00:00.000Z'

const ways: readonly (readonly [string, object, (id: string) => Promise<unknown>])[] = [
  ['changes the e-mail address of', {}, (id) => acting.changeUserEmail({ id, email: address() })],
  ['enables', { status: 'disabled' }, (id) => acting.enableUser({ id })],
  [
    'renews the invitation of',
    { status: 'disabled', invitation_expires_at: '2026-01-01T00:00:00.000Z' },
    (id) => acting.renewInvitation({ id }),
  ],
]

describe.each(ways)('a user who %s another', (_name, of, way) => {
  const reload = (id: string) => work.table.User.get({ id }, { consistent: true })
  test.each<[string, readonly string[], Given]>([
    ['everything', everything, {}],
    ['everything, and not yet', everything, { start_at: later }],
    ['something at a project', ['doors:open:gate'], { at_project: true }],
    ['something by the parent of its role', ['doors:open:gate'], { linked: true }],
    ['something by a system role', ['doors:open:gate'], { owner: 'SYSTEM' }],
  ])('is refused where that one has %s', async (_what, texts, given) => {
    const id = await newUser(of)
    await give(id, texts, given)
    const before = await reload(id)
    await expect(way(id)).rejects.toMatchObject(notHeld)
    expect(await reload(id)).toEqual(before)
  })

  test('may where it has as much, wider or at a wider scope, or where what that one had is over', async () => {
    const [id, other] = [await newUser(of), await newUser(of)]
    await give(id, ['doors:open:gate'], { at_project: true })
    await give(id, ['account-management:enable:user'])
    await give(other, everything, { expires_at: '2020-01-01T00:00:00.000Z' })
    await expect(way(id)).rejects.toMatchObject(notHeld)
    await way(other)
    await give(eve, ['doors:*:*'])
    await way(id)
  })

  test('may where it has it at the same project', async () => {
    const id = await newUser(of)
    await give(id, ['doors:open:gate'], { at_project: true })
    await give(eve, ['doors:open:gate'], { at_project: true })
    await way(id)
  })

  test('needs it for as long as that one has it', async () => {
    const id = await newUser(of)
    await give(id, ['doors:open:gate'])
    await give(eve, ['doors:open:gate'], { expires_at: later })
    await expect(way(id)).rejects.toMatchObject({ code: 'Denied' })
  })
})

test('a user changes its own e-mail address whatever it has, by the permission to change addresses', async () => {
  await give(eve, everything, { start_at: later })
  expect(await acting.changeUserEmail({ id: eve, email: address() })).toMatchObject({ id: eve })
  const other = await newUser()
  const own = checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: other } })
  await expect(own.changeUserEmail({ id: other, email: address() })).rejects.toMatchObject({ code: 'Denied' })
})

test('who is enabled with what is dangerous is so by a confirmation, and with a warning in the audit; an operator needs it, too', async () => {
  await work.flows.createPermission({ module: 'vault', action: 'open', resource: 'door', is_dangerous: true })
  const id = await newUser({ status: 'disabled' })
  await give(id, ['vault:open:door'])
  await expect(work.flows.enableUser({ id })).rejects.toMatchObject({
    code: 'InvalidInput',
    details: { issues: [{ path: ['confirm_dangerous'] }] },
  })
  expect(await work.flows.enableUser({ id, confirm_dangerous: true })).toMatchObject({ status: 'active' })
  expect((await work.audit(ours)).at(-1)).toMatchObject({ action: 'enableUser', entity_id: id, severity: 'warning' })
})

describe('an invitation that was withdrawn, since its user was disabled,', () => {
  /** A user with these permissions, as the design's own decisions know it. */
  async function having(...texts: readonly string[]): Promise<AccountFlows> {
    const user_id = await newUser()
    await give(
      user_id,
      texts.map((each) => `account-management:${each}:user`),
    )
    return checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id } })
  }
  const invitedAndDisabled = async () => {
    const { id } = await work.flows.inviteUser({ client_id: ours, email: address(), user_type: 'external_tenant' })
    return (await work.flows.disableUser({ id })).id
  }
  const reload = (id: string) => work.table.User.get({ id }, { consistent: true })
  const needed = (permission: string) => ({
    code: 'Denied',
    message: expect.stringContaining(`needs account-management:${permission}:user`),
  })

  test.each([false, true])(
    'is opened again by who may enable users and invite them, and by nobody who may only do one of it (%s)',
    async (isSwept) => {
      const id = await invitedAndDisabled()
      if (isSwept) await work.flows.sweep({ client_id: ours })
      const before = await reload(id)
      expect(before).toMatchObject({ status: 'disabled', invitation_status: 'withdrawn' })
      await expect((await having('invite')).renewInvitation({ id })).rejects.toMatchObject(needed('enable'))
      await expect((await having('enable')).renewInvitation({ id })).rejects.toMatchObject(needed('invite'))
      expect(await reload(id)).toEqual(before)
      expect(await (await having('invite', 'enable')).renewInvitation({ id })).toMatchObject({ invitation_status: 'open' })
    },
  )

  test('is withdrawn also where that happens while it is renewed', async () => {
    const { id } = await work.flows.inviteUser({ client_id: ours, email: address(), user_type: 'external_tenant' })
    let isDisabled = false
    const late = await accountWork({
      table: work.table.runtime.table,
      sender: senderAfter(async (operation) => {
        if (operation === 'TransactWriteItems' && !isDisabled) {
          isDisabled = true
          await work.flows.disableUser({ id })
        }
      }),
    })
    const user_id = await newUser()
    await give(user_id, ['account-management:invite:user'])
    const inviting = checkedAccountFlows.of(late.table, { actor: { kind: 'user', user_id } })
    await expect(inviting.renewInvitation({ id })).rejects.toMatchObject(needed('enable'))
    expect(isDisabled).toBe(true)
    expect(await reload(id)).toMatchObject({ invitation_status: 'withdrawn' })
  })

  test('is opened again by a confirmation and with a warning where its user has what is dangerous, as whoever is enabled', async () => {
    await work.flows.createPermission({ module: 'vault', action: 'enter', resource: 'door', is_dangerous: true })
    const id = await invitedAndDisabled()
    await give(id, ['vault:enter:door'])
    const refused = { code: 'InvalidInput', details: { dangerous: ['vault:enter:door'] } }
    await expect(work.flows.renewInvitation({ id })).rejects.toMatchObject(refused)
    expect(await work.flows.renewInvitation({ id, confirm_dangerous: true })).toMatchObject({ invitation_status: 'open' })
    expect((await work.audit(ours)).at(-1)).toMatchObject({ action: 'renewInvitation', entity_id: id, severity: 'warning' })
    expect(await work.flows.renewInvitation({ id })).toMatchObject({ invitation_status: 'open' })
  })
})
