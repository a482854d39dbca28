import { beforeAll, describe, expect, test } from 'vitest'
import { valueBytesMax } from '../../packages/designs/src/account-management/flows/settings/setting-value.ts'
import { type AccountWork, accountWork } from '../../packages/designs/test/account-flows.ts'
import { requiredPermissions } from '../../packages/designs/test/required-permissions.ts'
import { answerBytesMax } from '../../packages/frame/src/flow/bounded-answer.ts'
import { mapMax } from '../../packages/frame/src/flow/input/input-limits.ts'
import { pageAt, sectionOf } from './pages.ts'

const page = pageAt('docs/reference/account-management.md')

/** The rows of a section's first table, cell by cell. */
function rowsOf(heading: string): string[][] {
  const [, , ...rows] = sectionOf(page, heading)
    .split('\n')
    .filter((line) => line.startsWith('| '))
  return rows.map((line) => line.replace(/^\| | \|$/g, '').split(/ \| ?/))
}

describe('the reference of account-management', () => {
  test('may say of all these permissions once that they are of the module account-management', () => {
    const modules = Object.values(requiredPermissions).flatMap((needs) => (typeof needs === 'string' ? [] : [needs.module]))
    expect(new Set(modules)).toEqual(new Set(['account-management']))
  })
})

describe('how long the reference says that things last', () => {
  const begun = Date.parse('2026-03-01T12:00:00.000Z')
  const days = (end: unknown) => (Date.parse(String(end)) - begun) / 86_400_000
  let work: AccountWork
  beforeAll(async () => {
    work = await accountWork({ now: () => new Date(begun) })
  })

  test('is how long they last', async () => {
    const { flows, table } = work
    const client_id = (await flows.createClient({ name: 'Acme' })).id
    const scope_id = (await flows.createProject({ client_id, name: 'Harbour' })).id
    const invited = await flows.inviteUser({ client_id, email: 'ada@example.org', user_type: 'client_admin' })
    await flows.acceptInvitation({ id: invited.id })
    const module_id = table.runtime.making().uuid()
    const trial = await flows.startTrial({ scope_type: 'project', scope_id, module_id })
    const { token } = await flows.createToken({ user_id: invited.id, token_type: 'api' })
    const session = await flows.createSession({ user_id: invited.id })
    const [entry] = await work.audit(client_id)
    expect(rowsOf('## How long things last')).toEqual([
      ['an invitation', `${days(invited.invitation_expires_at)} days`],
      ['a trial', `${days(trial.end_date)} days`],
      ['a token', `${days(token.expires_at)} days`],
      ['a session', `${days(session.expires_at)} days`],
      ['an entry of the audit', `${days(entry?.expires_at)} days`],
    ])
  })
})

test('how large the reference says that things are at most is how large they are', () => {
  const said = rowsOf('## How large things are').map(([what = '', max = '']) => ({
    names: [...what.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    max: Number(max.replaceAll(',', '')),
  }))
  expect(said.map(({ max }) => max)).toEqual([mapMax('geo_json'), mapMax('payload'), valueBytesMax, answerBytesMax])
  const maps = said.slice(0, 2).flatMap(({ names, max }) => names.map((name) => [name, max]))
  expect(maps).toEqual(maps.map(([name]) => [name, mapMax(String(name))]))
})

test('a write past the flows is in no audit, and an entry can be made so, but not changed', async () => {
  const { flows, table, audit } = await accountWork()
  const client_id = (await flows.createClient({ name: 'Acme' })).id
  const { id } = await flows.inviteUser({ client_id, email: 'ada@example.org', user_type: 'client_admin' })
  const told = await audit(client_id)
  expect((await table.User.update({ id }, { status: 'active' })).status).toBe('active')
  expect(await audit(client_id)).toEqual(told)
  const made = await table.AuditLog.create({ client_id, action: 'neverDone' })
  expect((await audit(client_id)).map(({ action }) => action)).toContain('neverDone')
  await expect(table.AuditLog.remove(made)).rejects.toMatchObject({ code: 'Immutable' })
})
