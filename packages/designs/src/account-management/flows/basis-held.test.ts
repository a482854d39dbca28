import { deciderFor } from '@freehold/frame/flow'
import { beforeEach, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../test/engine/sender-after.ts'
import { accountWork, checkedAccountFlows } from '../../../test/account-flows.ts'
import {
  acting,
  ada,
  at,
  atClient,
  bob,
  denied,
  entries,
  failure,
  give,
  givenAnew,
  holdUpWrites,
  hooks,
  newProject,
  newRole,
  ours,
  pattern,
  permission,
  revoke,
  role_id,
  work,
} from '../../../test/held-up-writes.ts'
import { accountHost } from './account-host.ts'
import { linksAtOnceMax } from './roles/role-links.ts'

// The caller's own roles were taken away after a grant had been allowed, and before it was written.

holdUpWrites()

describe('a grant rests on the permissions that its caller holds', () => {
  let other: string
  let safes: string
  beforeEach(async () => {
    safes = await give(ada, ['safe:*:*'])
    other = await newRole('safe:open:door')
    hooks.sent = []
  })
  const assignment = async () => work.table.UserRoleAssignment.get({ user_id: bob, role_id: other, ...atClient() }, { consistent: true })
  const assign = (more: object = {}) => acting.assignRole({ user_id: bob, role_id: other, ...atClient(), ...more })
  const withdraw = (id: string, ...texts: string[]) =>
    work.flows.changeRolePermissions({ id, client_id: ours, remove: permission(...texts) })

  test.each([
    ['the assignment was revoked', 'NotHeld', () => revoke(ada, safes)],
    [
      'the assignment ends',
      'NotHeldSoLong',
      () => work.flows.extendAssignment({ user_id: ada, role_id: safes, ...atClient(), expires_at: at(1) }),
    ],
    ['it was given anew, for a time', 'NotHeldSoLong', () => givenAnew(ada, safes, { expires_at: at(1) })],
    ['the role lost it', 'NotHeld', () => withdraw(safes, 'safe:*:*')],
  ])('until %s: then it is not', async (_, reason, change) => {
    hooks.meanwhile = change
    await expect(assign()).rejects.toMatchObject(denied(reason))
    expect([await assignment(), await entries('assignRole')]).toEqual([undefined, [failure(reason)]])
  })

  test('and on what allows to grant at all, though that was read before', async () => {
    other = await newRole('create project')
    // The catalogue is read after the permission, and before the write.
    hooks.beforeRead = { key: '"SYSTEM"', work: () => withdraw(role_id, 'assign role') }
    await expect(assign()).rejects.toMatchObject(denied('NoGrant'))
    expect([hooks.beforeRead, await assignment()]).toEqual([undefined, undefined])
  })

  test('also by the role above the one it was given, and for as long as that is', async () => {
    const [parent, vault] = [await newRole('vault:*:*'), await newRole('vault:open:x')]
    await work.flows.setParentRole({ id: safes, client_id: ours, parent_role_id: parent })
    hooks.meanwhile = () => withdraw(parent, 'vault:*:*')
    await expect(acting.assignRole({ user_id: bob, role_id: vault, ...atClient() })).rejects.toMatchObject(denied('NotHeld'))
  })

  test('of another decider, which tells no more than the names of what allows, as far as it tells', async () => {
    // By one role both are held, so that `why` and `access` tell of the same assignment.
    for (const each of [role_id, safes]) await revoke(ada, each)
    await give(ada, ['account-management:assign:role', 'safe:*:*'])
    const own = deciderFor(accountHost, work.table.runtime)
    const why: typeof own.why = async (question, how) => {
      const told = await own.why(question, how)
      return { ...told, chains: told.chains.map((chain) => chain.map(({ as: _, ...named }) => named)) }
    }
    const flows = checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: ada } }, { decider: { ...own, why } })
    expect(await flows.assignRole({ user_id: bob, role_id: other, ...atClient() })).toMatchObject({ user_id: bob })
  })

  test('a role that ends earlier by then, but not before the grant does, grants it all the same', async () => {
    hooks.meanwhile = () => work.flows.extendAssignment({ user_id: ada, role_id: safes, ...atClient(), expires_at: at(9) })
    expect(await assign({ expires_at: at(3) })).toMatchObject({ expires_at: expect.any(String) })
    expect((await entries('assignRole')).length).toBe(1)
  })

  test('by what has it long enough, and not by what ends before', async () => {
    await work.flows.changeRolePermissions({ id: role_id, client_id: ours, add: permission('safe:open:door') })
    await givenAnew(ada, role_id, { expires_at: at(5) })
    hooks.meanwhile = () => revoke(ada, safes)
    await expect(assign()).rejects.toMatchObject(denied('NotHeldSoLong'))
  })

  test('a permission held by another assignment, too, is granted by that', async () => {
    hooks.meanwhile = async () => {
      await give(ada, ['safe:open:*'])
      await revoke(ada, safes)
    }
    await expect(assign()).resolves.toBeDefined()
  })

  test.each([
    ['is held', 'NotHeld', () => safes],
    ['is allowed', 'NoGrant', () => role_id],
  ])('nothing is granted once that by which it %s has ended by the clock', async (_, reason, ending) => {
    await givenAnew(ada, ending(), { expires_at: at(2) })
    const { table, jobHandlers } = work.table.runtime
    let offset_ms = 0
    const late = await accountWork({
      table,
      jobHandlers,
      now: () => new Date(hooks.now_ms++ + offset_ms),
      sender: senderAfter((operation, input) => {
        // The catalogue is looked into after what is held, for what is dangerous.
        if (operation === 'Query' && JSON.stringify(input).includes('"SYSTEM"')) offset_ms = 3 * 3_600_000
      }),
    })
    hooks.sent = []
    const writing = checkedAccountFlows.of(late.table, { actor: { kind: 'user', user_id: ada } })
    const creating = writing.createRole({ name: 'Late', permissions: permission('safe:open:door') })
    await expect(creating).rejects.toMatchObject(denied(reason))
    expect([offset_ms > 0, hooks.sent]).toEqual([true, []])
  })

  /** The items that are there before, and the call. */
  type Way = readonly [name: string, prepared: () => Promise<() => Promise<unknown>>]
  const given = (bounds: object = {}) => work.flows.assignRole({ user_id: bob, role_id: other, ...atClient(), ...bounds })
  test.each<Way>([
    [
      'extendAssignment',
      async () => {
        await given({ expires_at: at(5) })
        return () => acting.extendAssignment({ user_id: bob, role_id: other, ...atClient(), expires_at: at(9) })
      },
    ],
    ['createRole', async () => () => acting.createRole({ name: 'Late', permissions: permission('safe:open:door') })],
    [
      'setParentRole',
      async () => {
        const id = await newRole()
        return () => acting.setParentRole({ id, parent_role_id: other })
      },
    ],
    [
      'changeRolePermissions',
      async () => {
        const id = await newRole()
        return () => acting.changeRolePermissions({ id, add: permission('safe:open:x') })
      },
    ],
    [
      'enableUser',
      async () => {
        await given()
        await work.flows.disableUser({ id: bob })
        return () => acting.enableUser({ id: bob })
      },
    ],
    [
      'moveBuilding',
      async () => {
        const [from, to] = [await newProject(), await newProject()]
        const { id } = await work.flows.createBuilding({ project_id: from, name: 'Pier' })
        await work.flows.assignRole({ user_id: bob, role_id: other, scope_type: 'project', scope_id: to })
        return () => acting.moveBuilding({ id, project_id: to })
      },
    ],
  ])('in %s as well', async (name, prepared) => {
    const run = await prepared()
    hooks.meanwhile = () => revoke(ada, safes)
    await expect(run()).rejects.toMatchObject(denied('NotHeld'))
    expect(await entries(name)).toEqual([failure('NotHeld')])
  })

  test.each<Way>([
    [
      'deleteRole',
      async () => {
        const id = await newRole()
        await work.flows.assignRole({ user_id: bob, role_id: id, ...atClient() })
        return () => acting.deleteRole({ id, reassign_to: other })
      },
    ],
    [
      'changeRolePermissions',
      async () => {
        const texts = Array.from({ length: linksAtOnceMax + 1 }, (_, index) => `safe:${ours}:${index}`)
        for (const text of texts) await work.flows.createPermission(pattern(text))
        const { id } = await work.flows.createRole({ client_id: ours, name: 'Linked', permission_form: 'linked' })
        return () => acting.changeRolePermissions({ id, add: permission(...texts) })
      },
    ],
  ])('in the job of %s, which ends and says so in the audit', async (name, prepared) => {
    const run = await prepared()
    hooks.meanwhile = () => revoke(ada, safes)
    await expect(run()).rejects.toMatchObject({ category: 'conflict' })
    expect(await entries(name)).toMatchObject([{ status: 'failure', metadata: { reason: 'NotHeld' } }])
    expect(await work.table.jobs.list()).toEqual([])
  })

  test('by as few assignments as have it all, and rather by one that it rests on anyhow: others may change meanwhile', async () => {
    await work.flows.changeRolePermissions({ id: other, client_id: ours, add: permission('safe:open:window', 'create project') })
    const spare = [await give(ada, ['safe:open:door'])]
    for (let index = 0; index < 6; index++) spare.push(await give(ada, ['create project']))
    hooks.sent = []
    hooks.meanwhile = async () => {
      for (const id of spare) await revoke(ada, id)
    }
    await assign()
    expect(hooks.sent).toHaveLength(1)
  })
})
