import { basisMin } from '@freehold/frame/flow'
import { describe, expect, test } from 'vitest'
import {
  acting,
  ada,
  atClient,
  bob,
  denied,
  give,
  holdUpWrites,
  hooks,
  newRole,
  ours,
  pattern,
  permission,
  revoke,
  work,
} from '../../../test/held-up-writes.ts'
import { linksAtOnceMax } from './roles/role-links.ts'

// A transaction has a hundred actions.

holdUpWrites()

let count = 0

describe('a transaction', () => {
  /** A role of eight, the caller's, of which each has a permission of its own. */
  const deepRole = async (...texts: string[]) => {
    let parent_role_id: string | undefined
    for (const text of texts.slice(0, 7)) {
      const { id } = await work.flows.createRole({
        client_id: ours,
        name: `Deep ${++count}`,
        permissions: permission(text),
        parent_role_id,
      })
      parent_role_id = id
    }
    const { id } = await work.flows.createRole({
      client_id: ours,
      name: `Deep ${++count}`,
      permissions: permission(...texts.slice(7)),
      parent_role_id,
    })
    await work.flows.assignRole({ user_id: ada, role_id: id, ...atClient() })
    return id
  }

  test('has room for what its caller rests on, however much that is, beside as many links as it makes at once', async () => {
    const texts = Array.from({ length: linksAtOnceMax }, (_, index) => `attic:open:${ours}${index}`)
    for (const text of texts) await work.flows.createPermission(pattern(text))
    const deep: string[] = []
    for (let index = 0; index < texts.length; index += 8)
      deep.push(await deepRole(...Array.from({ length: 8 }, (_, step) => texts[index + step] ?? `attic:shut:${step}`)))
    let parent_role_id: string | undefined
    for (let depth = 0; depth < 7; depth++)
      parent_role_id = (await work.flows.createRole({ client_id: ours, name: `Deep ${++count}`, parent_role_id })).id
    hooks.sent = []
    const asked = { name: 'Deepest', permission_form: 'linked', permissions: permission(...texts) } as const
    await acting.createRole({ ...asked, parent_role_id })
    const [byUser] = hooks.sent
    hooks.sent = []
    await work.flows.createRole({ ...asked, client_id: ours, name: 'By an operator', parent_role_id })
    // The role's client is checked anyhow. What is beyond 100 is left out.
    expect([byUser, Number(byUser) - Number(hooks.sent[0])]).toEqual([100, basisMin])
    expect(linksAtOnceMax).toBe(21)
    // Roles are left out first.
    const last = deep.at(-1) ?? ''
    hooks.meanwhile = () => revoke(ada, last)
    await expect(acting.createRole({ ...asked, name: 'Late', parent_role_id })).rejects.toMatchObject(denied('NotHeld'))
    await work.flows.assignRole({ user_id: ada, role_id: last, ...atClient() })
    hooks.meanwhile = () => work.flows.disableUser({ id: ada })
    await expect(acting.createRole({ ...asked, name: 'Late', parent_role_id })).rejects.toMatchObject(denied('UserNotActive'))
  })
})

test('permissions held by very many roles rest on all of them, if a transaction has room', async () => {
  const texts = Array.from({ length: 30 }, (_, index) => `attic:open:${index}`)
  const roles: string[] = []
  for (const text of texts) roles.push(await give(ada, [text]))
  const all = await newRole(...texts)
  hooks.sent = []
  await acting.assignRole({ user_id: bob, role_id: all, ...atClient() })
  expect(hooks.sent[0]).toBeGreaterThan(60)
  const last = [...roles].sort().at(-1) ?? ''
  await revoke(bob, all)
  for (const change of [
    () => work.flows.changeRolePermissions({ id: last, client_id: ours, remove: permission(texts[roles.indexOf(last)] ?? '') }),
    () => revoke(ada, roles[0] ?? ''),
  ]) {
    hooks.meanwhile = change
    await expect(acting.assignRole({ user_id: bob, role_id: all, ...atClient() })).rejects.toMatchObject(denied('NotHeld'))
    await work.flows.changeRolePermissions({ id: last, client_id: ours, add: permission(texts[roles.indexOf(last)] ?? '') })
  }
})
