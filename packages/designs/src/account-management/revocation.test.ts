import { restoreItems } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { assignment, idOf, link, permission, role } from '../../test/account-items.ts'
import { acme, ada, adaAtHarbour, camera, granting, harbour, pier, reader } from '../../test/account-organisation.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

const entry = idOf('permission', 1)
const child = idOf('role', 2)
const linked = idOf('role', 3)
const prepared = async (which: string) => {
  const clock = { ms: Date.parse('2026-03-01T00:00:00.000Z') }
  const table = await ownTableOf(accountManagement, { now: () => new Date(clock.ms) })
  const others = adaAtHarbour.filter(({ Type }) => !/Assignment|RoleHolder/.test(String(Type)))
  await restoreItems(table.runtime, [
    ...others,
    ...role(acme, child, 'child', { parent: reader }),
    ...granting(role(acme, linked, 'linked')).map((item) => (item.Type === 'Role' ? { ...item, permission_form: 'linked' } : item)),
    ...permission(entry, 'devices', 'read', 'camera'),
    ...link(acme, linked, entry),
    ...assignment(acme, ada, which, 'project', harbour),
  ])
  const decider = decideAccountManagement(table.runtime)
  const answers = async (consistency: 'strong' | 'bounded') => {
    const place = { building: pier }
    const [can, what, who, where, expanded] = await Promise.all([
      decider.can({ user: ada, ...place, permission: camera }, { consistency }),
      decider.what({ user: ada, ...place }, { consistency }),
      decider.who({ ...place, permission: camera }, { consistency }),
      decider.where({ user: ada, permission: camera }, { consistency }),
      decider.where({ user: ada, permission: camera }, { consistency, expand: true }),
    ])
    return [can.allowed, ...[what, who, where, expanded].map(({ items }) => items.length > 0)]
  }
  return { clock, table, answers }
}
type Table = Awaited<ReturnType<typeof prepared>>['table']

const at = (role_id: string) => ({ user_id: ada, scope_type: 'project' as const, scope_id: harbour, role_id })

/** Each way to take the access away; `definition` where a bounded decision may be late to see it (spec rule 18). */
const revocations: readonly {
  readonly what: string
  readonly role: string
  readonly definition: boolean
  revoke(table: Table): Promise<unknown>
}[] = [
  { what: 'the assignment', role: reader, definition: false, revoke: (table) => table.UserRoleAssignment.remove(at(reader)) },
  {
    what: 'the time of the assignment',
    role: reader,
    definition: false,
    revoke: (table) => table.UserRoleAssignment.update(at(reader), { expires_at: '2026-03-01T00:00:00.000Z' }),
  },
  { what: 'the user', role: reader, definition: false, revoke: (table) => table.User.remove({ id: ada }) },
  {
    what: "the user's being active",
    role: reader,
    definition: false,
    revoke: (table) => table.User.update({ id: ada }, { status: 'disabled' }),
  },
  {
    what: "the client's being active",
    role: reader,
    definition: false,
    revoke: (table) => table.Client.update({ id: acme }, { status: 'suspended' }),
  },
  { what: 'the project', role: reader, definition: false, revoke: (table) => table.Project.remove({ client_id: acme, id: harbour }) },
  {
    what: 'the permission of the role',
    role: reader,
    definition: true,
    revoke: (table) => table.Role.update({ client_id: acme, id: reader }, { permissions: [] }),
  },
  {
    what: 'the permission of the role above',
    role: child,
    definition: true,
    revoke: (table) => table.Role.update({ client_id: acme, id: reader }, { permissions: [] }),
  },
  {
    what: 'the role above',
    role: child,
    definition: true,
    revoke: (table) => table.Role.update({ client_id: acme, id: child }, { parent_role_id: null }),
  },
  {
    what: 'the link of the role',
    role: linked,
    definition: true,
    revoke: (table) => table.RolePermissionLink.remove({ role_id: linked, permission_id: entry }),
  },
  {
    what: 'the permission in the catalogue',
    role: linked,
    definition: true,
    revoke: (table) => table.Permission.update({ id: entry }, { action: 'write' }),
  },
]

describe.each(revocations)('after $what was taken away', ({ role: which, definition, revoke }) => {
  const all = (is: boolean, isWhatEmpty = is) => [is, isWhatEmpty, is, is, is]

  test('the next strong decision denies, at the same instant and with everything in memory', async () => {
    const { table, answers } = await prepared(which)
    expect(await answers('bounded')).toEqual(all(true))
    await revoke(table)
    const [can, , ...others] = await answers('strong')
    expect([can, ...others]).toEqual([false, false, false, false])
    table.close()
  })

  test(`a bounded decision denies ${definition ? 'once the bound is over' : 'at once'}`, async () => {
    const { clock, table, answers } = await prepared(which)
    expect(await answers('bounded')).toEqual(all(true))
    await revoke(table)
    if (definition) {
      clock.ms += 4_999
      expect(await answers('bounded')).toEqual(all(true))
      clock.ms += 1
    }
    const [can, , ...others] = await answers('bounded')
    expect([can, ...others]).toEqual([false, false, false, false])
    table.close()
  })
})

test('under concurrent load no strong decision that begins after an acknowledged revocation allows', { timeout: 120_000 }, async () => {
  const { table } = await prepared(reader)
  const decider = decideAccountManagement(table.runtime)
  const question = { user: ada, building: pier, permission: camera }
  const askers = 8
  const rounds = 20
  for (let round = 0; round < rounds; round++) {
    let isRevoked = false
    const after: boolean[] = []
    let before = 0
    const ask = async () => {
      // Each asker goes on until it has asked three times after the revocation.
      for (let asked = 0; asked < 3; ) {
        const beganAfter = isRevoked
        const { allowed } = await decider.can(question, { consistency: 'strong' })
        if (!beganAfter) before++
        else {
          after.push(allowed)
          asked++
        }
      }
    }
    const revoke = async () => {
      await table.UserRoleAssignment.remove(at(reader))
      isRevoked = true
    }
    await Promise.all([...Array.from({ length: askers }, ask), revoke()])
    expect(before).toBeGreaterThan(0)
    expect(after).toEqual(Array.from({ length: 3 * askers }, () => false))
    await table.UserRoleAssignment.create({ ...at(reader), role_owner: acme })
    expect(await decider.can(question, { consistency: 'strong' })).toEqual({ allowed: true })
  }
  table.close()
})
