import { expect } from 'vitest'
import type { Call } from './faulty-service.ts'

// Grants that are revoked while the table fails, and what is answered once the revocation was acknowledged.

const page = 'dashboard'

interface Revocable {
  readonly name: string
  /** Asks for what was granted. True if it is allowed. */
  ask(isStrong: boolean): Promise<boolean>
  /** The path of what is removed. */
  readonly removed: string
  /** What a process may have from memory for a while: a definition that is not asked strongly, a key that another process has revoked. */
  readonly isRemembered?: { readonly always: boolean }
}

async function made(call: Call, entity: string, body: object): Promise<Record<string, unknown>> {
  const answer = await call('POST', `rebac/entities/${entity}`, body)
  expect(answer).toMatchObject({ status: 201 })
  return answer.body
}

/** A user in a group of a location, whose role opens a page: each revocation takes another part of this. */
async function granted(call: Call, removedOf: (ids: Record<string, string>) => string, isDefinition = false): Promise<Revocable> {
  const roleName = `role-${crypto.randomUUID()}`
  const code = crypto.randomUUID().slice(0, 8).toUpperCase()
  const { userId } = await made(call, 'User', { displayName: 'Eve', userType: 'MEMBER' })
  const { locationId } = await made(call, 'Location', { locationCode: code, name: code })
  const { groupId } = await made(call, 'UserGroup', { locationId, name: code })
  await made(call, 'Role', { roleName })
  await made(call, 'UserLocationEdge', { userId, locationId })
  await made(call, 'UserGroupEdge', { userId, groupId })
  await made(call, 'GroupRole', { groupId, roleName })
  await made(call, 'RolePagePermission', { roleName, pageName: page, permission: 'ALLOW' })
  const ids = Object.fromEntries(
    Object.entries({ userId, locationId, groupId, roleName, pageName: page }).map(([n, id]) => [n, String(id)]),
  )
  const removed = removedOf(ids)
  const question = { user: ids.userId, location: ids.locationId, page }
  return {
    name: removed,
    removed,
    ...(isDefinition ? { isRemembered: { always: false } } : {}),
    ask: async (isStrong) =>
      (await call('POST', 'rebac/can', { ...question, consistency: isStrong ? 'strong' : 'bounded' })).body.allowed === true,
  }
}

const path =
  (entity: string, ...names: readonly string[]) =>
  (ids: Record<string, string>) =>
    `rebac/entities/${entity}?${new URLSearchParams(names.map((name): [string, string] => [name, ids[name] ?? '']))}`

async function key(call: Call): Promise<Revocable> {
  const { status, body } = await call('POST', 'api-keys', { name: 'gone', purpose: 'decisions' })
  expect(status).toBe(201)
  const question = { user: 'ada@example.org', location: 'NYC001', page }
  return {
    name: 'a key',
    removed: `api-keys?keyId=${body.keyId}`,
    isRemembered: { always: true },
    ask: async () => (await call('POST', 'rebac/can', question, String(body.text))).body.allowed === true,
  }
}

/**
 * Grants of all kinds, each of which allows.
 * @param hasDependants also those whose removal takes others along, by a durable job of many requests
 */
export async function revocables(call: Call, hasDependants: boolean): Promise<readonly Revocable[]> {
  const all = await Promise.all([
    ...(hasDependants ? [granted(call, path('UserLocationEdge', 'userId', 'locationId')), granted(call, path('User', 'userId'))] : []),
    granted(call, path('UserGroupEdge', 'userId', 'groupId')),
    granted(call, path('GroupRole', 'groupId', 'roleName'), true),
    granted(call, path('RolePagePermission', 'roleName', 'pageName'), true),
    key(call),
  ])
  for (const { name, ask } of all) {
    expect([name, await ask(true)]).toEqual([name, true])
    // A process may remember the definitions as they were before.
    await until(() => ask(false))
  }
  return all
}

/**
 * Revokes a grant, by as many requests as it takes until one is acknowledged, and asks all the while, and then once more in each way that reads.
 * @param isOneProcess false if another process may answer, which has a key from memory
 */
export async function revoke(call: Call, { name, ask, removed, isRemembered }: Revocable, isOneProcess: boolean): Promise<void> {
  let isOver = false
  const asking = async () => {
    while (!isOver) await ask(false)
  }
  const revoking = async () => {
    for (let refused = 0; ; refused++) {
      const { status, body } = await call('DELETE', removed)
      // After an answer that was lost it is already gone, or has the mark of that removal, which takes what it grants.
      const isGoing = refused > 0 && (status === 404 || body.code === 'BeingDeleted')
      if (status === 204 || status === 202 || isGoing) break
      expect([name, status, body]).toEqual([name, 503, body])
    }
    const isDefinition = isRemembered?.always === false
    if (isOneProcess || isRemembered?.always !== true)
      expect([name, ...(await Promise.all([ask(true), ask(isDefinition)]))]).toEqual([name, false, false])
  }
  await Promise.all([
    asking(),
    revoking().finally(() => {
      isOver = true
    }),
  ])
}

/** Waits until something holds, or the test has taken too long. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Once all is well, none of them is allowed, by no way to ask. */
export async function nothingIsLeft(all: readonly Revocable[]): Promise<void> {
  // Several connections, since several processes may answer.
  const asks = async (ask: Revocable['ask']) => (await Promise.all(Array.from({ length: 8 }, (_, at) => ask(at % 2 === 0)))).includes(true)
  for (const { name, ask } of all) {
    await until(async () => !(await asks(ask)))
    expect([name, await asks(ask)]).toEqual([name, false])
  }
}
