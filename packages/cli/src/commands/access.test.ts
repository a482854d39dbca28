import { accountManagement } from '@freehold/designs/account-management'
import { readAccess } from '@freehold/designs/account-management/access'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { folder, freehold, freshTable } from '../../test/recorded-shell.ts'

const cwd = folder()
const env = { DYNAMODB_ENDPOINT: endpoint }
const name = freshTable()
const camera = { module: 'devices', action: 'read', resource: 'camera' }

const table = connect(accountManagement, { dynamo: { endpoint }, table: name })
await ensureTable(table.runtime)
const client = (await table.Client.create({ name: 'Acme' })).id
const { id: user_id } = await table.User.create({ client_id: client, email: 'ada@example.org', user_type: 'client_admin' })
const { id: role_id } = await table.Role.create({ client_id: client, name: 'reader', permissions: [camera] })
await table.UserRoleAssignment.create({ user_id, role_id, role_owner: client, scope_type: 'client', scope_id: client })
table.close()

const access = (question: object, ...flags: string[]) =>
  freehold(['access', 'account-management', JSON.stringify(question), '--table', name, ...flags], { cwd, env })

describe('access', () => {
  test('prints a snapshot that a browser reads, as one line or in several', async () => {
    const { exit, out, err } = await access({ user: 'ada@example.org' }, '--json')
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    expect(out).toMatch(/^\{.*\}\n$/)
    const data = JSON.parse(out)
    expect(data.grants).toEqual([{ permissions: [camera], scopes: [{ client_id: client }] }])
    const now_ms = () => Date.parse(data.issued_at)
    expect(readAccess(data, { now_ms }).can(camera, { client })).toBe(true)
    const shown = await access({ user: 'ada@example.org', client })
    expect(JSON.parse(shown.out)).toMatchObject({ place: { client_id: client }, grants: data.grants })
    expect(shown.out).toMatch(/^\{\n {2}"format": 1,\n/)
  })

  test('takes how long it holds, and whether it says by what', async () => {
    const { out } = await access({ user: 'ada@example.org' }, '--json', '--lasts', '60000', '--evidence', '--consistency', 'strong')
    const { issued_at, expires_at, grants } = JSON.parse(out)
    expect(Date.parse(expires_at) - Date.parse(issued_at)).toBe(60_000)
    expect(grants).toMatchObject([{ evidence: { role_owner: client, assignments: [{ scope_type: 'client', scope_id: client }] } }])
    const plain = JSON.parse((await access({ user: 'ada@example.org' }, '--json')).out)
    expect(Date.parse(plain.expires_at) - Date.parse(plain.issued_at)).toBe(5000)
  })

  test('of nobody is one that denies, which is an answer', async () => {
    const { exit, out } = await access({ user: 'nobody@example.org' }, '--json')
    expect({ exit, data: JSON.parse(out) }).toMatchObject({ exit: 0, data: { grants: [], reason: { code: 'UnknownUser' } } })
  })

  test('exits with 2 where it grants nothing as something is malformed, and with 0 where something is left', async () => {
    const broken = freshTable()
    const table = connect(accountManagement, { dynamo: { endpoint }, table: broken })
    await ensureTable(table.runtime)
    const { id: client_id } = await table.Client.create({ name: 'Acme' })
    const { id: user_id } = await table.User.create({ client_id, email: 'ada@example.org', user_type: 'client_admin' })
    const assigned = async (name: string) => {
      const { id } = await table.Role.create({ client_id, name, permissions: [camera] })
      await table.UserRoleAssignment.create({ user_id, role_id: id, role_owner: client_id, scope_type: 'client', scope_id: client_id })
      return { PK: `CLIENT#${client_id}`, SK: `ROLE#${id}` }
    }
    const key = await assigned('reader')
    await restoreItems(table.runtime, [{ ...key, Type: 'Role', version: 1, created_at: 'once' }])
    const taken = (...flags: string[]) =>
      freehold(['access', 'account-management', '{"user":"ada@example.org"}', '--table', broken, ...flags])
    const nothing = await taken()
    expect(nothing).toMatchObject({ exit: 2, err: expect.stringMatching(/ \(MalformedItem\)\n$/) })
    expect(JSON.parse(nothing.out)).toMatchObject({ grants: [], reason: { kind: 'fault', code: 'MalformedItem' } })
    expect(await taken('--json')).toMatchObject({ exit: 2, err: '' })
    await assigned('watcher')
    const less = await taken()
    expect(less).toMatchObject({ exit: 0, err: expect.stringMatching(/ \(MalformedItem\)\n$/) })
    expect(JSON.parse(less.out)).toMatchObject({ grants: [{ permissions: [camera] }], reason: { kind: 'fault' } })
    table.close()
  })

  test.each([
    [{ user: 'ada' }, [], 'user'],
    [{ user: 'ada@example.org', permission: 'a:b:c' }, [], 'permission'],
    [{ user: 'ada@example.org' }, ['--lasts', '0'], '--lasts'],
    [{ user: 'ada@example.org' }, ['--lasts', '86400001'], '--lasts is a whole number of milliseconds from 1 to 86400000'],
    [{ user: 'ada@example.org' }, ['--lasts', '1e3'], '--lasts is a whole number of milliseconds from 1 to 86400000'],
  ])('%j %j exits with 2', async (question, flags, sentence) => {
    expect(await access(question, ...flags)).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
  })

  test('is an unknown name for a design that gives none', async () => {
    const refused = await freehold(['access', 'rebac', '{}', '--table', freshTable()], { cwd, env })
    expect(refused).toEqual({ exit: 2, out: '', err: expect.stringMatching(/^freehold: rebac gives no snapshots .* \(UnknownName\)\n$/m) })
    const none = await freehold(['access', 'authorization', '{}'], { cwd, env })
    expect(none).toEqual({ exit: 2, out: '', err: expect.stringContaining('authorization answers no questions') })
  })
})
